/** Listens on its own connection for jobs that other processes wake. Without the listener, jobs only poll. */
import type { Logger } from '../postgres/logger.ts';
import { DatabaseClient, prepareConnection } from './database-client.ts';
import { cleanDatabaseError } from './database-error.ts';

const RECONNECT_MS = 10_000;
const CONNECT_MS = 10_000;

/**
 * Listens until the signal is aborted. Reconnects after a lost connection. Behind a connection pooler it ends at once,
 * because the pooler shares the connection with other clients.
 *
 * @param options.onWake called with the name of a job
 */
export async function listenForJobs(options: {
  readonly connectionString: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onWake: (name: string) => void;
}): Promise<void> {
  const { connectionString, log, signal, wait, onWake } = options;
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
    client.on('notification', ({ payload = '' }) => onWake(payload));
    try {
      await client.connect();
      if (await prepareConnection(client)) return;
      await client.query('listen jobs');
      await wait(2 ** 31 - 1, AbortSignal.any([signal, lost.signal]));
    } catch (error) {
      log.debug({ err: cleanDatabaseError(error) }, 'Jobs only poll until the connection is back');
    } finally {
      client.end().catch(() => undefined);
    }
    await wait(RECONNECT_MS, signal);
  }
}
