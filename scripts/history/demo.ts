/** Opens the demo's database before the server does, and fills it. */
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts';
import { loadSettings } from '../../src/server/config/settings.ts';
import { openDatabase } from '../../src/server/storage/database.ts';
import { migrate } from '../../src/server/storage/migrate.ts';
import { openPersonKeys } from '../../src/server/storage/person-keys.ts';
import { fillHistory } from './fill.ts';

const POOL = 8;
/** Moving the times of a whole table back takes longer than a visitor's statement may. */
const timeouts = { connection: 10_000, statement: 120_000, query: 120_000 };

/**
 * Fills the database of the settings with invented history.
 * @returns what was done, in a sentence
 */
export async function fillDemo(): Promise<string> {
  const { settings } = loadSettings();
  const log = pino({ level: 'silent' });
  const embedded =
    settings.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log })
      : undefined;
  try {
    const connectionString = embedded?.connectionString ?? (settings.databaseUrl as string);
    await migrate({ connectionString, log });
    const { pool, close } = openDatabase({ connectionString, poolMax: POOL, log, timeouts });
    // Invented rows may be lost with the machine; waiting for the disk would take most of the time.
    pool.on('connect', (client) =>
      client.query('set synchronous_commit = off').catch(() => undefined),
    );
    try {
      const personKey = await openPersonKeys(pool, settings);
      const started = performance.now();
      const filled = await fillHistory({ pool, personKey, settings, log, now: new Date() });
      if (!filled) return 'The invented history is there already.';
      const seconds = Math.round((performance.now() - started) / 1_000);
      return `Invented 30 days in ${seconds} s: ${filled.visits} visits, ${filled.leads} leads.`;
    } finally {
      await close();
    }
  } finally {
    await embedded?.stop();
  }
}
