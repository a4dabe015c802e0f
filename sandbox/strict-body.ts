import type { IncomingHttpHeaders } from 'node:http';
import * as v from 'valibot';

/** A checked body, or its breaches, one sentence each, without values. */
export type Checked<T> = { ok: true; value: T } | { ok: false; violations: string[] };

/** Returns a request's media type in lower case without parameters; '' if the header is missing. */
export function mediaType(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Describes an issue in one sentence: the field and the problem, never the value, which may be personal. */
function sentence(issue: v.BaseIssue<unknown>): string {
  const field = v.getDotPath(issue) ?? 'body';
  if (issue.kind === 'schema' && issue.type === 'strict_object' && issue.expected === 'never') {
    return `${field}: unknown field`;
  }
  if (issue.kind === 'schema' && issue.received === 'undefined') return `${field}: missing`;
  // Quotes a schema's own message (valibot's defaults begin with "Invalid"), otherwise the expectation.
  if (issue.kind === 'schema' && issue.expected !== null && issue.message.startsWith('Invalid')) {
    return `${field}: expected ${issue.expected}`;
  }
  return `${field}: ${issue.message}`;
}

/** Checks a value against a schema, and reports every breach. */
export function check<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
): Checked<v.InferOutput<S>> {
  const result = v.safeParse(schema, input);
  if (result.success) return { ok: true, value: result.output };
  return { ok: false, violations: [...new Set(result.issues.map(sentence))] };
}

function wrongType(headers: IncomingHttpHeaders, expected: string): string | undefined {
  const type = mediaType(headers);
  if (type === expected) return undefined;
  return type === ''
    ? `content-type: missing, expected ${expected}`
    : `content-type: expected ${expected}`;
}

/** Reads a JSON body strictly: content type `application/json`, valid JSON, every field known. */
export function readJson<S extends v.GenericSchema>(
  schema: S,
  request: { headers: IncomingHttpHeaders; body: string },
): Checked<v.InferOutput<S>> {
  const type = wrongType(request.headers, 'application/json');
  if (type) return { ok: false, violations: [type] };
  let parsed: unknown;
  try {
    parsed = JSON.parse(request.body);
  } catch {
    return { ok: false, violations: ['body: not valid JSON'] };
  }
  // Every vendor here takes an object; valibot would accept a list for one without fields.
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return { ok: false, violations: ['body: expected an object'] };
  }
  return check(schema, parsed);
}

/** Turns URL-encoded pairs into an object; a duplicate name is a breach. */
export function pairs(input: URLSearchParams): Checked<Record<string, string>> {
  const fields = new Map<string, string>();
  const violations: string[] = [];
  for (const [name, value] of input) {
    if (fields.has(name)) violations.push(`${name}: given twice`);
    fields.set(name, value);
  }
  return violations.length > 0
    ? { ok: false, violations }
    : { ok: true, value: Object.fromEntries(fields) };
}

/** Reads a form-encoded body strictly: content type, no duplicate field, every field known. */
export function readForm<S extends v.GenericSchema>(
  schema: S,
  request: { headers: IncomingHttpHeaders; body: string },
): Checked<v.InferOutput<S>> {
  const type = wrongType(request.headers, 'application/x-www-form-urlencoded');
  if (type) return { ok: false, violations: [type] };
  const fields = pairs(new URLSearchParams(request.body));
  return fields.ok ? check(schema, fields.value) : fields;
}

/** Reads the query strictly: no duplicate parameter, every parameter known. */
export function readQuery<S extends v.GenericSchema>(
  schema: S,
  request: { query: URLSearchParams },
): Checked<v.InferOutput<S>> {
  const fields = pairs(request.query);
  return fields.ok ? check(schema, fields.value) : fields;
}

/** Returns user and password of HTTP Basic authentication; undefined if absent or malformed. */
export function basicCredentials(
  headers: IncomingHttpHeaders,
): { user: string; password: string } | undefined {
  const match = /^Basic ([A-Za-z0-9+/]+={0,2})$/.exec(headers.authorization ?? '');
  if (!match?.[1]) return undefined;
  const decoded = Buffer.from(match[1], 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0
    ? undefined
    : { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
