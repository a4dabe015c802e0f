import { BrowserQueue } from './browser-queue.ts';

/**
 * Starts the browser queue of a page: sends what earlier pages left, at once and whenever the browser comes
 * back online or the page back into view. Any page may import this; it brings no React along.
 */
export function startBrowserQueue(queue: BrowserQueue = new BrowserQueue()): BrowserQueue {
  queue.flush();
  window.addEventListener('online', queue.flush);
  window.addEventListener('pageshow', (event) => event.persisted && queue.flush());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') queue.flush();
  });
  return queue;
}
