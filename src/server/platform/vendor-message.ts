/** Prepares third parties' error messages for logs, alerts and the record of a lead. */
import { excerpt, isSuccess, jsonObject, readBody, unreadable } from './outgoing-answer.ts';
import type { OutgoingAnswer } from './outgoing-http.ts';

/** The longest message to keep. */
const MESSAGE_CHARACTERS = 200;
/** Shorter words of a request reveal nothing about a person. */
const WORD_CHARACTERS = 3;

/** Returns the message of an answer, where vendors put it; undefined if there is none. */
function messageOf(answer: OutgoingAnswer): string | undefined {
  // IPQualityScore, Twilio and Lead Prosper; RFC 9457; plain lists.
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
  const message = messageOf(answer);
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
