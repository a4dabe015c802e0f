import type { ChangeEvent, FocusEvent } from 'react';
import type { Answers, AskedFieldName } from '../../../model/fields/answers.ts';
import { normaliseValue } from '../../../model/fields/field-rules.ts';
import { formatPhoneMask } from '../../../model/fields/phone-format.ts';
import { ZIP_DIGITS } from '../../../model/fields/thresholds.ts';
import { inputFields, type Step, stepOf } from '../../../model/flows/engine/flow.ts';
import { walk } from '../../../model/flows/engine/walk.ts';
import { HEALTH_AUTHORIZATION, isInWashington } from '../../../model/rules/health-authorization.ts';
import {
  buttonFields,
  checkForm,
  inputValue,
  STILL_SEND,
  withDoubts,
} from '../../../model/visit/form-values.ts';
import type { Errors, VisitState } from '../../../model/visit/state.ts';
import { wait } from '../queue/requests.ts';
import type { rare } from '../screens/later-screens.tsx';
import type { showCodeDialog } from './code-dialog.tsx';
import type { watchConsent } from './consent-facts.ts';
import { checkedFields, FieldChecks } from './field-checks.ts';
import type { OneToOne } from './one-to-one.tsx';
import type { Forms, Runner, RunnerParts } from './runner.ts';
import { type GivenConsent, sendLead } from './send-lead.ts';

/** Longest time that a submitted form waits for its checks. */
const CHECK_WAIT_MS = 1500;
/** Pause between typing and storing the input. */
const DRAFT_PAUSE_MS = 100;

function maskPhone(input: HTMLInputElement): void {
  input.value = formatPhoneMask(input.value);
}

/** Limits an input to `most` digits (docs/specification.md#field-checks). */
function digitsInput(input: HTMLInputElement, most: number): void {
  const digits = input.value
    .replace(/\.\d*$/, '')
    .replace(/\D/g, '')
    .slice(0, most);
  if (digits !== input.value) input.value = digits;
}

type FormExtras = {
  readonly oneToOne?: OneToOne | undefined;
  readonly verifyPhone?: typeof showCodeDialog | undefined;
  /** Loads the code of the authorization. Resolves to undefined if that fails. */
  readonly loadRare?: () => Promise<Awaited<ReturnType<typeof rare>> | undefined>;
};

/** Handles the steps with a form: reads and checks input, and sends the lead. */
export class FormSteps implements Forms {
  readonly #parts: RunnerParts;
  readonly #runner: Runner;
  readonly #extras: FormExtras;
  readonly #checks: FieldChecks;
  /** Measures how much of the consent text is visible. Undefined until the code is loaded. */
  #watchConsent: typeof watchConsent | undefined;
  #consent: GivenConsent = { text: '', seen: undefined };
  /** The form that the visitor submitted last. */
  #form: HTMLFormElement | undefined;
  #rare: Awaited<ReturnType<typeof rare>> | undefined;
  #draftTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: RunnerParts, runner: Runner, extras: FormExtras = {}) {
    this.#parts = parts;
    this.#runner = runner;
    this.#extras = extras;
    this.#checks = new FieldChecks(parts);
  }

  shown(): void {
    if (this.#runner.isMappingDue) this.#extras.oneToOne?.map();
    clearTimeout(this.#draftTimer);
    for (const field of checkedFields) this.#check(field, this.#values[field]);
    if (this.#step.kind !== 'contact') return;
    const { page, visit } = this.#parts;
    visit.consentShownAt = new Date(page.now()).toISOString();
    // The measurement is optional evidence, so errors are ignored.
    import('./consent-facts.ts')
      .then((facts) => {
        this.#watchConsent = facts.watchConsent;
        facts.watchConsent(page.consentElement());
      })
      .catch(() => undefined);
  }

  toggle(field: AskedFieldName, value: string): void {
    if (field === HEALTH_AUTHORIZATION) {
      if (this.#form) this.submit(this.#form, value);
      return;
    }
    this.#edit(field, { [field]: this.#values[field] === value ? '' : value });
    // This toggle replaces the early-end screen by the contact form.
    if (field === STILL_SEND) this.shown();
  }

  back(): boolean {
    if (!(HEALTH_AUTHORIZATION in this.#state.errors)) return false;
    this.#edit(HEALTH_AUTHORIZATION, {});
    this.shown();
    return true;
  }

  edit(event: ChangeEvent<HTMLFormElement>): void {
    const input = event.target as unknown as HTMLInputElement;
    const field = input.name as AskedFieldName;
    const rule = this.#parts.data.fields[field];
    const kind = rule?.kind;
    if (!kind) return;
    // Formatting would move the cursor from the middle of the number to its end.
    if (kind === 'phone' && input.selectionStart === input.value.length) maskPhone(input);
    if (kind === 'zip') digitsInput(input, ZIP_DIGITS);
    if (kind === 'number') digitsInput(input, String(rule?.max).length);
    if (field === 'date_of_birth_year') digitsInput(input, 4);
    this.#edit(field, this.#typed(event.currentTarget));
    // An e-mail address is checked when the visitor leaves the input (`leave`).
    if (kind !== 'email') this.#check(field, input.value);
    if (kind === 'zip' && this.#step.finds) {
      this.#extras.oneToOne?.begin(input.value, this.#earlier);
    }
  }

  leave(event: FocusEvent<HTMLFormElement>): void {
    const input = event.target as unknown as HTMLInputElement;
    // Buttons and the heading fire this event too, but have no rule.
    const rule = this.#parts.data.fields[input.name as AskedFieldName];
    if (!rule) return;
    if (rule.kind === 'phone') maskPhone(input);
    if (this.#state.phase === 'asking') void this.#runner.store();
    if (input.name === 'email') this.#check('email', input.value);
    if (input.name === 'case_description' && input.value) {
      this.#checks.startText(this.#normal('case_description', input.value));
    }
  }

  /** Submits the form. `pressed` is the button of the authorization that the visitor pressed. */
  submit(form: HTMLFormElement, pressed?: string): void {
    const { data, context, page } = this.#parts;
    const { screen, phase, errors: shownErrors } = this.#state;
    if (phase !== 'asking') return;
    const step = this.#step;
    const consent = page.consentElement();
    // The screen of the authorization shows no consent text.
    if (step.kind === 'contact' && consent) {
      this.#consent = { text: consent.textContent, seen: this.#watchConsent?.(consent)() };
    }
    const typed = this.#typed(form);
    const authorization = pressed
      ? this.#rare?.readAuthorization([...new FormData(form), [HEALTH_AUTHORIZATION, pressed]])
      : undefined;
    this.#consent = { ...this.#consent, authorization };
    this.#form = form;
    const submitted = { data, context, state: this.#state };
    const { values, errors } = checkForm(submitted, step, typed, this.#values, this.#earlier);
    const [field] = inputFields(step);
    if (field) this.#runner.dispatch({ type: 'edited', field, values: typed });
    const wrong = { ...this.#checkErrors(values), ...errors };
    const all = withDoubts(data.fields, step, values, wrong, shownErrors);
    if (Object.keys(all).length > 0) {
      this.#refuse(screen, all, values);
      if (authorization) this.shown();
    } else {
      if (values.case_description) this.#checks.startText(values.case_description);
      this.#finish(screen, values);
    }
  }

  get #state(): VisitState {
    return this.#runner.getState();
  }

  get #values(): Answers {
    const { given, drafts, at } = this.#state;
    return { ...given[at], ...drafts[at] };
  }

  get #earlier(): Answers {
    const { data, context } = this.#parts;
    const { given, at } = this.#state;
    return walk(data.flow, given, context, at).answers;
  }

  get #step(): Step {
    return stepOf(this.#parts.data.flow, this.#state.at);
  }

  #normal(field: AskedFieldName, raw: string): string {
    const rule = this.#parts.data.fields[field];
    return rule ? normaliseValue(rule, raw) : raw;
  }

  #edit(field: AskedFieldName, values: Answers): void {
    this.#runner.dispatch({ type: 'edited', field, values });
    clearTimeout(this.#draftTimer);
    this.#draftTimer = setTimeout(() => {
      // Nothing may store the visit after the post of the lead has begun.
      if (this.#state.phase === 'asking') void this.#runner.store();
    }, DRAFT_PAUSE_MS);
  }

  #typed(form: HTMLFormElement): Answers {
    const { fields } = this.#parts.data;
    const step = this.#step;
    const known = this.#values;
    const data = new FormData(form);
    const typed: Partial<Record<AskedFieldName, string>> = {};
    for (const field of buttonFields(fields, step)) typed[field] = known[field] ?? '';
    for (const field of inputFields(step)) {
      const value = inputValue(field, data.getAll(field) as string[]);
      if (value !== undefined) typed[field] = value;
    }
    return typed;
  }

  #refuse(screen: number, errors: Errors, values: Answers): void {
    if (errors.email === 'not_reachable' && values.email) this.#checks.warned(values.email);
    this.#runner.dispatch({ type: 'refused', screen, errors });
    const refused = Object.keys(errors) as AskedFieldName[];
    this.#runner.record({ kind: 'refused', step: this.#state.at, answers: {}, refused });
  }

  /** Returns the errors that finished checks have found. */
  #checkErrors(values: Answers): Errors {
    const errors: Partial<Record<AskedFieldName, Errors[AskedFieldName]>> = {};
    for (const [name, value] of Object.entries(values)) {
      const field = name as AskedFieldName;
      const error = this.#checks.error(field, value);
      if (error === 'unknown_zip' && values.state_choice) continue;
      if (error && !(field === 'email' && this.#checks.passesAgain(value))) errors[field] = error;
    }
    return errors;
  }

  /** Checks a field in the background, and shows an error if the input still has the value. */
  #check(field: AskedFieldName, raw: string | undefined): void {
    if (!raw) return;
    const { screen } = this.#state;
    const value = this.#normal(field, raw);
    void this.#checks.start(field, value)?.then(() => {
      if (this.#normal(field, this.#values[field] ?? '') !== value) return;
      const error = this.#checks.error(field, value);
      if (error && this.#runner.dispatch({ type: 'doubted', screen, errors: { [field]: error } })) {
        if (field === 'email') this.#checks.warned(value);
      }
    });
  }

  #finish(screen: number, values: Answers): void {
    const { data } = this.#parts;
    const { oneToOne } = this.#extras;
    const checks = this.#checks;
    const { submits, finds } = this.#step;
    // After a reload, the values of earlier steps are unchecked, so the last form checks them.
    const known = submits ? { ...this.#earlier, ...values } : values;
    const goOn = () => {
      const mustAsk = submits && !this.#consent.authorization && data.settings.authorizedFirms;
      if (mustAsk && isInWashington(known)) void this.#authorize(screen, values, known);
      else if (submits) this.#verify(screen, values, known.phone);
      else {
        const state = finds && checks.place(values.zip_code ?? '')?.state;
        const own = { ...values, ...(state && { state }) };
        if (oneToOne) void oneToOne.leave(this.#parts, this.#runner, own);
        else this.#runner.answer(own);
      }
    };
    const scripts = submits && this.#runner.awaitScripts?.();
    const pending = checkedFields.flatMap((field) => {
      const value = (field === 'email' ? values : known)[field] ?? '';
      const done = checks.start(field, value);
      return done && !checks.isDone(field, value) ? [done] : [];
    });
    if (pending.length === 0 && !scripts) {
      goOn();
      return;
    }
    this.#runner.dispatch({ type: 'checking', screen });
    void Promise.race([Promise.all([...pending, scripts]), wait(CHECK_WAIT_MS)]).then(() => {
      if (this.#state.screen !== screen) return;
      const errors = this.#checkErrors(values);
      if (Object.keys(errors).length === 0) goOn();
      else this.#refuse(screen, withDoubts(data.fields, this.#step, values, errors, {}), values);
    });
  }

  /** Asks for the authorization if one is needed, otherwise goes on. */
  async #authorize(screen: number, values: Answers, known: Answers): Promise<void> {
    this.#runner.dispatch({ type: 'checking', screen });
    this.#rare = await this.#extras.loadRare?.();
    // If the code cannot be loaded, the lead is sent without an answer, and the server holds it.
    if (!this.#rare) this.#consent = { ...this.#consent, authorization: {} };
    const firms = this.#rare?.firmsToAuthorize(known, this.#parts.data.settings.authorizedFirms);
    if (!firms?.length) return this.#verify(screen, values, known.phone);
    const errors = { [HEALTH_AUTHORIZATION]: 'required' } as const;
    this.#runner.dispatch({ type: 'refused', screen, errors });
  }

  #verify(screen: number, values: Answers, phone?: string): void {
    const { data, visit } = this.#parts;
    const { verifyPhone, oneToOne } = this.#extras;
    const send = () =>
      void sendLead(this.#parts, this.#runner, this.#checks, oneToOne, values, this.#consent);
    if (verifyPhone && phone) {
      this.#runner.dispatch({ type: 'refused', screen, errors: {} });
      verifyPhone(phone, data, visit, send);
    } else send();
  }
}
