import type { Runner } from './runner.ts';

/**
 * Records the first error of the page's own scripts as an entry of the visit, so that the console counts visits with
 * errors. Scripts of third parties and of browser extensions have another origin, or none.
 */
export function recordPageError(
  runner: Pick<Runner, 'getState' | 'record'>,
  page: EventTarget = window,
  { origin }: Pick<Location, 'origin'> = location,
): void {
  const onError = (event: Event) => {
    const { at, phase } = runner.getState();
    // The lead of an ended visit is confirmed, so that the visit must not be stored again.
    if (!(event as ErrorEvent).filename?.startsWith(`${origin}/`) || phase === 'ended') return;
    page.removeEventListener('error', onError);
    runner.record({ kind: 'failed', step: at, answers: {} });
  };
  page.addEventListener('error', onError);
}
