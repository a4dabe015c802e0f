import {
  checkEmailPath,
  checkPhonePath,
  checkTextPath,
  type EmailCheckAnswer,
  type PhoneCheckAnswer,
  type TextCheckAnswer,
  type ZipAnswer,
  zipPath,
} from '../../contract/checks.ts';
import { leadIdHeader } from '../../contract/lead.ts';
import type { AskedFieldName } from '../../domain/answers.ts';
import { emailError, type FieldError } from '../../domain/field-rules.ts';
import { isPhoneNumber } from '../../domain/phone-format.ts';
import { endAfter, jsonHeaders } from '../queue/request-headers.ts';

/** A look-up without an answer in this time passes. */
const CHECK_TIMEOUT_MS = 8000;

type Check = { readonly done: Promise<void>; error?: FieldError; isDone?: boolean };

type CheckedKind = 'zip' | 'phone' | 'email';

/** The fields that our server looks up. It does not look up the law firm's number, which is not the visitor's. */
const checkedKinds: Partial<Record<AskedFieldName, CheckedKind>> = {
  zip_code: 'zip',
  phone: 'phone',
  email: 'email',
};

type FieldCheckOptions = {
  /** The survey's path. */
  readonly survey: string;
  readonly leadId: string;
  /** The lead's secret, so that the server records the results with the lead. */
  readonly secret: string | undefined;
  /** Default: the browser's own. */
  readonly fetch?: typeof fetch | undefined;
  /** False: only the length of the phone number counts. */
  readonly checksPhone: boolean;
};

/**
 * Looks up zip code, phone, e-mail and description in the background, each value once. A failed look-up passes
 * (docs/specification.md#errors); only a negative answer is an error.
 */
export class FieldChecks {
  readonly #options: FieldCheckOptions;
  readonly #checks = new Map<string, Check>();
  readonly #places = new Map<string, ZipAnswer>();
  /** Blocked addresses that the visitor was told about. They pass when given again. */
  readonly #toldEmails = new Set<string>();
  #text: { readonly text: string; answer?: TextCheckAnswer } | undefined;

  constructor(options: FieldCheckOptions) {
    this.#options = options;
  }

  /**
   * Starts the look-up of a normalised value, or joins one that was started. Returns undefined if the value is
   * incomplete or its field has no look-up.
   */
  start(field: AskedFieldName, value: string): Promise<void> | undefined {
    const kind = checkedKinds[field];
    if (kind === undefined || !isWhole(kind, value)) return undefined;
    if (kind === 'phone' && !this.#options.checksPhone) return undefined;
    const key = `${kind}:${value}`;
    const present = this.#checks.get(key);
    if (present) return present.done;
    const check: Check = {
      done: this.#ask(kind, value).then(
        (error) => {
          if (error) check.error = error;
          check.isDone = true;
        },
        () => {
          this.#checks.delete(key);
        },
      ),
    };
    this.#checks.set(key, check);
    return check.done;
  }

  /** Returns the error that a finished look-up found. */
  error(field: AskedFieldName, value: string): FieldError | undefined {
    const kind = checkedKinds[field];
    return kind && this.#checks.get(`${kind}:${value}`)?.error;
  }

  /** Returns whether a value needs no waiting: its look-up is done, or it has none. */
  isDone(field: AskedFieldName, value: string): boolean {
    const kind = checkedKinds[field];
    const check = kind && this.#checks.get(`${kind}:${value}`);
    return check === undefined || check.isDone === true;
  }

  /** Records that the visitor was told that an address is blocked. */
  told(email: string): void {
    this.#toldEmails.add(email);
  }

  /**
   * Returns whether a blocked address passes because the visitor gives it again
   * (docs/specification.md#e-mail-check). Tells the server about the second time.
   */
  passesAgain(email: string): boolean {
    if (!this.#toldEmails.has(email)) return false;
    this.#checks.set(`email:${email}`, { done: Promise.resolve(), isDone: true });
    this.#ask('email', email).catch(() => undefined);
    return true;
  }

  /** Returns the place of a zip code that was looked up. */
  place(zip: string): ZipAnswer | undefined {
    return this.#places.get(zip);
  }

  /** Starts the check of the case description; nothing waits for it. */
  startText(text: string): void {
    if (this.#text?.text === text) return;
    const check: { text: string; answer?: TextCheckAnswer } = { text };
    this.#text = check;
    this.#post(checkTextPath, { text, lead_id: this.#options.leadId }).then(
      (answer) => {
        check.answer = answer as TextCheckAnswer;
      },
      () => undefined,
    );
  }

  /** Returns the result of the last description's check, if known. */
  textAnswer(): Partial<TextCheckAnswer> {
    return this.#text?.answer ?? {};
  }

  async #ask(kind: CheckedKind, value: string): Promise<FieldError | undefined> {
    if (kind === 'zip') return this.#askZip(value);
    const { survey, leadId: lead_id } = this.#options;
    if (kind === 'phone') {
      const body = { phone: value, survey, lead_id };
      const answer = (await this.#post(checkPhonePath, body)) as PhoneCheckAnswer;
      const { valid, active, forced } = answer;
      return valid === false || (active === false && !forced) ? 'not_reachable' : undefined;
    }
    const body = { email: value, lead_id };
    const answer = (await this.#post(checkEmailPath, body)) as EmailCheckAnswer;
    return answer.blocked === true ? 'not_reachable' : undefined;
  }

  /** Returns an error only for a zip code that the server does not know. */
  async #askZip(zip: string): Promise<FieldError | undefined> {
    const { secret, leadId } = this.#options;
    // The lead is in a header, so that caches may store one answer for every visitor.
    const headers = { ...jsonHeaders(secret), [leadIdHeader]: leadId };
    const response = await this.#request(zipPath + zip, { headers });
    if (!response.ok && response.status !== 404) throw new Error('no answer');
    const place = (await response.json()) as ZipAnswer;
    if (!(place.city && place.state && place.state_long && place.county)) return 'unknown_zip';
    this.#places.set(zip, place);
    return undefined;
  }

  async #post(path: string, body: object): Promise<unknown> {
    const response = await this.#request(path, {
      method: 'POST',
      headers: jsonHeaders(this.#options.secret),
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error('no answer');
    return response.json();
  }

  #request(path: string, init: RequestInit): Promise<Response> {
    const { fetch: doFetch = fetch } = this.#options;
    return doFetch(path, { ...init, signal: endAfter(CHECK_TIMEOUT_MS) });
  }
}

function isWhole(kind: CheckedKind, value: string): boolean {
  if (kind === 'email') return !emailError(value);
  return kind === 'phone' ? isPhoneNumber(value) : /^\d{5}$/.test(value);
}
