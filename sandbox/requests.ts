import type { IncomingHttpHeaders } from 'node:http';
import * as v from 'valibot';

/** A valid value, or the violations of the value's format. */
type Checked<T> = { ok: true; value: T } | { ok: false; violations: string[] };

/** The parts of a request that a stand-in checks. `body` is the raw text. */
export interface RequestParts {
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** The part of a request that has the fields: a JSON body, a form body or the query. */
export type Kind = keyof typeof mediaTypes | 'query';

/** Returns a request's media type in lower case without parameters. */
export function mediaType(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Reads the fields of a request, and reports every violation of the schema. */
export function read<S extends v.GenericSchema>(
  kind: Kind,
  schema: S,
  request: RequestParts,
): Checked<v.InferOutput<S>> {
  const fields = fieldsOf(kind, request);
  return fields.ok ? check(schema, fields.value) : fields;
}

function fieldsOf(kind: Kind, { query, headers, body }: RequestParts): Checked<unknown> {
  if (kind === 'query') return pairs(query);
  const type = mediaType(headers);
  if (type !== mediaTypes[kind]) {
    const missing = type === '' ? 'missing, ' : '';
    return { ok: false, violations: [`content-type: ${missing}expected ${mediaTypes[kind]}`] };
  }
  return kind === 'form' ? pairs(new URLSearchParams(body)) : jsonObject(body);
}

function jsonObject(body: string): Checked<unknown> {
  try {
    const value: unknown = JSON.parse(body);
    // Refuses arrays, because valibot accepts an array as an object without required fields.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ok: true, value }
      : { ok: false, violations: ['body: expected an object'] };
  } catch {
    return { ok: false, violations: ['body: not valid JSON'] };
  }
}

/** Converts URL-encoded pairs into an object, and reports each name that occurs twice. */
export function pairs(input: URLSearchParams): Checked<Record<string, string>> {
  const names = [...input.keys()];
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  return repeated.length > 0
    ? { ok: false, violations: repeated.map((name) => `${name}: given twice`) }
    : { ok: true, value: Object.fromEntries(input) };
}

export function check<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
): Checked<v.InferOutput<S>> {
  const result = v.safeParse(schema, input);
  if (result.success) return { ok: true, value: result.output };
  return { ok: false, violations: [...new Set(result.issues.map(sentence))] };
}

/** Describes a violation without the field's value, which may be personal data. */
function sentence(issue: v.BaseIssue<unknown>): string {
  const field = v.getDotPath(issue) ?? 'body';
  if (issue.kind !== 'schema') return `${field}: ${issue.message}`;
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    return `${field}: unknown field`;
  }
  if (issue.received === 'undefined') return `${field}: missing`;
  // The default messages of valibot begin with "Invalid". All other messages are our own.
  return issue.expected !== null && issue.message.startsWith('Invalid')
    ? `${field}: expected ${issue.expected}`
    : `${field}: ${issue.message}`;
}

/**
 * Returns what is wrong in an HTTP Basic authentication, or undefined if user and password are
 * right.
 */
export function basicBreach(
  { authorization }: IncomingHttpHeaders,
  isRight: (user: string, password: string) => boolean,
): string | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return 'authorization: missing, expected Basic';
  const [user = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return isRight(user, rest.join(':')) ? undefined : 'authorization: wrong';
}
