import { Queue } from './queue.ts';

/**
 * Starts the queue of a page: sends what earlier pages left, at once and whenever the browser comes
 * back online or the page back into view. Any page may import this; it brings no React along.
 */
export function startQueue(queue: Queue = new Queue()): Queue {
  queue.flush();
  window.addEventListener('online', queue.flush);
  window.addEventListener('pageshow', (event) => event.persisted && queue.flush());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') queue.flush();
  });
  return queue;
}
