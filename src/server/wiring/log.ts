import { type DestinationStream, type Logger, pino } from 'pino';
import { safeError } from './safe-error.ts';

/** Whether a person sees standard output: a terminal, and not one that a container's logs are read from. */
export function isForPeople(): boolean {
  return process.stdout.isTTY === true && process.env.NODE_ENV !== 'production';
}

/**
 * The server's logger: JSON lines, or readable ones on a terminal. Errors are logged without
 * anything that a visitor typed; there are no bodies, queries or addresses in any line.
 */
export async function createLog(options: {
  level: string;
  /** Where lines go; by default standard output. */
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
