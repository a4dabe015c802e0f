/** Hears which jobs other processes wake, on a connection of its own. Without it they are found by polling. */
import type { Logger } from '../postgres/logger.ts';
import { DatabaseClient, prepareConnection } from './database-client.ts';
import { cleanDatabaseError } from './database-error.ts';

const RECONNECT_MS = 10_000;
const CONNECT_MS = 10_000;

/**
 * Listens until the signal is aborted, and connects again after a lost connection. Ends at once behind a connection
 * pooler, which would give the connection to others.
 *
 * @param options.heard called with the name of a job
 */
export async function listenForJobs(options: {
  readonly connectionString: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly heard: (name: string) => void;
}): Promise<void> {
  const { connectionString, log, signal, wait, heard } = options;
  while (!signal.aborted) {
    const client = new DatabaseClient({
      connectionString,
      application_name: 'funnel-listen',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload = '' }) => heard(payload));
    try {
      await client.connect();
      if (await prepareConnection(client)) return;
      await client.query('listen jobs');
      await wait(2 ** 31 - 1, AbortSignal.any([signal, lost.signal]));
    } catch (error) {
      log.debug({ err: cleanDatabaseError(error) }, 'Jobs of other processes are found by polling');
    } finally {
      client.end().catch(() => undefined);
    }
    await wait(RECONNECT_MS, signal);
  }
}
