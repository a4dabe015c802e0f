import type { AskedFieldName } from '../../../model/fields/answers.ts';
import { emailError, type FieldError } from '../../../model/fields/field-rules.ts';
import { isPhoneNumber } from '../../../model/fields/phone-format.ts';
import {
  checkEmailPath,
  checkPhonePath,
  checkTextPath,
  type EmailCheckAnswer,
  type PhoneCheckAnswer,
  type TextCheckAnswer,
  type ZipAnswer,
  zipPath,
} from '../../../model/messages/checks.ts';
import { leadIdHeader } from '../../../model/messages/lead.ts';
import { askServer, endAfter, jsonHeaders } from '../queue/requests.ts';
import type { RunnerParts } from './runner.ts';

/** Time after which an unfinished check counts as passed. */
const CHECK_TIMEOUT_MS = 8000;

/** The fields that our server checks. */
export const checkedFields = ['zip_code', 'phone', 'email'] as const;

type CheckedField = (typeof checkedFields)[number];
type Check = { readonly done: Promise<void>; error?: FieldError | undefined; isDone?: boolean };

/** Checks each value once, in the background. A failed request counts as a passed check. */
export class FieldChecks {
  readonly #parts: Pick<RunnerParts, 'data' | 'visit'>;
  readonly #checks = new Map<string, Check>();
  readonly #places = new Map<string, ZipAnswer>();
  /** E-mail addresses about which the form has already warned. */
  readonly #warnedEmails = new Set<string>();
  #text = '';
  textAnswer: Partial<TextCheckAnswer> = {};

  constructor(parts: Pick<RunnerParts, 'data' | 'visit'>) {
    this.#parts = parts;
  }

  /** Starts the check of a normalised value. Returns undefined if the value needs no check. */
  start(field: AskedFieldName, value: string): Promise<void> | undefined {
    if (!this.#isChecked(field, value)) return undefined;
    const key = `${field}:${value}`;
    const present = this.#checks.get(key);
    if (present) return present.done;
    const check: Check = {
      done: this.#ask(field, value).then(
        (error) => void Object.assign(check, { error, isDone: true }),
        () => void this.#checks.delete(key),
      ),
    };
    this.#checks.set(key, check);
    return check.done;
  }

  error(field: AskedFieldName, value: string): FieldError | undefined {
    return this.#checks.get(`${field}:${value}`)?.error;
  }

  /** Returns whether the check of a value has ended. */
  isDone(field: AskedFieldName, value: string): boolean {
    return this.#checks.get(`${field}:${value}`)?.isDone === true;
  }

  /** Records that the form has warned the visitor about a blocked e-mail address. */
  warned(email: string): void {
    this.#warnedEmails.add(email);
  }

  /** Returns whether the form accepts a blocked e-mail (docs/specification.md#e-mail-check). */
  passesAgain(email: string): boolean {
    if (!this.#warnedEmails.has(email)) return false;
    this.#checks.set(`email:${email}`, { done: Promise.resolve(), isDone: true });
    this.#ask('email', email).catch(() => undefined);
    return true;
  }

  place(zip: string): ZipAnswer | undefined {
    return this.#places.get(zip);
  }

  /** Starts the check of the case description. The form does not wait for its answer. */
  startText(text: string): void {
    if (this.#text === text) return;
    this.#text = text;
    this.textAnswer = {};
    this.#post<TextCheckAnswer>(checkTextPath, { text }).then(
      (answer) => {
        if (this.#text === text) this.textAnswer = answer;
      },
      () => undefined,
    );
  }

  #isChecked(field: AskedFieldName, value: string): field is CheckedField {
    if (field === 'email') return !emailError(value);
    if (field === 'zip_code') return /^\d{5}$/.test(value);
    const { submit } = this.#parts.data.flow;
    return field === 'phone' && submit?.phoneCheck !== 'length_only' && isPhoneNumber(value);
  }

  async #ask(field: CheckedField, value: string): Promise<FieldError | undefined> {
    if (field === 'zip_code') return this.#askZip(value);
    if (field === 'email') {
      const { blocked } = await this.#post<EmailCheckAnswer>(checkEmailPath, { email: value });
      return blocked === true ? 'not_reachable' : undefined;
    }
    const body = { phone: value, survey: this.#parts.data.survey.path };
    const { valid, active, forced } = await this.#post<PhoneCheckAnswer>(checkPhonePath, body);
    return valid === false || (active === false && !forced) ? 'not_reachable' : undefined;
  }

  /** Checks a ZIP code. Returns an error only if the server does not know the ZIP code. */
  async #askZip(zip: string): Promise<FieldError | undefined> {
    const { visit } = this.#parts;
    // The lead's id is not in the URL, so that visitors share cached answers.
    const headers = { ...jsonHeaders(visit.secret), [leadIdHeader]: visit.session.lead_id };
    const response = await fetch(zipPath + zip, { headers, signal: endAfter(CHECK_TIMEOUT_MS) });
    if (!response.ok && response.status !== 404) throw new Error('no answer');
    const place = (await response.json()) as ZipAnswer;
    if (!(place.city && place.state && place.state_long && place.county)) return 'unknown_zip';
    this.#places.set(zip, place);
    return undefined;
  }

  /** Posts a value with the lead's id and secret. The server stores the result with the lead. */
  #post<Answer>(path: string, value: object): Promise<Answer> {
    const { session, secret } = this.#parts.visit;
    const body = { ...value, lead_id: session.lead_id };
    return askServer(path, body, { secret, waitMs: CHECK_TIMEOUT_MS });
  }
}
