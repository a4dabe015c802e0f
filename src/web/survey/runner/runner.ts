import type { FormEvent } from 'react';
import type { Answers } from '../../../model/fields/answers.ts';
import { type Choice, stepOf } from '../../../model/flows/engine/flow.ts';
import { type WalkContext, walk } from '../../../model/flows/engine/walk.ts';
import {
  mayLeave,
  pathTo,
  reduce,
  type VisitAction,
  type VisitState,
} from '../../../model/visit/state.ts';
import { timeOn, type Visit } from '../../../model/visit/visit.ts';
import type { BrowserQueue, NewEntry } from '../queue/browser-queue.ts';
import type { ScreenEvents, SurveyPageData } from '../screens/screen-props.ts';
import { storeSentLead } from './sent-lead.ts';
import type { StepHistory } from './step-history.ts';
import { storeVisit } from './stored-visit.ts';
import type { EarlyTaps } from './taps.ts';

const LONGEST_WAIT_MS = 50;

/** Runs a task when the page is idle. */
export function whenIdle(task: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(task, { timeout: 1_000 });
  else setTimeout(task);
}

/** Queues tasks until the browser is idle after the next frame. `run` runs all tasks at once. */
function afterPaint() {
  const tasks: (() => void)[] = [];
  const run = (): void => {
    for (let task = tasks.shift(); task; task = tasks.shift()) {
      try {
        task();
      } catch (error) {
        // An error in one task must not stop the other tasks.
        console.error(error);
      }
    }
  };
  const add = (task: () => void): void => {
    if (tasks.push(task) > 1) return;
    requestAnimationFrame(() => whenIdle(run));
    setTimeout(run, LONGEST_WAIT_MS);
  };
  return { add, run };
}

/** The side effects of a runner on the page, and the current time. */
export const browserPage = {
  now: Date.now,
  search: () => location.search,
  userAgent: () => navigator.userAgent,
  open: (href: string): unknown => window.open(href, '_blank', 'noopener'),
  storeSent: storeSentLead,
  reaches: (path: string) =>
    fetch(path, { method: 'HEAD' }).then(
      () => true,
      () => false,
    ),
  leave: (href: string): unknown => location.assign(href),
  reload: () => location.reload(),
  consentElement: () => document.getElementById('tcpa'),
  dispatch: (event: Event): unknown => window.dispatchEvent(event),
  afterPaint: afterPaint(),
};

export type RunnerParts = {
  readonly data: SurveyPageData;
  readonly context: WalkContext;
  readonly state: VisitState;
  readonly visit: Visit;
  readonly queue: BrowserQueue;
  readonly history: StepHistory;
  readonly page: typeof browserPage;
};

/** Handles the steps with a form. Its code is loaded after the first question. */
export type Forms = Pick<ScreenEvents, 'toggle' | 'edit' | 'leave'> & {
  /** Starts the checks of the values on a new screen. */
  shown(): void;
  submit(form: HTMLFormElement): void;
  /** Shows the fields of the step again. Returns false if they are on screen. */
  back(): boolean;
};

/** Runs a survey: passes actions to the pure state machine and performs the side effects. */
export class Runner {
  readonly #parts: RunnerParts;
  readonly #listeners = new Set<() => void>();
  #state: VisitState;
  #shownAt: number;
  #forms: Forms | undefined;
  /** True after a step was shown that needs the ingest account (docs/specification.md#mapping). */
  isMappingDue = false;
  /** Counts how often the visitor has gone back or forward in the browser's history. */
  #arrivals = 0;
  #isStartedOver = false;
  readonly #entries: NewEntry[] = [];
  /** Returns a promise that settles before the lead is posted. Set if scripts collect fields. */
  awaitScripts?: (() => Promise<unknown> | undefined) | undefined;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#state = parts.state;
    this.#shownAt = parts.page.now();
  }

  readonly getState = (): VisitState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tells tag managers, history and progress which step is on screen since `since` (ms). */
  readonly shown = (since?: number): void => {
    const { data, visit, page, history, context } = this.#parts;
    const { at, phase } = this.#state;
    const { lead_id } = visit.session;
    this.#shownAt = since ?? page.now();
    const announce = () =>
      page.dispatch(
        new CustomEvent('survey:step', { detail: { step: at, survey: data.survey.path, lead_id } }),
      );
    // The server has confirmed the lead, so the visit must not be stored again.
    if (phase === 'ended') return void announce();
    const state = this.#state;
    const step = stepOf(data.flow, at);
    if (step.mapsLead) this.isMappingDue = true;
    const arrivals = this.#arrivals;
    page.afterPaint.add(() => {
      if (arrivals === this.#arrivals) history.show(pathTo(data.flow, state, context).length - 1);
    });
    this.record({ kind: 'viewed', step: at, answers: {} });
    page.afterPaint.add(() => {
      this.#forms?.shown();
      announce();
    });
  };

  bring(forms: Forms): void {
    this.#forms = forms;
    forms.shown();
  }

  /** Answers the first screen with the answer that the visitor tapped before the script ran. */
  answerEarly([name, value, at]: NonNullable<EarlyTaps['first']>): void {
    const choice = stepOf(this.#parts.data.flow, this.#state.at).choices?.find(
      (each) => Object.entries(each)[0]?.join() === `${name},${value}`,
    );
    if (choice) this.answer(choice, at);
  }

  /** Sets the visitor's US state, unless the survey would then skip the current step. */
  learnState(state: string | undefined): void {
    const { data, context, visit } = this.#parts;
    const { given, at } = this.#state;
    const { steps } = walk(data.flow, given, { ...context, state }, at);
    if (steps.at(-1) !== at || !state) return;
    visit.state ??= state;
    this.dispatch({ type: 'changed', change: {} });
  }

  arrived(state: unknown): void {
    const index = this.#parts.history.arrived(state);
    if (index === undefined) return;
    // The changed count tells queued tasks not to add a history entry for this move.
    this.#arrivals += 1;
    this.#parts.page.afterPaint.run();
    this.#move(index);
  }

  /** Stores unfinished input and collected fields at once, unless the lead is being posted. */
  readonly storeDrafts = (): Promise<void> | undefined => {
    this.#parts.page.afterPaint.run();
    return this.#state.phase === 'asking' ? this.store() : undefined;
  };

  readonly on: ScreenEvents = {
    choose: (choice: Choice) => this.answer(choice),
    toggle: (field, value) => this.#forms?.toggle(field, value),
    edit: (event) => this.#forms?.edit(event),
    leave: (event) => this.#forms?.leave(event),
    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const { data } = this.#parts;
      // A start step has no questions, so it does not wait for the code of forms.
      if (stepOf(data.flow, this.#state.at).kind === 'start') this.answer({});
      else this.#forms?.submit(event.currentTarget);
    },
    back: () => {
      const { data, history, context, page } = this.#parts;
      if (!mayLeave(data.flow, this.#state) || this.#forms?.back()) return;
      page.afterPaint.run();
      if (!history.back()) this.#move(pathTo(data.flow, this.#state, context).length - 2);
    },
    startOver: () => {
      const { queue, visit, page } = this.#parts;
      this.#isStartedOver = true;
      void queue.outbox.forgetVisits(visit.session.lead_id).then(page.reload);
    },
  };

  /** Applies an action to the state, and returns whether the state changed. */
  dispatch(action: VisitAction): boolean {
    const { data, context } = this.#parts;
    const next = reduce(data.flow, context, this.#state, action);
    if (next === this.#state) return false;
    this.#state = next;
    for (const listener of this.#listeners) listener();
    return true;
  }

  answer(answers: Answers, at?: number): void {
    const left = this.#state;
    const seconds = this.seconds(at);
    if (!this.dispatch({ type: 'answered', screen: left.screen, answers })) return;
    this.left(left.at, seconds);
    this.record({ kind: 'answered', step: left.at, answers, seconds });
  }

  #move(index: number): void {
    const left = this.#state;
    const seconds = this.seconds();
    if (!this.dispatch({ type: 'moved', index })) return;
    this.left(left.at, seconds);
    if (this.#state.direction === 'back') {
      this.record({ kind: 'back', step: left.at, answers: {}, seconds });
    }
  }

  seconds(until: number = this.#parts.page.now()): number {
    return Math.max(0, Math.round((until - this.#shownAt) / 1000));
  }

  left(step: string, seconds: number): void {
    const { visit } = this.#parts;
    visit.timeOnSteps = timeOn(visit, step, seconds);
  }

  record(entry: Omit<NewEntry, 'at'>): void {
    const { page } = this.#parts;
    const at = new Date(page.now()).toISOString();
    if (this.#entries.push({ ...entry, at }) === 1) page.afterPaint.add(() => void this.store());
  }

  /** Stores the visit for the next page load, unless the visitor started over. */
  async store(): Promise<void> {
    const { queue, visit, page } = this.#parts;
    const entries = this.#entries.splice(0);
    if (!this.#isStartedOver) await storeVisit(queue, visit, this.#state, page.now(), entries);
  }
}
