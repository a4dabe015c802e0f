import type { ChangeEvent, FocusEvent, FormEvent } from 'react';
import type { ProgressEntry } from '../../contract/progress.ts';
import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import { deriveFields } from '../../domain/lead/derive-fields.ts';
import { normaliseValue } from '../../domain/lead/field-rules.ts';
import { thankYouQuery } from '../../domain/thank-you.ts';
import { ZIP_DIGITS } from '../../domain/thresholds.ts';
import { type Choice, type Step, stepOf } from '../../flows/engine/flow.ts';
import { type StepAnswers, type WalkContext, walk } from '../../flows/engine/walk.ts';
import type { SurveyPageData } from '../page/page-data.ts';
import type { BrowserQueue } from '../queue/browser-queue.ts';
import type { ScreenEvents } from '../screens/screen-props.ts';
import { opensPartnerTab, type SentLead, thankYouOptions } from './after-submit.ts';
import type { Checks } from './checks.ts';
import { consentAt } from './consent-at.ts';
import {
  buttonFields,
  checkValues,
  chosen,
  inputFields,
  normaliseValues,
  readForm,
  sliderFields,
  withoutShortText,
} from './form-values.ts';
import { affiliateOf, leadBody } from './lead-body.ts';
import type { OneToOne } from './one-to-one.ts';
import { partnerHref } from './partner.ts';
import { digitsInput, maskInput } from './phone-input.ts';
import {
  type Errors,
  mayLeave,
  type RunnerAction,
  type RunnerState,
  reduce,
  wayTo,
} from './runner-state.ts';
import type { StepHistory } from './step-history.ts';
import type { VerifyPhone } from './verify-phone.ts';
import { forgetVisit, keepVisit, type Visit } from './visit.ts';

/** The last button waits at most so long for a look-up that is still on its way. */
const CHECK_WAIT_MS = 1500;
/** After the last button the visitor goes on after so long at most, whether the post is through or not. */
const SEND_WAIT_MS = 2500;
/** The same where the browser cannot keep the lead, and leaving the page could lose it. */
const UNSAVED_SEND_WAIT_MS = 15_000;
/** How often a page that is away from the network looks whether it is back. */
const AWAY_PAUSE_MS = 2000;
/** What is being typed is kept after a pause of this length. */
const DRAFT_PAUSE_MS = 400;

/** What our server looks up before a step is left. */
const lookedUpFields = ['zip_code', 'phone', 'email'] as const;

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
  /** The address with the domain that was probably meant. */
  readonly suggestEmail: (email: string) => Promise<string | undefined>;
  /** Leaves for the thank-you page. */
  readonly leave: (href: string) => void;
  /** Loads the page anew. */
  readonly reload: () => void;
  /** The consent text as it stands in the page. */
  readonly consentText: () => string;
  readonly dispatch: (event: Event) => void;
};

export type RunnerParts = {
  readonly data: SurveyPageData;
  readonly context: WalkContext;
  readonly state: RunnerState;
  readonly visit: Visit;
  readonly queue: BrowserQueue;
  readonly checks: Checks;
  /** In one-to-one surveys. */
  readonly oneToOne?: OneToOne | undefined;
  /** In surveys that verify the phone number. */
  readonly verifyPhone?: VerifyPhone | undefined;
  readonly history: StepHistory;
  readonly page: RunnerPage;
};

function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}

/**
 * Runs a survey: takes what the visitor does on the screens, lets the pure state machine decide, and
 * does what follows outside (history, progress, look-ups, the post). Nothing of it makes a tap wait.
 */
export class Runner {
  readonly #parts: RunnerParts;
  readonly #listeners = new Set<() => void>();
  #state: RunnerState;
  #shownAt: number;
  #draftTimer: ReturnType<typeof setTimeout> | undefined;
  /** The visitor starts over. */
  #isForgotten = false;
  /** Where scripts of third parties bring fields: what the last button waits for, at most so long. */
  awaitScripts?: (() => Promise<unknown> | undefined) | undefined;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#state = parts.state;
    this.#shownAt = parts.page.now();
  }

  readonly getState = (): RunnerState => this.#state;

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
    history.show(wayTo(data.flow, this.#state, context).length - 1);
    const step = stepOf(data.flow, at);
    if (step.kind === 'contact') {
      visit.consentShownAt = new Date(this.#shownAt).toISOString();
    }
    this.#record({ kind: 'viewed', step: at, answers: {} });
    this.#keep();
    this.#lookUpShown();
    if (step.mapsLead) this.#parts.oneToOne?.map();
    announce();
  };

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

  /**
   * Takes over a slider that was moved before the script was there. (What stands in other inputs is
   * read when the form is sent.)
   */
  adopt(form: HTMLFormElement): void {
    for (const field of sliderFields(this.#parts.data.fields, this.#step)) {
      const slider = form.elements.namedItem(field) as HTMLInputElement;
      if (slider.value !== slider.defaultValue) this.#edit(field, this.#typed(form, field));
    }
  }

  /** Contact details are known: drafts for the visitor to confirm, where nothing was typed. */
  prefill(drafts: StepAnswers): void {
    this.#dispatch({ type: 'prefilled', drafts });
    this.#keep();
    this.#lookUpShown();
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
    if (index !== undefined) this.#move(index);
  }

  /**
   * Keeps what was typed or collected a moment ago at once; once the lead is sent nothing is to be kept
   * again.
   */
  readonly keepDrafts = (): Promise<void> | undefined =>
    this.#state.phase === 'asking' ? this.#keep() : undefined;

  readonly on: ScreenEvents = {
    choose: (choice: Choice) => this.#answer(choice),

    toggle: (field, value) => {
      this.#edit(field, { [field]: this.#values[field] === value ? '' : value });
    },

    edit: (event: ChangeEvent<HTMLFormElement>) => {
      const input = event.target as unknown as HTMLInputElement;
      const field = input.name as AskedFieldName;
      const kind = this.#parts.data.fields[field]?.kind;
      if (!kind) return;
      if (kind === 'phone') maskInput(input, (event.nativeEvent as InputEvent).inputType);
      if (kind === 'zip') digitsInput(input, ZIP_DIGITS);
      if (field === 'date_of_birth_year') digitsInput(input, 4);
      this.#edit(field, this.#typed(event.currentTarget, field));
      if (kind === 'zip' || kind === 'phone') this.#lookUp(field, input.value);
      if (kind === 'zip') this.#showPlace(input.value);
    },

    leave: (event: FocusEvent<HTMLFormElement>) => {
      const input = event.target as unknown as HTMLInputElement;
      // Answers and the question itself are left, too: only what is typed into is looked at.
      if (!this.#parts.data.fields[input.name as AskedFieldName]) return;
      void this.keepDrafts();
      if (input.name === 'email') {
        this.#lookUp('email', input.value);
        this.#suggest(input);
      }
      if (input.name === 'case_description' && input.value) {
        this.#parts.checks.startText(this.#normal('case_description', input.value));
      }
    },

    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      this.#submit(event.currentTarget);
    },

    takeSuggestion: (event) => {
      const { suggestion } = this.#state;
      const input = event.currentTarget.form?.elements.namedItem('email') as HTMLInputElement;
      input.value = suggestion;
      input.focus();
      this.#edit('email', { email: suggestion });
      this.#lookUp('email', suggestion);
    },

    tryNow: () => this.#parts.queue.flush(),

    back: () => {
      const { data, history, context } = this.#parts;
      if (!mayLeave(data.flow, this.#state)) return;
      if (!history.back()) this.#move(wayTo(data.flow, this.#state, context).length - 2);
    },

    startOver: () => {
      const { queue, data, page } = this.#parts;
      this.#isForgotten = true;
      void forgetVisit(queue, data.survey.path).then(page.reload);
    },
  };

  /** What was answered or typed on the present screen. */
  get #values(): Answers {
    const { given, drafts, at } = this.#state;
    return { ...given[at], ...drafts[at] };
  }

  get #step(): Step {
    return stepOf(this.#parts.data.flow, this.#state.at);
  }

  #normal(field: AskedFieldName, raw: string): string {
    const rule = this.#parts.data.fields[field];
    return rule ? normaliseValue(rule, raw) : raw;
  }

  #dispatch(action: RunnerAction): boolean {
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

  #edit(field: AskedFieldName, values: Answers): void {
    this.#dispatch({ type: 'edited', field, values });
    clearTimeout(this.#draftTimer);
    this.#draftTimer = setTimeout(() => this.#keep(), DRAFT_PAUSE_MS);
  }

  /** What stands in the form and is pressed there; a slider counts only once it was moved. */
  #typed(form: HTMLFormElement, edited?: AskedFieldName): Answers {
    const pressed = buttonFields(this.#parts.data.fields, this.#step).map((field) => [
      field,
      this.#values[field] ?? '',
    ]);
    const values = { ...Object.fromEntries(pressed), ...readForm(form, this.#step) };
    const sliders = sliderFields(this.#parts.data.fields, this.#step);
    const kept = Object.entries(values).filter(
      ([name]) =>
        !sliders.includes(name as AskedFieldName) ||
        name === edited ||
        this.#values[name as AskedFieldName] !== undefined,
    );
    return Object.fromEntries(kept);
  }

  #submit(form: HTMLFormElement): void {
    const { data, context } = this.#parts;
    const { screen, given, at, phase } = this.#state;
    if (phase !== 'asking') return;
    const step = this.#step;
    const typed = this.#typed(form);
    const values = normaliseValues(data.fields, step, { ...this.#values, ...typed });
    const untouched = sliderFields(data.fields, step).filter((field) => typed[field] === undefined);
    const earlier = walk(data.flow, given, context, at).answers;
    const found = checkValues(
      data.fields,
      step,
      typed,
      {
        today: context.today,
        descriptionLimit: data.settings.descriptionLimit,
        answers: { ...earlier, ...typed },
      },
      untouched,
    );
    const errors = withoutShortText(found, this.#state.shortTexts);
    const [field] = inputFields(step);
    if (field) this.#dispatch({ type: 'edited', field, values: typed });
    const all = { ...this.#lookedUp(values), ...errors };
    if (Object.keys(all).length > 0) {
      this.#refuse(screen, all, values);
    } else {
      if (values.case_description) this.#parts.checks.startText(values.case_description);
      this.#finish(screen, values);
    }
  }

  #refuse(screen: number, errors: Errors, values: Answers): void {
    if (errors.email === 'not_reachable' && values.email) this.#parts.checks.told(values.email);
    this.#dispatch({ type: 'refused', screen, errors });
  }

  /** What the look-ups that are done found wrong. A blocked address passes the second time. */
  #lookedUp(values: Answers): Errors {
    const { checks } = this.#parts;
    const errors: Partial<Record<AskedFieldName, Errors[AskedFieldName]>> = {};
    for (const [name, value] of Object.entries(values)) {
      const field = name as AskedFieldName;
      const error = checks.error(field, value);
      if (error && !(field === 'email' && checks.passesAgain(value))) errors[field] = error;
    }
    return errors;
  }

  /** Looks up what stands in the fields of a screen before anybody types. */
  #lookUpShown(): void {
    for (const field of lookedUpFields) this.#lookUp(field, this.#values[field]);
  }

  /** Looks a field up in the background; says so on the screen if it is still there. */
  #lookUp(field: AskedFieldName, raw: string | undefined): void {
    if (!raw) return;
    const { checks } = this.#parts;
    const { screen } = this.#state;
    const value = this.#normal(field, raw);
    void checks.start(field, value)?.then(() => {
      if (this.#normal(field, this.#values[field] ?? '') !== value) return;
      const error = checks.error(field, value);
      if (error && this.#dispatch({ type: 'doubted', screen, errors: { [field]: error } })) {
        if (field === 'email') checks.told(value);
      }
      if (field === 'zip_code' && this.#state.screen === screen) this.#showPlace(value);
    });
  }

  /** Offers an address whose domain looks mistyped as it was probably meant. */
  #suggest({ value }: HTMLInputElement): void {
    const { screen } = this.#state;
    void this.#parts.page.suggestEmail(value).then((suggestion) => {
      if (suggestion && this.#values.email === value) {
        this.#dispatch({ type: 'suggested', screen, suggestion });
      }
    });
  }

  #showPlace(zip: string): void {
    const place = this.#parts.checks.place(zip);
    this.#dispatch({ type: 'placed', place: place ? `${place.city}, ${place.state}` : '' });
  }

  /**
   * The way on of a form. What is still being looked up may take `CHECK_WAIT_MS`; with nothing to wait
   * for it goes on in the click itself, so that the partner's tab may open.
   */
  #finish(screen: number, values: Answers): void {
    const { data, context, checks } = this.#parts;
    const { given, at } = this.#state;
    const { submits, finds } = this.#step;
    // A zip code of an earlier step was looked up by an earlier page where the visit was taken up again.
    const known = submits ? { ...walk(data.flow, given, context, at).answers, ...values } : values;
    const goOn = () => {
      if (submits) this.#verify(screen, values, known.phone);
      else if (finds) void this.#find(screen, values);
      else this.#answer(values);
    };
    const scripts = submits && this.awaitScripts?.();
    let isPending = !!scripts;
    const pending = lookedUpFields.map((field) => {
      const value = (field === 'email' ? values : known)[field];
      const done = value === undefined ? undefined : checks.start(field, value);
      isPending ||= done !== undefined && !checks.isDone(field, value ?? '');
      return done;
    });
    if (!isPending) {
      goOn();
      return;
    }
    this.#dispatch({ type: 'checking', screen });
    void Promise.race([Promise.all([...pending, scripts]), wait(CHECK_WAIT_MS)]).then(() => {
      // The visitor may have gone back meanwhile.
      if (this.#state.screen !== screen) return;
      const errors = this.#lookedUp(values);
      if (Object.keys(errors).length > 0) this.#refuse(screen, errors, values);
      else goOn();
    });
  }

  /**
   * Sends the lead, in surveys with a code by SMS once the visitor is done with it. Meanwhile the form is
   * as it was, under the modal: they may come back to it.
   */
  #verify(screen: number, values: Answers, phone: string | undefined): void {
    const { verifyPhone, data, visit } = this.#parts;
    const send = () => void this.#send(values);
    if (verifyPhone && phone) {
      this.#refuse(screen, {}, values);
      verifyPhone(phone, data, visit, send);
    } else send();
  }

  /** Leaves a step with what its zip code leads to: the state, and the buyers. */
  async #find(screen: number, { zip_code = '' }: Answers): Promise<void> {
    const { data, context, checks, oneToOne } = this.#parts;
    const { given, at } = this.#state;
    this.#dispatch({ type: 'checking', screen });
    const earlier = walk(data.flow, given, context, at).answers;
    const found = await oneToOne?.find(zip_code, earlier);
    if (this.#state.screen !== screen) return;
    const state = checks.place(zip_code)?.state;
    this.#answer({ zip_code, ...(state && { state }), ...found });
  }

  async #send(values: Answers): Promise<void> {
    const { data, context, visit, queue, checks, page } = this.#parts;
    const { survey, settings, flow } = data;
    const { submit } = flow;
    const { at } = this.#state;
    const seconds = this.#seconds();
    const consentText = page.consentText();
    if (!this.#dispatch({ type: 'sending', answers: values })) return;
    this.#left(at, seconds);
    const { answers } = walk(data.flow, this.#state.given, context);
    const place = answers.zip_code === undefined ? undefined : checks.place(answers.zip_code);
    const { derived, decision, ...ruled } = deriveFields({
      answers: place ? { ...answers, state: place.state } : answers,
      today: context.today,
      rules: data.flow.rules,
      settings,
      checks: checks.textAnswer(),
    });
    const { qualified } = decision;
    const { tracking } = visit;
    const affid = affiliateOf(survey, visit);
    const lead: SentLead = { qualified, answers: ruled.answers, affid };
    const partner = opensPartnerTab(survey, submit?.partnerTab, lead)
      ? partnerHref({
          partnerUrl: settings.partnerUrl,
          closedStates: settings.partnerClosedStates ?? [],
          state: ruled.answers.state,
          transactionId: tracking.ef_transaction_id,
          affid,
          sub_id: tracking.sub_id,
        })
      : undefined;
    page.keepSent(visit.session.lead_id, partner);
    const body = leadBody({
      survey,
      visit,
      answers,
      earlier: Object.fromEntries(
        Object.entries(this.#state.given).filter(([step]) => !(step in flow.steps)),
      ),
      derived,
      place,
      consent: { text: consentText, version: consentAt(data, at).version },
      userAgent: page.userAgent,
      submittedAt: new Date(page.now()).toISOString(),
    });
    const search = page.search();
    const level =
      new URLSearchParams(search).get('show-meter') === 'yes'
        ? Promise.race([checks.level(chosen(data.fields, answers)), wait(SEND_WAIT_MS)])
        : undefined;
    // In this order, and before any answer can come: what is confirmed is deleted, and stays so.
    const posting = queue.post(body, visit.secret);
    this.#record({ kind: 'submitted', step: at, answers: values, seconds });
    this.#keep();
    const { stored, settled } = await posting;
    // The lead is in the outbox: a new tab may put this page to sleep, or end it. Writing it takes some
    // milliseconds, and browsers let a click open a tab for a second at least, also over promises
    // (transient user activation); so nothing else is awaited before. Where a slow disk makes it later
    // and the browser blocks the tab, the thank-you page links to it again.
    if (partner) page.open(partner);
    this.#dispatch({ type: 'notice', sending: stored ? 'saved' : 'unsaved' });
    const limitMs = stored ? SEND_WAIT_MS : UNSAVED_SEND_WAIT_MS;
    const isConfirmed = await Promise.race([settled, wait(limitMs)]);
    if (survey.redirectsOnSuccess && !(await this.#succeeds(settled, isConfirmed))) return;
    if (!qualified && submit?.disqualifiedStep) {
      this.#dispatch({ type: 'ended', at: submit.disqualifiedStep });
      return;
    }
    if (isConfirmed === undefined) await this.#back(settled);
    const query = thankYouQuery(
      { ...body, affid },
      thankYouOptions(survey, submit?.thankYou, lead, {
        referer: visit.session.referer,
        compensationLevel: await level,
      }),
      search,
    );
    page.leave(`${survey.thankYouPath}?${query}`);
  }

  /**
   * Away from the network the next page would be the browser's own error: stays here until it is back,
   * and then until the lead is through or nobody is kept waiting any longer.
   */
  async #back(settled: Promise<boolean>): Promise<void> {
    const { page, queue, data } = this.#parts;
    const isAway = async () =>
      (await Promise.race([page.reaches(data.survey.thankYouPath), wait(CHECK_WAIT_MS)])) === false;
    if (!(await isAway())) return;
    this.#dispatch({ type: 'notice', sending: 'offline' });
    do await wait(AWAY_PAUSE_MS);
    while (await isAway());
    queue.flush();
    await Promise.race([settled, wait(SEND_WAIT_MS)]);
  }

  /** Waits for the post where the survey goes on only after it, and says so meanwhile. */
  async #succeeds(settled: Promise<boolean>, isConfirmed: boolean | undefined): Promise<boolean> {
    if (isConfirmed === undefined) this.#dispatch({ type: 'notice', sending: 'trying' });
    const succeeded = isConfirmed ?? (await settled);
    if (!succeeded) this.#dispatch({ type: 'notice', sending: 'refused' });
    return succeeded;
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
    void queue.save(visit.session, { ...entry, at }, visit.secret);
  }

  async #keep(): Promise<void> {
    clearTimeout(this.#draftTimer);
    const { queue, visit, page } = this.#parts;
    // Scripts, and the page that is left, would bring back what was forgotten.
    if (!this.#isForgotten) await keepVisit(queue, visit, this.#state, page.now());
  }
}
