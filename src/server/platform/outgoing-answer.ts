/** Reads the answers of third parties. Pure. */
import * as v from 'valibot';
import type { OutgoingAnswer } from './outgoing-http.ts';

/** Maximum number of characters of an answer to keep. */
export const MAX_EXCERPT_LENGTH = 2 * 1024;

/** Any JSON object. */
export const jsonObject = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Parses a complete JSON body, whatever its status; undefined if it does not match the schema. */
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

/** Like `readBody`, but undefined for a status outside 200 to 299. */
export function readJson<Output>(
  schema: v.GenericSchema<unknown, Output>,
): (answer: OutgoingAnswer) => Output | undefined {
  return (answer) => (isSuccess(answer) ? readBody(schema, answer) : undefined);
}

/** Returns the description of a success whose body cannot be read. */
export function unreadable({ status }: Pick<OutgoingAnswer, 'status'>): string {
  return `HTTP ${status} with an answer that cannot be read`;
}

/** Returns whether the status is 200 to 299. */
export function isSuccess({ status }: Pick<OutgoingAnswer, 'status'>): boolean {
  return status >= 200 && status <= 299;
}

/**
 * Returns how many milliseconds a `Retry-After` asks to wait (RFC 9110, 10.2.3: seconds or a date), or undefined
 * if it is missing or invalid.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const value = header.trim();
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // Require a day's name, because Date.parse accepts too much.
  if (!/^[A-Za-z]{3,9},? /.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** Returns the beginning of an answer on one line, without the given secrets. */
export function excerpt(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret !== '') clean = clean.replaceAll(secret, '[secret]');
  }
  // PostgreSQL rejects NUL, and terminals obey escape sequences.
  clean = clean.replace(/\p{Cc}+/gu, ' ').trim();
  return clean.length <= MAX_EXCERPT_LENGTH
    ? clean
    : `${clean.slice(0, MAX_EXCERPT_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
