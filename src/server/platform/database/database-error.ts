/** Classifies database errors, and removes visitors' values from errors before logging. */

import { OverLimitError, StoreUnavailableError } from '../errors.ts';

/** A database error that is safe to log: no `detail`, no values, no query text. */
export class CleanDatabaseError extends Error {
  override readonly name = 'CleanDatabaseError';
  /** The SQLSTATE (five characters) or the operating system's code, such as `ECONNREFUSED`. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

const SQLSTATE = /^[0-9A-Z]{5}$/;

function textOf(error: unknown, property: 'code' | 'message' | 'stack'): string {
  const value = (error as Readonly<Record<string, unknown>> | null | undefined)?.[property];
  return typeof value === 'string' ? value : '';
}

/** Returns a copy of the error without visitors' values, which PostgreSQL quotes in errors. */
export function cleanDatabaseError(error: unknown): CleanDatabaseError {
  if (error instanceof CleanDatabaseError) return error;
  const code = textOf(error, 'code');
  let message = textOf(error, 'message') || 'Database error';
  if (SQLSTATE.test(code) && !/^(23|08|25|40|53|55|57)/.test(code)) {
    // Matches greedily, because a quoted value may itself contain quotes and line breaks.
    message = message.replace(/".*"/s, '"…"').replace(/'.*'/s, "'…'");
  }
  const clean = new CleanDatabaseError(message, code || undefined);
  const stack = isPassingError(error) ? '' : textOf(error, 'stack');
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
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
  '57P01', // admin_shutdown: also the error of a terminated backend
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting up or shutting down
  '53300', // too_many_connections
  '25006', // read_only_sql_transaction: the node is no longer the primary
  '25P03', // idle_in_transaction_session_timeout: the server closed the connection
]);

// Matches messages of pg and pg-pool about lost connections, because these errors have no code.
const CONNECTION_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/;

/** Returns whether the connection failed. The transaction may be committed all the same. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.some(isConnectionError)) return true;
  const code = textOf(error, 'code');
  if (CONNECTION_CODES.has(code) || /^08[0-9A-Z]{3}$/.test(code)) return true;
  return CONNECTION_MESSAGES.test(textOf(error, 'message'));
}

/** Returns whether a conflict with another transaction caused the rollback. A retry is safe. */
export function isSerializationError(error: unknown): boolean {
  return ['40001', '40P01', '55P03'].includes(textOf(error, 'code'));
}

/** Returns whether the error is temporary, so that idempotent work may be retried. */
export function isPassingError(error: unknown): boolean {
  const isLate = textOf(error, 'code') === '57014';
  return isLate || isConnectionError(error) || isSerializationError(error);
}

/** Returns whether PostgreSQL rejected a value, such as February 30 (SQLSTATE class 22). */
export function isDataError(error: unknown): boolean {
  return textOf(error, 'code').startsWith('22');
}

/** SQLSTATEs of a server without resources (53), stopped (57), broken (58) or read-only (25006). */
const unavailable = /^(53|57|58)...$|^25006$/;

/** Runs a database call. @throws StoreUnavailableError, or an error without visitors' values */
export async function storeErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnavailableError || error instanceof OverLimitError) throw error;
    const clean = cleanDatabaseError(error);
    const isFault = !isPassingError(error) && !unavailable.test(clean.code ?? '');
    throw isFault
      ? clean
      : new StoreUnavailableError('The database is unavailable', { cause: clean });
  }
}
