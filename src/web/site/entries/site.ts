/**
 * Enhances the site's pages: closes open menus, hides the call bar while the first question is in view, adds the
 * click's parameters to links, and sends an earlier survey's posts from the browser queue.
 */

/** The widest window with a menu toggle (docs/specification.md#site-layout). */
const MENU_BREAKPOINT_PX = 1120;

const menu = document.getElementById('menu');
const groups = document.querySelectorAll<HTMLDetailsElement>('.menu-group');
/** Without popover support the menu's links are part of the page, so the menu is never open. */
const isOpen = () =>
  CSS.supports('selector(:popover-open)') && menu?.matches(':popover-open') === true;

matchMedia(`(min-width: ${MENU_BREAKPOINT_PX + 1}px)`).addEventListener('change', ({ matches }) => {
  if (matches && isOpen()) menu?.hidePopover();
});

/** Closes the drop-down groups that do not contain `target`, except in the narrow menu. */
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

const callBar = document.querySelector('.call-bar');
const question = document.querySelector('.first-question');
if (callBar && question) {
  new IntersectionObserver((seen) => {
    callBar.toggleAttribute('data-waiting', seen.at(-1)?.isIntersecting);
  }).observe(question);
}

for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/survey/"]')) {
  link.search = location.search;
}

// Loads third-party scripts, if configured, only after the page has loaded.
if (document.getElementById('site-scripts')) {
  addEventListener('load', () => void import('./call-tracking.ts').catch(() => undefined));
}

/** Returns true if this browser has begun a survey, whose queue may hold unsent posts. */
async function hasBegunSurvey(): Promise<boolean> {
  if (typeof indexedDB.databases !== 'function') return true;
  return (await indexedDB.databases()).some(({ name }) => name === 'survey');
}

hasBegunSurvey()
  .then(async (hasBegun) => {
    if (!hasBegun) return;
    const { startBrowserQueue } = await import('../../survey/queue/browser-queue.ts');
    const { outbox } = startBrowserQueue();
    await (await import('../../survey/queue/forget-old.ts')).forgetOldVisits(outbox);
  })
  // Without storage the queue is empty.
  .catch(() => undefined);
