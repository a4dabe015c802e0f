import { type DestinationStream, type Logger, pino } from 'pino';
import { cleanDatabaseError } from '../platform/database/database-error.ts';

/** Returns whether a person reads standard output, because it is a terminal. */
export function isForPeople(): boolean {
  return process.stdout.isTTY === true;
}

/** Creates a logger to a stream or standard output. No line contains bodies, queries, IP addresses or other input. */
export async function createLog(level: string, stream?: DestinationStream): Promise<Logger> {
  const serialize = (error: unknown) => safeError(error);
  const settings = { level, base: null, serializers: { err: serialize, error: serialize } };
  if (stream) return pino(settings, stream);
  if (isForPeople()) {
    const { PinoPretty } = await import('pino-pretty');
    const format = { translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true };
    return pino(settings, PinoPretty(format));
  }
  return pino(settings);
}

/** Names of errors with messages that quote the input. */
const quoting = new Set(['SyntaxError', 'ValiError', 'URIError']);

/** Returns an error without properties that may quote a visitor, such as PostgreSQL's `detail`. */
function safeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  const code = (error as { code?: unknown }).code;
  const message = quoting.has(error.name)
    ? '(left out: it may quote what was sent)'
    : cleanDatabaseError(error).message;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message,
    stack: frames.join('\n'),
    ...(error.cause instanceof Error && depth < 3
      ? { cause: safeError(error.cause, depth + 1) }
      : {}),
  };
}
