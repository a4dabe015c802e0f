/** Reads answers of third parties, and removes personal data from the answers' messages. */
import * as v from 'valibot';
import type { OutgoingAnswer } from './outgoing-http.ts';

export const MAX_EXCERPT_LENGTH = 2 * 1024;

const MESSAGE_CHARACTERS = 200;
/** Only words of at least this length are removed. Shorter words identify nobody. */
const WORD_CHARACTERS = 3;
/** Matches a word, or several words joined by dots or colons, such as an IP address. */
const WORD = /[\p{L}\p{N}]+(?:[.:]+[\p{L}\p{N}]+)*/gu;

export const jsonObject = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Parses an answer's JSON body. Returns undefined if the body does not match the schema. */
export function readBody<Output>(
  schema: v.GenericSchema<unknown, Output>,
  { text, truncated }: Pick<OutgoingAnswer, 'text' | 'truncated'>,
): Output | undefined {
  if (truncated) return undefined;
  try {
    const read = v.safeParse(schema, JSON.parse(text));
    return read.success ? read.output : undefined;
  } catch {
    return undefined;
  }
}

/** Parses a JSON body. Returns undefined if the status is not 2xx or the body does not match. */
export function readJson<Output>(schema: v.GenericSchema<unknown, Output>) {
  return (answer: OutgoingAnswer) => (isSuccess(answer) ? readBody(schema, answer) : undefined);
}

/** Returns a message about a 2xx answer whose body does not match the schema. */
export function unreadable({ status }: Pick<OutgoingAnswer, 'status'>): string {
  return `HTTP ${status} with an answer that cannot be read`;
}

/** Returns whether the status is 200 to 299. */
export function isSuccess({ status }: Pick<OutgoingAnswer, 'status'>): boolean {
  return status >= 200 && status <= 299;
}

/** Returns a `Retry-After` header (seconds or a date) in milliseconds; undefined if invalid. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const value = header.trim();
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // Requires a weekday at the start, because `Date.parse` accepts almost any text as a date.
  if (!/^[A-Za-z]{3,9},? /.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** Returns the beginning of an answer, on one line and without the given secrets. */
export function excerpt(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret !== '') clean = clean.replaceAll(secret, '[secret]');
  }
  // Removes control characters: PostgreSQL rejects NUL, and terminals run escape sequences.
  clean = clean.replace(/\p{Cc}+/gu, ' ').trim();
  return clean.length <= MAX_EXCERPT_LENGTH
    ? clean
    : `${clean.slice(0, MAX_EXCERPT_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns the error message in the answer's JSON, from one of the fields that vendors use. */
function messageOf(answer: OutgoingAnswer): string | undefined {
  const { message, error, detail, errors } = readBody(jsonObject, answer) ?? {};
  const inner = (error as { message?: unknown } | null | undefined)?.message;
  const list = Array.isArray(errors) ? errors.join('; ') : undefined;
  const found = [message, inner, error, detail, list].find(
    (said) => typeof said === 'string' && said !== '',
  );
  return found as string | undefined;
}

/** Removes e-mail addresses and phone numbers from a text. */
export function withoutPersons(text: string): string {
  return text
    .replace(/[^\s"'<>]+@[^\s"'<>]+/g, '[removed]')
    .replace(/\+?\d(?:[\s().-]*\d){6,}/g, '[removed]');
}

/** Explains a failed request by the answer's status and message, without the request's values. */
export function failureReason(
  answer: OutgoingAnswer,
  sent: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | undefined;
  },
): string {
  const { status } = answer;
  const message = messageOf(answer);
  if (message === undefined) {
    return isSuccess(answer) ? unreadable(answer) : `HTTP ${status}`;
  }
  const { 'content-type': _, ...headers } = sent.headers;
  // In a path, treats only words with digits as values, such as a ZIP code or an account number.
  const inPath = wordsOf(sent.path).filter((word) => /\d/.test(word));
  const known = new Set([...inPath, ...valuesOf(sent.body ?? '').flatMap(wordsOf)]);
  const hide = (word: string) =>
    wordsOf(word).some((each) => known.has(each)) ? '[removed]' : word;
  const clean = withoutPersons(excerpt(message, Object.values(headers))).replace(WORD, hide);
  return `HTTP ${status}: ${clean.slice(0, MESSAGE_CHARACTERS)}`;
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  const parts = words.flatMap((word) => [word, ...word.split(/[.:]+/)]);
  return parts.filter((word) => word.length >= WORD_CHARACTERS);
}

/** Returns the values of a JSON or form-encoded body, or any other body as one value. */
function valuesOf(body: string): string[] {
  try {
    return leaves(JSON.parse(body));
  } catch {
    return /^[^=\s]+=/.test(body) ? [...new URLSearchParams(body).values()] : [body];
  }
}

function leaves(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
  return [String(value)];
}
