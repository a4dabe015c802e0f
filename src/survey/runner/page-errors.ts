import type { Runner } from './runner.ts';

/**
 * Records the first error of the page's own scripts as an entry of the visit, so that the console counts visits with
 * errors. Scripts of third parties and of browser extensions have another origin, or none. An error before the page is
 * idle is not seen: with it no step is shown, and the visit is missing in the sample ratio.
 */
export function recordPageError(runner: Pick<Runner, 'getState' | 'record'>): void {
  const onError = ({ filename }: ErrorEvent) => {
    const { at, phase } = runner.getState();
    // The lead of an ended visit is confirmed, so that the visit must not be stored again.
    if (phase === 'ended' || !filename.startsWith(`${location.origin}/`)) return;
    removeEventListener('error', onError);
    runner.record({ kind: 'failed', step: at, answers: {} });
  };
  addEventListener('error', onError);
}
