import { BrowserQueue } from './browser-queue.ts';

/**
 * Starts the browser queue of a page. Sends everything unsent at once, and whenever the network or the page comes
 * back, and the page's own steps when it is left. Any page may import this; it needs no React.
 */
export function startBrowserQueue(): BrowserQueue {
  const queue = new BrowserQueue();
  void queue.outbox.opened.then(queue.flush);
  window.addEventListener('online', queue.flush);
  window.addEventListener('pageshow', (event) => event.persisted && queue.flush());
  // A page that is left is hidden, too.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) void queue.sendSteps();
    else queue.flush();
  });
  return queue;
}
