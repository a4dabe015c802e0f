/** Longest wait for a frame: a hidden page has none. */
const LONGEST_WAIT_MS = 50;

/**
 * Runs invisible work in order, when the browser is idle after the next frame, so that a tap on the new screen is handled
 * first. `run` runs it at once, before the page is left.
 */
export class AfterPaint {
  #tasks: (() => void)[] = [];

  add(task: () => void): void {
    this.#tasks.push(task);
    if (this.#tasks.length > 1) return;
    requestAnimationFrame(() => {
      // Safari has no idle callbacks.
      if ('requestIdleCallback' in globalThis) requestIdleCallback(this.run);
      else setTimeout(this.run);
    });
    setTimeout(this.run, LONGEST_WAIT_MS);
  }

  readonly run = (): void => {
    for (let task = this.#tasks.shift(); task; task = this.#tasks.shift()) {
      try {
        task();
      } catch (error) {
        // The next tasks must run, even if a browser accepts no more history entries.
        console.error(error);
      }
    }
  };
}
