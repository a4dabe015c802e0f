/** Longest wait for a frame: a hidden page has none. */
const LONGEST_WAIT_MS = 50;

/** Runs invisible work in order, after the next frame is painted. `run` runs it at once, before the page is left. */
export class AfterPaint {
  #tasks: (() => void)[] = [];

  add(task: () => void): void {
    this.#tasks.push(task);
    if (this.#tasks.length > 1) return;
    requestAnimationFrame(() => setTimeout(this.run));
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
