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
import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import { emailError, type FieldError } from '../../domain/field-rules.ts';
import { isPhoneNumber } from '../../domain/phone-format.ts';
import { ZIP_DIGITS } from '../../domain/thresholds.ts';
import { jsonHeaders } from '../queue/request-headers.ts';

/** A check that gives no answer in this time passes. */
const CHECK_TIMEOUT_MS = 8000;

type Check = { readonly done: Promise<void>; error?: FieldError; isDone?: boolean };

type CheckedKind = 'zip' | 'phone' | 'email';

/** The fields that our server looks up. The law firm's number is not the visitor's: nobody does. */
const checkedKinds: Partial<Record<AskedFieldName, CheckedKind>> = {
  zip_code: 'zip',
  phone: 'phone',
  email: 'email',
};

/**
 * The look-ups of zip, phone, e-mail and description, in the background and each value once. A service
 * that fails passes (docs/specification.md#errors); only an answer that says no is an error.
 */
export class Checks {
  readonly #fetch: typeof fetch;
  readonly #leadId: string;
  /** Shows whose lead it is, so that what is found is recorded with it. */
  readonly #secret: string | undefined;
  readonly #survey: string;
  readonly #checksPhone: boolean;
  readonly #checks = new Map<string, Check>();
  readonly #places = new Map<string, ZipAnswer>();
  /** Blocked addresses that the visitor was told about: the second time they pass. */
  readonly #toldEmails = new Set<string>();
  #text: { readonly text: string; answer?: TextCheckAnswer } | undefined;

  /** @param checksPhone false: only the length of the phone number counts */
  constructor(
    survey: string,
    leadId: string,
    doFetch: typeof fetch = (...args) => fetch(...args),
    checksPhone = true,
    secret?: string,
  ) {
    this.#secret = secret;
    this.#checksPhone = checksPhone;
    this.#survey = survey;
    this.#leadId = leadId;
    this.#fetch = doFetch;
  }

  /**
   * Starts the look-up of a normalised value, where it is whole and its kind has one; joins the one
   * that is on its way or done. @returns when it is done, or undefined
   */
  start(field: AskedFieldName, value: string): Promise<void> | undefined {
    const kind = checkedKinds[field];
    if (kind === undefined || !isWhole(kind, value)) return undefined;
    if (kind === 'phone' && !this.#checksPhone) return undefined;
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

  /** What the look-up of a value found wrong, or undefined, also while it is on its way. */
  error(field: AskedFieldName, value: string): FieldError | undefined {
    const kind = checkedKinds[field];
    return kind && this.#checks.get(`${kind}:${value}`)?.error;
  }

  /** Whether nothing is awaited for a value: it was looked up, or it has no look-up. */
  isDone(field: AskedFieldName, value: string): boolean {
    const kind = checkedKinds[field];
    const check = kind && this.#checks.get(`${kind}:${value}`);
    return check === undefined || check.isDone === true;
  }

  /** The visitor was shown that an address is blocked. */
  told(email: string): void {
    this.#toldEmails.add(email);
  }

  /**
   * Whether an address that is blocked passes now: it was shown as blocked and is given again
   * (docs/specification.md#e-mail-check). The server hears of the second time too.
   */
  passesAgain(email: string): boolean {
    if (!this.#toldEmails.has(email)) return false;
    this.#checks.set(`email:${email}`, { done: Promise.resolve(), isDone: true });
    this.#ask('email', email).catch(() => undefined);
    return true;
  }

  /** City, state and county of a zip code that was looked up. */
  place(zip: string): ZipAnswer | undefined {
    return this.#places.get(zip);
  }

  /** Starts the check of the case description; nothing waits for it. */
  startText(text: string): void {
    if (this.#text?.text === text) return;
    const check: { text: string; answer?: TextCheckAnswer } = { text };
    this.#text = check;
    this.#post(checkTextPath, { text, lead_id: this.#leadId }).then(
      (answer) => {
        check.answer = answer as TextCheckAnswer;
      },
      () => undefined,
    );
  }

  /** What the check of the last description found, as far as it is known. */
  textAnswer(): Partial<TextCheckAnswer> {
    return this.#text?.answer ?? {};
  }

  async #ask(kind: CheckedKind, value: string): Promise<FieldError | undefined> {
    if (kind === 'zip') return this.#lookUp(value);
    if (kind === 'phone') {
      const body = { phone: value, survey: this.#survey, lead_id: this.#leadId };
      const answer = (await this.#post(checkPhonePath, body)) as PhoneCheckAnswer;
      const { valid, active, forced } = answer;
      return valid === false || (active === false && !forced) ? 'not_reachable' : undefined;
    }
    const body = { email: value, lead_id: this.#leadId };
    const answer = (await this.#post(checkEmailPath, body)) as EmailCheckAnswer;
    return answer.blocked === true ? 'not_reachable' : undefined;
  }

  /** Unknown is only what the server says it does not know; a server that fails says nothing. */
  async #lookUp(zip: string): Promise<FieldError | undefined> {
    // In headers, so that the answer is the same for every visitor and may be kept by caches.
    const headers = { ...jsonHeaders(this.#secret), [leadIdHeader]: this.#leadId };
    const response = await this.#request(zipPath + zip, { headers });
    if (!response.ok && response.status !== 404) throw new Error('no answer');
    const place = (await response.json()) as Partial<ZipAnswer>;
    const { city, state, state_long, county } = place;
    if (!city || !state || !state_long || !county) return 'unknown_zip';
    this.#places.set(zip, { zip, city, state, state_long, county });
    return undefined;
  }

  async #post(path: string, body: Answers | Readonly<Record<string, string>>): Promise<unknown> {
    const response = await this.#request(path, {
      method: 'POST',
      headers: jsonHeaders(this.#secret),
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error('no answer');
    return response.json();
  }

  async #request(path: string, init: RequestInit): Promise<Response> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), CHECK_TIMEOUT_MS);
    try {
      return await this.#fetch(path, { ...init, signal: abort.signal });
    } finally {
      clearTimeout(timer);
    }
  }
}

function isWhole(kind: CheckedKind, value: string): boolean {
  if (kind === 'email') return !emailError(value);
  return kind === 'phone'
    ? isPhoneNumber(value)
    : value.length === ZIP_DIGITS && /^\d+$/.test(value);
}
