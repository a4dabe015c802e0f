/** Prepares third parties' error messages for logs, alerts and the record of a lead. */
import * as v from 'valibot';
import { excerpt, isSuccess, readBody, unreadable } from './answer.ts';
import type { OutgoingAnswer } from './outgoing-http.ts';

/** The longest message to keep. */
const MESSAGE_CHARACTERS = 200;
/** Shorter words of a request reveal nothing about a person. */
const WORD_CHARACTERS = 3;

const said = v.pipe(v.string(), v.nonEmpty());
/** Where vendors put their messages: IPQualityScore, Twilio, Lead Prosper, RFC 9457, and plain lists. */
const errorSchema = v.union([
  v.pipe(
    v.object({ message: said }),
    v.transform(({ message }) => message),
  ),
  v.pipe(
    v.object({ error: v.object({ message: said }) }),
    v.transform(({ error }) => error.message),
  ),
  v.pipe(
    v.object({ error: said }),
    v.transform(({ error }) => error),
  ),
  v.pipe(
    v.object({ detail: said }),
    v.transform(({ detail }) => detail),
  ),
  v.pipe(
    v.object({ errors: v.array(said) }),
    v.transform(({ errors }) => errors.join('; ')),
  ),
]);

/** Removes e-mail addresses and phone numbers from a text. */
export function withoutPersons(text: string): string {
  return text
    .replace(/[^\s"'<>]+@[^\s"'<>]+/g, '[removed]')
    .replace(/\+?\d(?:[\s().-]*\d){6,}/g, '[removed]');
}

/**
 * Returns why an answer is a failure: its status and the vendor's message.
 * @param sent address, headers and body of the request; their values are removed from the message
 */
export function failureReason(
  answer: OutgoingAnswer,
  sent: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | undefined;
  },
): string {
  const { status } = answer;
  const message = readBody(errorSchema, answer);
  if (message === undefined) {
    return isSuccess(answer) ? unreadable(answer) : `HTTP ${status}`;
  }
  const { 'content-type': _, ...headers } = sent.headers;
  // Words with digits in a path are values (a zip code, an account); the others are the vendor's.
  const inPath = wordsOf(sent.path).filter((word) => /\d/.test(word));
  const known = new Set([...inPath, ...valuesOf(sent.body ?? '').flatMap(wordsOf)]);
  const hide = (word: string) => (known.has(word.toLowerCase()) ? '[removed]' : word);
  const clean = withoutPersons(excerpt(message, Object.values(headers)))
    .replace(COMPOUND, hide)
    .replace(WORD, hide);
  return `HTTP ${status}: ${clean.slice(0, MESSAGE_CHARACTERS)}`;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Matches words joined by dots or colons, such as IP addresses. */
const COMPOUND = /[\p{L}\p{N}]+(?:[.:]+[\p{L}\p{N}]+)+/gu;

function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const words = [...(lower.match(WORD) ?? []), ...(lower.match(COMPOUND) ?? [])];
  return words.filter((word) => word.length >= WORD_CHARACTERS);
}

/** Returns the values of a JSON or form-encoded body, or else the whole body. */
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
