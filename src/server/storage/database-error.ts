/**
 * What storage knows of database errors: which ones may be tried again, and how one is written to a
 * log without a visitor's values in it.
 */

/** A database error that is safe to log: no `detail`, no values, no query text. */
export class CleanDatabaseError extends Error {
  override readonly name = 'CleanDatabaseError';
  /** SQLSTATE (five characters) or the system's error code (`ECONNREFUSED`), where there is one. */
  readonly code: string | undefined;
  readonly severity: string | undefined;
  readonly schema: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly constraint: string | undefined;

  constructor(message: string, parts: Partial<Record<CleanField, string>>) {
    super(message);
    this.code = parts.code;
    this.severity = parts.severity;
    this.schema = parts.schema;
    this.table = parts.table;
    this.column = parts.column;
    this.constraint = parts.constraint;
  }
}

type CleanField = 'code' | 'severity' | 'schema' | 'table' | 'column' | 'constraint';
const CLEAN_FIELDS: readonly CleanField[] = [
  'code',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
];

const SQLSTATE = /^[0-9A-Z]{5}$/;

function stringField(error: object, field: string): string | undefined {
  const value = (error as Record<string, unknown>)[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * The error without anything that a visitor typed. PostgreSQL puts values into `detail`, `where`,
 * `hint` and `internalQuery`, and, for the data exceptions (class 22) and a few others, quoted into
 * the message itself; names of tables, columns and constraints are kept, they come in own fields.
 */
export function cleanDatabaseError(error: unknown): CleanDatabaseError {
  if (error instanceof CleanDatabaseError) return error;
  if (typeof error !== 'object' || error === null) {
    return new CleanDatabaseError('Database error', {});
  }
  const parts: Partial<Record<CleanField, string>> = {};
  for (const field of CLEAN_FIELDS) {
    const value = stringField(error, field);
    if (value !== undefined) parts[field] = value;
  }
  let message = stringField(error, 'message') ?? 'Database error';
  const isServerError = parts.code !== undefined && SQLSTATE.test(parts.code);
  if (isServerError && !/^(23|08|25|40|53|55|57)/.test(parts.code ?? '')) {
    // Greedy on purpose: a value may itself hold quotes and line breaks.
    message = message.replace(/".*"/s, '"…"').replace(/'.*'/s, "'…'");
  }
  const clean = new CleanDatabaseError(message, parts);
  const stack = stringField(error, 'stack');
  const frames = stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  clean.stack = [`${clean.name}: ${message}`, ...frames].join('\n');
  return clean;
}

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01', // admin_shutdown: also what a terminated backend says
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting up or shutting down
  '53300', // too_many_connections
  '25P03', // idle_in_transaction_session_timeout: the server has hung up
]);

// What pg and pg-pool say without a code.
const CONNECTION_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/;

/**
 * The connection was lost or could not be made, so nothing is known about a commit that was under
 * way: only idempotent work may be tried again.
 */
export function isConnectionError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if (error instanceof AggregateError && error.errors.some(isConnectionError)) return true;
  const code = stringField(error, 'code');
  if (code !== undefined && (CONNECTION_CODES.has(code) || /^08[0-9A-Z]{3}$/.test(code))) {
    return true;
  }
  return CONNECTION_MESSAGES.test(stringField(error, 'message') ?? '');
}

/** The server rolled the transaction back because of another one: safe to run again from the start. */
export function isSerializationError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const code = stringField(error, 'code');
  return code === '40001' || code === '40P01';
}

/**
 * The work may be repeated as it is, if a second time changes nothing: the connection was lost, another
 * transaction was in the way, or the server ended the statement for taking too long (57014).
 */
export function isPassingError(error: unknown): boolean {
  if (isConnectionError(error) || isSerializationError(error)) return true;
  return typeof error === 'object' && error !== null && stringField(error, 'code') === '57014';
}
