import canonicalize from 'canonicalize';
import { base64url } from 'jose';

export type Bytes = Uint8Array<ArrayBuffer>;

/** An error in an evidence pack, with a message for the person who verifies the pack. */
export class Refusal extends Error {}

/** Encodes text as UTF-8. */
export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** Decodes UTF-8. @throws Refusal if the bytes are not valid UTF-8 */
export function fromUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal('not UTF-8');
  }
}

export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** Returns the SHA-256 of the concatenated parts. */
export async function sha256(...parts: readonly Bytes[]): Promise<Bytes> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Decodes lower-case hex. @throws Refusal for other text */
export function fromHex(text: string): Bytes {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Refusal('not lower-case hex');
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export const toBase64url: (bytes: Uint8Array) => string = base64url.encode;

/** Decodes base64url. @throws Refusal for text that `toBase64url` would not write */
export function fromBase64url(text: string): Bytes {
  const bytes = /^[\w-]*$/.test(text) ? Uint8Array.from(base64url.decode(text)) : undefined;
  if (!bytes || toBase64url(bytes) !== text) throw new Refusal('not the one base64url form');
  return bytes;
}

/** Returns a value as canonical JSON (RFC 8785). @throws if JSON cannot represent the value */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Refusal(`no JSON: ${typeof value}`);
  return text;
}

/** Parses canonical JSON. @throws Refusal for any other text */
export function parseCanonical(bytes: Bytes): unknown {
  let value: unknown;
  try {
    value = JSON.parse(fromUtf8(bytes));
  } catch {
    throw new Refusal('not JSON');
  }
  if (!equal(utf8(canonicalJson(value)), bytes)) throw new Refusal('not in canonical form');
  return value;
}

/** Returns the SHA-256 (base64url) of a value's canonical JSON. */
export async function hashOf(value: unknown): Promise<string> {
  return toBase64url(await sha256(utf8(canonicalJson(value))));
}

/** Returns a hash of the rule files, the settings and the partner firms. */
export async function rulesVersionOf(parts: {
  readonly files: string;
  readonly settings: string;
  readonly firms: readonly unknown[];
}): Promise<string> {
  const { files, settings, firms } = parts;
  return hashOf({ files, settings, firms: await hashOf(firms) });
}
