/** What one entry of the browser's history holds: the index of its step, no answers. */
type Entry = {
  readonly lead: string;
  readonly index: number;
  /** The index of the first entry of this visit: from there, back leaves the survey. */
  readonly base: number;
};

function isEntry(state: unknown, lead: string): state is Entry {
  return typeof state === 'object' && state !== null && (state as Entry).lead === lead;
}

/**
 * Keeps the browser's history in step with the survey: one entry a step, so that back and forward
 * move within the survey and back leaves it from its first step.
 */
export class StepHistory {
  readonly #history: Pick<History, 'state' | 'pushState' | 'replaceState' | 'back'>;
  #entry: Entry;

  /**
   * @param index the step on screen; a reloaded page keeps the entries that it had
   * @param address written into the address bar
   */
  constructor(
    history: Pick<History, 'state' | 'pushState' | 'replaceState' | 'back'>,
    lead: string,
    index: number,
    address: string,
  ) {
    this.#history = history;
    const state: unknown = history.state;
    const base = isEntry(state, lead) && state.index === index ? state.base : index;
    this.#entry = { lead, index, base };
    history.replaceState(this.#entry, '', address);
  }

  /** The step at `index` came on screen: a new entry when it lies further on, else the present one. */
  show(index: number): void {
    const { lead, index: present, base } = this.#entry;
    if (index === present) return;
    this.#entry = { lead, index, base: Math.min(base, index) };
    if (index > present) this.#history.pushState(this.#entry, '');
    else this.#history.replaceState(this.#entry, '');
  }

  /** Goes back in the browser. @returns false when the entry before is not the survey's own */
  back(): boolean {
    if (this.#entry.index <= this.#entry.base) return false;
    this.#history.back();
    return true;
  }

  /** The browser went to another entry. @returns the index of its step, or undefined */
  arrived(state: unknown): number | undefined {
    if (isEntry(state, this.#entry.lead)) {
      this.#entry = state;
      return state.index;
    }
    // The page's own `#question` (the skip link) is the step on screen.
    if (state === null) this.#history.replaceState(this.#entry, '');
    // A visit that is over, or was started over, has nothing to show: on to what lies before it.
    else if ((state as Partial<Entry>).lead) this.#history.back();
    return undefined;
  }
}
