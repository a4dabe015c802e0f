/** Delivery workers with their own database and sandbox, for the tests of one file. */
import { afterAll, beforeEach } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { createOutgoingHttp } from '../../src/server/platform/outgoing-http.ts';
import {
  forgetLeads,
  insertLead,
  insertLeads,
  mapLead,
  readDelivery,
  resendDelivery,
  reviseLead,
  sandboxIngest,
  type TestLead,
} from './delivery.ts';
import { databaseForTests } from './own-database.ts';
import { workersForTests } from './workers.ts';

export const MINUTE_MS = 60_000;
/** A time after which every lease has expired. */
export const PAST_LEASE_MS = 16_000;

const moveBack = (table: string, columns: readonly string[]) =>
  `update ${table} set ${columns
    .map((column) => `${column} = ${column} - $1 * interval '1 millisecond'`)
    .join()}`;

type Rest<F> = F extends (first: never, ...rest: infer R) => unknown ? R : never;

/**
 * Creates the database and sandbox of a test file. Await it at the top of the file. Each test begins with an empty
 * database.
 */
export async function deliveryForTests() {
  const { pool, connectionString } = await databaseForTests(forgetLeads, { poolMax: 20 });
  const sandbox = await startSandbox();
  const http = createOutgoingHttp({ allowPrivateNetworks: true });
  const alerts: string[] = [];
  beforeEach(() => {
    alerts.length = 0;
    sandbox.reset();
  });
  afterAll(async () => {
    await sandbox.close();
    await http.close();
  });

  return {
    pool,
    connectionString,
    sandbox,
    http,
    /** The alerts to operators since the test began. */
    alerts,
    /** Lets time pass for deliveries and destinations, by moving their stored times back. */
    async advance(ms: number): Promise<void> {
      await pool.query(moveBack('deliveries', ['due_at', 'first_due_at', 'created_at']), [ms]);
      const times = ['paused_at', 'probe_at', 'recovered_at'];
      await pool.query(moveBack('destination_health', times), [ms]);
    },
    /** Makes all open deliveries due in a minute. */
    dueInAMinute: () =>
      pool.query(
        `update deliveries set due_at = now() + interval '1 minute' where due_at is not null`,
      ),
    /** Creates a worker with its own lease owner. It stops after the test. */
    worker: workersForTests(() => ({ pool, alert: (text) => void alerts.push(text) })),
    /** The sandbox's ingest service. The default time-out is long enough for a busy machine. */
    ingest: (timeoutMs = 30_000, changes: Parameters<typeof sandboxIngest>[3] = {}) =>
      sandboxIngest(sandbox, http, timeoutMs, changes),
    insert: (...rest: Rest<typeof insertLead>) => insertLead(pool, ...rest),
    insertMany: (...rest: Rest<typeof insertLeads>) => insertLeads(pool, ...rest),
    revise: (...rest: Rest<typeof reviseLead>) => reviseLead(pool, ...rest),
    mapTo: (...rest: Rest<typeof mapLead>) => mapLead(pool, ...rest),
    read: ({ deliveryId }: Pick<TestLead, 'deliveryId'>) => readDelivery(pool, deliveryId),
    resend: ({ deliveryId }: TestLead) => resendDelivery(pool, deliveryId),
  };
}
