import type { ChangeEvent, FocusEvent } from 'react';
import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import { normaliseValue } from '../../domain/field-rules.ts';
import { ZIP_DIGITS } from '../../domain/thresholds.ts';
import { inputFields, type Step, stepOf } from '../../flows/engine/flow.ts';
import { walk } from '../../flows/engine/walk.ts';
import {
  buttonFields,
  checkValues,
  normaliseValues,
  sliderFields,
  withDoubts,
  withoutShortText,
} from '../../journey/form-values.ts';
import type { Errors, JourneyState } from '../../journey/state.ts';
import { wait } from '../scripts/wait.ts';
import { Checks } from './checks.ts';
import { digitsInput, maskInput } from './phone-input.ts';
import { readForm } from './read-form.ts';
import type { RunnerCore, RunnerParts } from './runner.ts';
import { sendLead } from './send-lead.ts';

/** The last button waits at most so long for a look-up that is still on its way. */
const CHECK_WAIT_MS = 1500;
/** What is being typed is kept after a pause of this length: a page that is reloaded can finish no write. */
const DRAFT_PAUSE_MS = 100;

/** What our server looks up before a step is left. */
const lookedUpFields = ['zip_code', 'phone', 'email'] as const;

/**
 * What the runner does on steps with a form: takes what is typed, looks it up, and sends the lead from
 * the last one. It comes to the page once the first question stands (later.ts).
 */
export class FormSteps {
  readonly #parts: RunnerParts;
  readonly #core: RunnerCore;
  readonly #checks: Checks;
  #draftTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: RunnerParts, core: RunnerCore) {
    this.#parts = parts;
    this.#core = core;
    const { survey, flow } = parts.data;
    const { session, secret } = parts.visit;
    // A step that was on screen before this code is seen only now.
    if (this.#step.kind === 'contact') {
      parts.visit.consentShownAt = new Date(parts.page.now()).toISOString();
    }
    const checksPhone = flow.submit?.phoneCheck !== 'length_only';
    this.#checks = new Checks(survey.path, session.lead_id, parts.fetch, checksPhone, secret);
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

  /** Looks up what a screen needs before anybody types: the lead's account, and what stands in its fields. */
  lookUpShown(): void {
    if (this.#step.mapsLead) this.#parts.oneToOne?.map();
    for (const field of lookedUpFields) this.#lookUp(field, this.#values[field]);
  }

  toggle(field: AskedFieldName, value: string): void {
    this.#edit(field, { [field]: this.#values[field] === value ? '' : value });
  }

  edit(event: ChangeEvent<HTMLFormElement>): void {
    const input = event.target as unknown as HTMLInputElement;
    const field = input.name as AskedFieldName;
    const rule = this.#parts.data.fields[field];
    const kind = rule?.kind;
    if (!kind) return;
    if (kind === 'phone') maskInput(input, (event.nativeEvent as InputEvent).inputType);
    const isForeign = kind === 'zip' && /\p{L}/u.test(input.value);
    if (kind === 'zip') digitsInput(input, ZIP_DIGITS);
    if (kind === 'number') digitsInput(input, String(rule?.max).length);
    if (field === 'date_of_birth_year') digitsInput(input, 4);
    this.#edit(field, this.#typed(event.currentTarget, field));
    if (kind === 'zip' || kind === 'phone') this.#lookUp(field, input.value);
    // Letters are of another country's code: they do not go without a word.
    const { screen } = this.#state;
    if (isForeign) this.#core.dispatch({ type: 'doubted', screen, errors: { [field]: 'invalid' } });
    if (kind === 'zip') {
      this.#showPlace(input.value);
      if (this.#step.finds) this.#parts.oneToOne?.begin(input.value, this.#earlier);
    }
  }

  leave(event: FocusEvent<HTMLFormElement>): void {
    const input = event.target as unknown as HTMLInputElement;
    // Answers and the question itself are left, too: only what is typed into is looked at.
    if (!this.#parts.data.fields[input.name as AskedFieldName]) return;
    if (this.#state.phase === 'asking') void this.#core.keep();
    if (input.name === 'email') this.#lookUp('email', input.value);
    if (input.name === 'case_description' && input.value) {
      this.#checks.startText(this.#normal('case_description', input.value));
    }
  }

  submit(form: HTMLFormElement): void {
    const { data, context } = this.#parts;
    const { screen, phase, errors: told } = this.#state;
    if (phase !== 'asking') return;
    const step = this.#step;
    const typed = this.#typed(form);
    const values = normaliseValues(data.fields, step, { ...this.#values, ...typed });
    const untouched = sliderFields(data.fields, step).filter((field) => typed[field] === undefined);
    const found = checkValues(
      data.fields,
      step,
      typed,
      {
        today: context.today,
        descriptionLimit: data.settings.descriptionLimit,
        answers: { ...this.#earlier, ...typed },
      },
      untouched,
    );
    const errors = withoutShortText(found, this.#state.shortTexts);
    const [field] = inputFields(step);
    if (field) this.#core.dispatch({ type: 'edited', field, values: typed });
    const wrong = { ...this.#lookedUp(values), ...errors };
    const all = withDoubts(data.fields, step, values, wrong, told);
    if (Object.keys(all).length > 0) {
      this.#refuse(screen, all, values);
    } else {
      if (values.case_description) this.#checks.startText(values.case_description);
      this.#finish(screen, values);
    }
  }

  get #state(): JourneyState {
    return this.#core.getState();
  }

  /** What was answered or typed on the present screen. */
  get #values(): Answers {
    const { given, drafts, at } = this.#state;
    return { ...given[at], ...drafts[at] };
  }

  /** What was answered before the present screen. */
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
    this.#core.dispatch({ type: 'edited', field, values });
    clearTimeout(this.#draftTimer);
    this.#draftTimer = setTimeout(() => {
      // Once the lead is sent nothing is to be kept again.
      if (this.#state.phase === 'asking') void this.#core.keep();
    }, DRAFT_PAUSE_MS);
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

  #refuse(screen: number, errors: Errors, values: Answers): void {
    if (errors.email === 'not_reachable' && values.email) this.#checks.told(values.email);
    this.#core.dispatch({ type: 'refused', screen, errors });
  }

  /** What the look-ups that are done found wrong. A blocked address passes the second time. */
  #lookedUp(values: Answers): Errors {
    const errors: Partial<Record<AskedFieldName, Errors[AskedFieldName]>> = {};
    for (const [name, value] of Object.entries(values)) {
      const field = name as AskedFieldName;
      const error = this.#checks.error(field, value);
      if (error && !(field === 'email' && this.#checks.passesAgain(value))) errors[field] = error;
    }
    return errors;
  }

  /** Looks a field up in the background; says so on the screen if it is still there. */
  #lookUp(field: AskedFieldName, raw: string | undefined): void {
    if (!raw) return;
    const { screen } = this.#state;
    const value = this.#normal(field, raw);
    void this.#checks.start(field, value)?.then(() => {
      if (this.#normal(field, this.#values[field] ?? '') !== value) return;
      const error = this.#checks.error(field, value);
      if (error && this.#core.dispatch({ type: 'doubted', screen, errors: { [field]: error } })) {
        if (field === 'email') this.#checks.told(value);
      }
      if (field === 'zip_code' && this.#state.screen === screen) this.#showPlace(value);
    });
  }

  #showPlace(zip: string): void {
    const place = this.#checks.place(zip);
    this.#core.dispatch({ type: 'placed', place: place ? `${place.city}, ${place.state}` : '' });
  }

  /**
   * The way on of a form. What is still being looked up may take `CHECK_WAIT_MS`; with nothing to wait
   * for it goes on in the click itself, so that the partner's tab may open.
   */
  #finish(screen: number, values: Answers): void {
    const { oneToOne } = this.#parts;
    const checks = this.#checks;
    const { submits } = this.#step;
    const stateOf = (zip: string) => checks.place(zip)?.state;
    // A zip code of an earlier step was looked up by an earlier page where the visit was taken up again.
    const known = submits ? { ...this.#earlier, ...values } : values;
    const goOn = () => {
      if (submits) this.#verify(screen, values, known.phone);
      else if (oneToOne) void oneToOne.leave(this.#parts, this.#core, values, stateOf, walk);
      else this.#core.answer(values);
    };
    const scripts = submits && this.#core.awaitScripts();
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
    this.#core.dispatch({ type: 'checking', screen });
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
    const send = () => void sendLead(this.#parts, this.#core, this.#checks, values);
    if (verifyPhone && phone) {
      this.#refuse(screen, {}, values);
      verifyPhone(phone, data, visit, send);
    } else send();
  }
}
