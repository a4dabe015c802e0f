/** The state of one entry in the browser's history. */
type Entry = {
  readonly lead: string;
  readonly index: number;
  /** Step index of the visit's first history entry. Going back from there leaves the survey. */
  readonly base: number;
};

type BrowserHistory = Pick<History, 'state' | 'pushState' | 'replaceState' | 'back'>;

function isEntry(state: unknown, lead: string): state is Entry {
  return typeof state === 'object' && state !== null && (state as Entry).lead === lead;
}

/** Gives each step a history entry, so that the browser's back button stays in the survey. */
export class StepHistory {
  readonly #history: BrowserHistory;
  #entry: Entry;

  /** `index` is the index of the step on screen. */
  constructor(history: BrowserHistory, lead: string, index: number, address: string) {
    this.#history = history;
    const state: unknown = history.state;
    const base = isEntry(state, lead) && state.index === index ? state.base : index;
    this.#entry = { lead, index, base };
    history.replaceState(this.#entry, '', address);
  }

  /** Records the step on screen. Only a later step adds a history entry. */
  show(index: number): void {
    const { lead, index: present, base } = this.#entry;
    if (index === present) return;
    this.#entry = { lead, index, base: Math.min(base, index) };
    if (index > present) this.#history.pushState(this.#entry, '');
    else this.#history.replaceState(this.#entry, '');
  }

  /** Goes back in the history. Returns false if the previous entry is not of this visit. */
  back(): boolean {
    if (this.#entry.index <= this.#entry.base) return false;
    this.#history.back();
    return true;
  }

  /** Handles a move to another history entry, and returns the index of its step, if any. */
  arrived(state: unknown): number | undefined {
    if (isEntry(state, this.#entry.lead)) {
      this.#entry = state;
      return state.index;
    }
    // The skip link adds a history entry without state. That entry belongs to the step on screen.
    if (state === null) this.#history.replaceState(this.#entry, '');
    else if ((state as Partial<Entry>).lead) this.#history.back();
    return undefined;
  }
}
