import type { FormEvent } from 'react';
import type { ProgressEntry } from '../../contract/progress.ts';
import type { Answers } from '../../domain/answers.ts';
import { type Choice, stepOf } from '../../flows/engine/flow.ts';
import { type StepAnswers, type WalkContext, walk } from '../../flows/engine/walk.ts';
import {
  type JourneyAction,
  type JourneyState,
  mayLeave,
  reduce,
  wayTo,
} from '../../journey/state.ts';
import type { Visit } from '../../journey/visit.ts';
import type { BrowserQueue } from '../queue/browser-queue.ts';
import type { SurveyPageData } from '../screens/page-data.ts';
import type { ScreenEvents } from '../screens/screen-props.ts';
import type { AfterPaint } from './after-paint.ts';
import type { FormSteps } from './form-steps.ts';
import { keepVisit } from './kept-visit.ts';
import type { OneToOne } from './one-to-one.ts';
import type { StepHistory } from './step-history.ts';
import type { VerifyPhone } from './verify-phone.ts';

/** What the runner does outside of itself; the page's own in the browser. */
export type RunnerPage = {
  /** ms since 1970 */
  readonly now: () => number;
  /** The page's query string. */
  readonly search: () => string;
  readonly userAgent: string;
  /** Opens the partner's page in a new tab. */
  readonly open: (href: string) => void;
  /** Keeps for the thank-you page that a lead was sent, and the partner's address. */
  readonly keepSent: (leadId: string, partner: string | undefined) => void;
  /** Whether our server is within reach: its answer to a path, whatever it is. */
  readonly reaches: (path: string) => Promise<boolean>;
  /** Leaves for the thank-you page. */
  readonly leave: (href: string) => void;
  /** Loads the page anew. */
  readonly reload: () => void;
  /** The consent text as it stands in the page. */
  readonly consentText: () => string;
  readonly dispatch: (event: Event) => void;
  /** For what follows from a tap and is not seen. */
  readonly afterPaint: Pick<AfterPaint, 'add' | 'run'>;
};

export type RunnerParts = {
  readonly data: SurveyPageData;
  readonly context: WalkContext;
  readonly state: JourneyState;
  readonly visit: Visit;
  readonly queue: BrowserQueue;
  /** What asks our server; by default the browser's own. */
  readonly fetch?: typeof fetch | undefined;
  /** In one-to-one surveys, once the code of the forms is here. */
  oneToOne?: OneToOne | undefined;
  /** In surveys that verify the phone number. */
  readonly verifyPhone?: VerifyPhone | undefined;
  readonly history: StepHistory;
  readonly page: RunnerPage;
};

/** What the runner's form steps need of it. */
export type RunnerCore = {
  getState(): JourneyState;
  /** @returns whether it changed anything */
  dispatch(action: JourneyAction): boolean;
  /** The present step was answered: on to the next. */
  answer(answers: Answers): void;
  /** A step was left after so many seconds. */
  left(step: string, seconds: number): void;
  /** Since the present screen came, in seconds. */
  seconds(): number;
  record(entry: Omit<ProgressEntry, 'seq' | 'at'>): void;
  /** Keeps the visit for the next page load. */
  keep(): Promise<void>;
  /** What the last button waits for; undefined: nothing. */
  awaitScripts(): Promise<unknown> | undefined;
};

/**
 * Runs a survey: takes what the visitor does on the screens, lets the pure state machine decide, and
 * does what follows outside (history, progress, look-ups, the post). Nothing of it makes a tap wait: what
 * is not seen follows once the next question is painted. Steps with a form are `FormSteps`' to run.
 */
export class Runner {
  readonly #parts: RunnerParts;
  readonly #listeners = new Set<() => void>();
  #state: JourneyState;
  #shownAt: number;
  #forms: FormSteps | undefined;
  /** How often the browser has gone to another entry of its history. */
  #arrivals = 0;
  /** The visitor starts over. */
  #isForgotten = false;
  /** Where scripts of third parties bring fields: what the last button waits for, at most so long. */
  awaitScripts?: (() => Promise<unknown> | undefined) | undefined;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#state = parts.state;
    this.#shownAt = parts.page.now();
  }

  readonly getState = (): JourneyState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * The step of the present screen is in the page: tells tag managers, history and progress.
   * Called once a screen.
   *
   * @param since when it came on screen, ms since 1970; without it: now
   */
  readonly shown = (since?: number): void => {
    const { data, visit, page, history, context } = this.#parts;
    const { at, phase } = this.#state;
    const { lead_id } = visit.session;
    this.#shownAt = since ?? page.now();
    const announce = () =>
      page.dispatch(
        new CustomEvent('survey:step', { detail: { step: at, survey: data.survey.path, lead_id } }),
      );
    // The lead is confirmed: nothing of the visit is to be kept again.
    if (phase === 'ended') return void announce();
    const state = this.#state;
    const step = stepOf(data.flow, at);
    if (step.kind === 'contact') {
      visit.consentShownAt = new Date(this.#shownAt).toISOString();
    }
    const arrivals = this.#arrivals;
    page.afterPaint.add(() => {
      if (arrivals === this.#arrivals) history.show(wayTo(data.flow, state, context).length - 1);
    });
    this.#record({ kind: 'viewed', step: at, answers: {} });
    page.afterPaint.add(() => {
      void this.#keep();
      this.#forms?.lookUpShown();
      announce();
    });
  };

  /** The code of the steps with a form is here. */
  bring(Forms: typeof FormSteps): void {
    this.#forms = new Forms(this.#parts, {
      getState: this.getState,
      dispatch: (action) => this.#dispatch(action),
      answer: (answers) => this.#answer(answers),
      left: (step, seconds) => this.#left(step, seconds),
      seconds: () => this.#seconds(),
      record: (entry) => this.#record(entry),
      keep: () => this.#keep(),
      awaitScripts: () => this.awaitScripts?.(),
    });
    this.#forms.lookUpShown();
  }

  /**
   * Takes the answer of the first screen that was tapped before the script was there.
   *
   * @param at when it was tapped, ms since 1970
   */
  answerEarly(name: string, value: string, at?: number): void {
    const choice = stepOf(this.#parts.data.flow, this.#state.at).choices?.find(
      (each) => Object.entries(each)[0]?.join() === `${name},${value}`,
    );
    if (choice) this.#answer(choice, at);
  }

  /** Takes over what was moved in the first screen's form before the script was there. */
  adopt(form: HTMLFormElement): void {
    this.#forms?.adopt(form);
  }

  /** Contact details are known: drafts for the visitor to confirm, where nothing was typed. */
  prefill(drafts: StepAnswers): void {
    this.#dispatch({ type: 'prefilled', drafts });
    void this.#keep();
    this.#forms?.lookUpShown();
  }

  /** The visitor's state was told late: it counts unless another way would lead to the step on screen. */
  learnState(state: string | undefined): void {
    const { data, context, visit } = this.#parts;
    const { given, at } = this.#state;
    const { current } = walk(data.flow, given, { ...context, state }, at);
    if (current === at) visit.state ??= state;
  }

  /** The browser's back or forward was used. */
  arrived(state: unknown): void {
    const index = this.#parts.history.arrived(state);
    if (index === undefined) return;
    // The entry that a tap or an earlier arrival was still to write would be a second one of this step.
    this.#arrivals += 1;
    this.#parts.page.afterPaint.run();
    this.#move(index);
  }

  /**
   * Keeps what was typed or collected a moment ago at once; once the lead is sent nothing is to be kept
   * again.
   */
  readonly keepDrafts = (): Promise<void> | undefined => {
    this.#parts.page.afterPaint.run();
    return this.#state.phase === 'asking' ? this.#keep() : undefined;
  };

  readonly on: ScreenEvents = {
    choose: (choice: Choice) => this.#answer(choice),

    toggle: (field, value) => this.#forms?.toggle(field, value),

    edit: (event) => this.#forms?.edit(event),

    leave: (event) => this.#forms?.leave(event),

    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const { data } = this.#parts;
      // A start asks nothing: it needs no forms, which may not be here yet.
      if (stepOf(data.flow, this.#state.at).kind === 'start') this.#answer({});
      else this.#forms?.submit(event.currentTarget);
    },

    tryNow: () => this.#parts.queue.flush(),

    back: () => {
      const { data, history, context, page } = this.#parts;
      if (!mayLeave(data.flow, this.#state)) return;
      page.afterPaint.run();
      if (!history.back()) this.#move(wayTo(data.flow, this.#state, context).length - 2);
    },

    startOver: () => {
      const { queue, visit, page } = this.#parts;
      this.#isForgotten = true;
      void queue.outbox.forgetVisits(visit.session.lead_id).then(page.reload);
    },
  };

  #dispatch(action: JourneyAction): boolean {
    const { data, context } = this.#parts;
    const next = reduce(data.flow, context, this.#state, action);
    if (next === this.#state) return false;
    this.#state = next;
    for (const listener of this.#listeners) listener();
    return true;
  }

  #answer(answers: Answers, at?: number): void {
    const left = this.#state;
    const seconds = this.#seconds(at);
    if (!this.#dispatch({ type: 'answered', screen: left.screen, answers })) return;
    this.#left(left.at, seconds);
    this.#record({ kind: 'answered', step: left.at, answers, seconds });
  }

  #move(index: number): void {
    const left = this.#state;
    const seconds = this.#seconds();
    if (!this.#dispatch({ type: 'moved', index })) return;
    this.#left(left.at, seconds);
    if (this.#state.direction === 'back') {
      this.#record({ kind: 'back', step: left.at, answers: {}, seconds });
    }
  }

  #seconds(until: number = this.#parts.page.now()): number {
    return Math.max(0, Math.round((until - this.#shownAt) / 1000));
  }

  #left(step: string, seconds: number): void {
    const { visit } = this.#parts;
    visit.timeOnSteps += `${visit.timeOnSteps && '|'}${step}:${seconds}`;
  }

  #record(entry: Omit<ProgressEntry, 'seq' | 'at'>): void {
    const { queue, visit, page } = this.#parts;
    const at = new Date(page.now()).toISOString();
    page.afterPaint.add(() => void queue.save(visit.session, { ...entry, at }, visit.secret));
  }

  async #keep(): Promise<void> {
    const { queue, visit, page } = this.#parts;
    // Scripts, and the page that is left, would bring back what was forgotten.
    if (!this.#isForgotten) await keepVisit(queue, visit, this.#state, page.now());
  }
}
