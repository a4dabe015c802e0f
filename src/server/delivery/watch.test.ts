import { pino } from 'pino';
import { expect, test } from 'vitest';
import { clearLedger, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import type { ConnectedDestination } from './destinations/destination.ts';
import { createDestinationWatch } from './watch.ts';

const { pool } = await databaseForTests();

test('after a destination has recovered, all retries to it are due at once', async () => {
  await clearLedger(pool);
  await pool.query(
    `insert into deliveries (id, lead_id, destination, state, due_at, event_key)
     select gen_random_uuid(), $1, 'ingest', 'retrying', now() + interval '5 hours', each
     from generate_series(1, 5001) as each`,
    [await seedLead(pool)],
  );
  await pool.query(
    `insert into destination_health (destination, failures, failing_alerted_at) values ('ingest', 9, now())`,
  );
  const alerts: string[] = [];
  const watch = createDestinationWatch({
    pool,
    destinations: [{ name: 'ingest' } as ConnectedDestination],
    limits: { failures: 5, waitMinutes: 10 },
    alert: (text) => void alerts.push(text),
    log: pino({ level: 'silent' }),
  });
  await watch.ended('ingest', { outcome: 'delivered', durationMs: 1 }, false);
  await watch.look();
  const { rows } = await pool.query(
    `select count(*)::int as late from deliveries where due_at > now()`,
  );
  expect(rows).toEqual([{ late: 0 }]);
  expect(alerts).toEqual(['ingest answers again: its waiting leads are sent now']);
});
