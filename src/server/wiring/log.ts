import { type DestinationStream, type Logger, pino } from 'pino';
import { safeError } from './safe-error.ts';

/** Returns whether a person reads standard output: a terminal, and not in production. */
export function isForPeople(): boolean {
  return process.stdout.isTTY === true && process.env.NODE_ENV !== 'production';
}

/**
 * Creates the server's logger: JSON lines, or readable lines on a terminal. No line contains bodies, queries,
 * addresses, or anything that a visitor typed.
 */
export async function createLog(options: {
  level: string;
  /** Default: standard output. */
  stream?: DestinationStream;
}): Promise<Logger> {
  const { level, stream } = options;
  const settings = {
    level,
    base: null,
    serializers: {
      err: (error: unknown) => safeError(error),
      error: (error: unknown) => safeError(error),
    },
  };
  if (stream) return pino(settings, stream);
  if (isForPeople()) {
    const { PinoPretty } = await import('pino-pretty');
    const format = { translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true };
    return pino(settings, PinoPretty(format));
  }
  return pino(settings);
}
