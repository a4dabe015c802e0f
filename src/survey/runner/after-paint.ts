/** A page that is not drawn has no frames: so long its tasks wait at most. */
const LONGEST_WAIT_MS = 50;

/**
 * What follows from a tap and is not seen: done in its order, in a task of its own once the frame that
 * the tap brought is painted, and at once when the page is about to go (`run`).
 */
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
        // One that fails (a browser that takes no more entries of history) takes no other with it.
        console.error(error);
      }
    }
  };
}
