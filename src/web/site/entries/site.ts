const groups = document.querySelectorAll<HTMLDetailsElement>('.menu-group');
/** Matches windows wide enough for the menu in the top bar (docs/specification.md#site-layout). */
const wide = matchMedia('(min-width: 1121px)');

wide.addEventListener('change', () => {
  // Older browsers have no `hidePopover`.
  if (wide.matches) document.getElementById('menu')?.hidePopover?.();
});

/** Closes the drop-down groups of the menu, except the group that contains `target`. */
function closeGroups({ target }: Event): void {
  for (const group of wide.matches ? groups : []) {
    if (!group.contains(target as Node)) group.open = false;
  }
}
addEventListener('click', closeGroups);
addEventListener('focusin', closeGroups);
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const group of groups) {
    if (!group.open) continue;
    group.open = false;
    group.querySelector('summary')?.focus();
  }
});

const callBar = document.querySelector('.call-bar');
const offer = document.querySelector('.first-question, .claim-box');
if (offer) {
  new IntersectionObserver((seen) => {
    callBar?.toggleAttribute('data-waiting', seen.at(-1)?.isIntersecting);
  }).observe(offer);
}

for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/survey/"]')) {
  link.search = location.search;
}

// Third-party scripts load after the page, so that they do not delay it.
if (document.getElementById('site-scripts')) {
  addEventListener('load', () => void import('./call-tracking.ts').catch(() => undefined));
}

addEventListener('load', () => {
  import('../../survey/scripts/page-speed.ts').then(
    ({ reportSpeed }) => reportSpeed(),
    () => undefined,
  );
});

/** Sends leads and progress that this browser has stored but not sent. */
async function sendQueued(): Promise<void> {
  const databases = await indexedDB.databases();
  if (!databases.some(({ name }) => name === 'survey')) return;
  const { startBrowserQueue } = await import('../../survey/queue/browser-queue.ts');
  const { outbox } = startBrowserQueue();
  await (await import('../../survey/queue/forget-old.ts')).forgetOldVisits(outbox);
}
// If the browser forbids storage, there is nothing to send.
sendQueued().catch(() => undefined);
