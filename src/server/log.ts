import { type DestinationStream, type Logger, pino } from 'pino';
import { safeError } from './safe-error.ts';

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
  if (process.stdout.isTTY && process.env.NODE_ENV !== 'production') {
    const { PinoPretty } = await import('pino-pretty');
    return pino(
      settings,
      PinoPretty({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l', sync: true }),
    );
  }
  return pino(settings);
}
