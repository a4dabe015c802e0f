/**
 * The script of the site's pages. Everything works without it: it closes what stands open, and sends what
 * an earlier survey left in the browser.
 */

/** The widest window that has the menu as a toggle (docs/specification.md#site-layout). */
const MENU_BREAKPOINT_PX = 1120;

const menu = document.getElementById('menu');
const groups = document.querySelectorAll<HTMLDetailsElement>('.menu-group');
/** A browser without popovers has the menu's links in the page, and never "open". */
const isOpen = () =>
  CSS.supports('selector(:popover-open)') && menu?.matches(':popover-open') === true;

matchMedia(`(min-width: ${MENU_BREAKPOINT_PX + 1}px)`).addEventListener('change', ({ matches }) => {
  if (matches && isOpen()) menu?.hidePopover();
});

/** Groups that drop down close when the visitor goes on elsewhere; inside the narrow menu they stay. */
function closeGroups(target: EventTarget | null): void {
  if (isOpen()) return;
  for (const group of groups) {
    if (!(target instanceof Node && group.contains(target))) group.open = false;
  }
}
addEventListener('click', ({ target }) => closeGroups(target));
addEventListener('focusin', ({ target }) => closeGroups(target));
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const group of groups) {
    if (!group.open) continue;
    group.open = false;
    group.querySelector('summary')?.focus();
  }
});

// Which click it was goes along to the survey.
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/survey/"]')) {
  link.search = location.search;
}

// Scripts of third parties, where one is set: not before the page is whole and answers.
if (document.getElementById('site-scripts')) {
  addEventListener('load', () => void import('./call-tracking.ts').catch(() => undefined));
}

/** Whether this browser has begun a survey: then something of it may still have to be sent. */
async function hasBegunSurvey(): Promise<boolean> {
  if (typeof indexedDB.databases !== 'function') return true;
  return (await indexedDB.databases()).some(({ name }) => name === 'survey');
}

hasBegunSurvey()
  .then(async (hasBegun) => {
    if (!hasBegun) return;
    const { startBrowserQueue } = await import('../../survey/queue/resume.ts');
    const { outbox } = startBrowserQueue();
    await (await import('../../survey/queue/forget-old.ts')).forgetOldVisits(outbox);
  })
  // Without storage there is nothing to send.
  .catch(() => undefined);
