import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import canonicalize from 'canonicalize';
import { isAskedField } from '../fields/asked-fields.ts';

type Body = Readonly<Record<string, unknown>>;

/** Matches JSON with characters that PostgreSQL refuses. */
const refused = /\\u0000|\\ud[89a-f]/;
/** Values with a deeper nesting are stored as text. */
const MAX_DEPTH = 20;

const TOKENS = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?/gi;

/** Quotes the numbers in JSON that JavaScript would write differently, except whole numbers. */
export function withExactNumbers(json: string): string {
  // Returns early, because the replacement below is slow and rarely needed.
  if (!/\d{16}|[\d.]e[+-]?\d/i.test(json)) return json;
  return json.replace(TOKENS, (token) => {
    if (token.startsWith('"')) return token;
    const number = Number(token);
    // Java writes the phone number 2145550143 as 2.145550143E9.
    const isWhole = number !== 0 && Number.isSafeInteger(number);
    return isWhole || String(number) === token ? token : `"${token}"`;
  });
}

/** Returns a body that PostgreSQL accepts as `jsonb`. */
export function storable(body: Body): Body {
  const flat = Object.values(body).some((value) => typeof value === 'object' && value !== null)
    ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, shallow(value)]))
    : body;
  if (Object.keys(flat).every((name) => isStorable(name) && isStorable(flat[name]))) return flat;
  const clean = new Map<string, unknown>();
  for (const [name, value] of Object.entries(flat)) clean.set(storableText(name), cleaned(value));
  return Object.fromEntries(clean);
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000');
  return typeof value !== 'object' || value === null || !refused.test(JSON.stringify(value));
}

/** Replaces the characters that PostgreSQL refuses by U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD');
}

/** Truncates a text without splitting a surrogate pair. */
export function beginning(text: string, longest: number): string {
  return text.slice(0, longest).toWellFormed();
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [storableText(name), cleaned(inner)]),
    );
  }
  return value;
}

function shallow(value: unknown): unknown {
  if (depthWithin(value, MAX_DEPTH)) return value;
  try {
    return JSON.stringify(value);
  } catch {
    return '(nested too deeply to be kept)';
  }
}

function depthWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  return Object.values(value).every((inner) => depthWithin(inner, depth - 1));
}

/** Returns the SHA-256 of a JSON value, whatever the order of its keys. */
export function bodySha256(body: Body): string {
  return hash('sha256', canonicalize(body) ?? '', 'base64url');
}

/** Encodes rows as JSON that PostgreSQL accepts. */
export function toJson(rows: readonly object[]): string {
  return JSON.stringify(rows.map((row) => storable({ ...row })));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The fields that describe the consent text. */
const ofConsent = new Set(['consent_version', 'consent_shown_at', 'consent_seen', 'submitted_at']);

/** Merges the bodies of a lead's posts, the oldest first. */
export function mergeBodies(
  bodies: readonly Body[],
  isWhole: (body: Body) => boolean = () => false,
): Body {
  const merged: Record<string, unknown> = {};
  for (const [index, body] of bodies.entries()) {
    if (index > 0 && isWhole(body)) {
      for (const name of Object.keys(merged)) if (isAskedField(name)) delete merged[name];
    }
    const keepsConsent = !isEmpty(merged.tcpa) && isEmpty(body.tcpa);
    for (const [name, value] of Object.entries(body)) {
      if (keepsConsent && ofConsent.has(name)) continue;
      if (!isEmpty(value) || !Object.hasOwn(merged, name)) merged[name] = value;
    }
  }
  return merged;
}

/** Returns the names of the fields with different values in two bodies. */
export function changedFields(before: Body, after: Body): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name])).sort();
}
