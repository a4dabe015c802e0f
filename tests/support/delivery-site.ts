import { afterAll, beforeEach } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import type { IngestAccount } from '../../src/model/fields/tracking-fields.ts';
import { ingest } from '../../src/server/delivery/destinations/lead-prosper.ts';
import type { DeliveryAttemptRow, DeliveryRow } from '../../src/server/platform/database/schema.ts';
import { createOutgoingHttp } from '../../src/server/platform/outgoing-http.ts';
import {
  forgetLeads,
  insertLeads,
  keysOf,
  type LeadFields,
  resendDelivery,
  sandboxAccount,
  type TestLead,
} from './delivery.ts';
import { databaseForTests } from './own-database.ts';
import { workersForTests } from './workers.ts';

export const MINUTE_MS = 60_000;
/** A number of milliseconds after which every lease has expired. */
export const PAST_LEASE_MS = 16_000;

const moveBack = (table: string, columns: readonly string[]) =>
  `update ${table} set ${columns
    .map((column) => `${column} = ${column} - $1 * interval '1 millisecond'`)
    .join()}`;

type InsertOptions = Parameters<typeof insertLeads>[2];

/**
 * Provides a database and a sandbox for the tests of a file. The database is empty before each
 * test.
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
    /** Simulates that `ms` milliseconds pass, by moving all stored times into the past. */
    async advance(ms: number): Promise<void> {
      await pool.query(moveBack('deliveries', ['due_at', 'first_due_at', 'created_at']), [ms]);
      const times = ['paused_at', 'trial_at', 'recovered_at'];
      await pool.query(moveBack('destination_health', times), [ms]);
    },
    /** Makes all unfinished deliveries due in a minute. */
    dueInAMinute: () =>
      pool.query(
        `update deliveries set due_at = now() + interval '1 minute' where due_at is not null`,
      ),
    /** Creates a delivery worker, which stops after the test. */
    worker: workersForTests(() => ({ pool, alert: (text) => void alerts.push(text) })),
    /** Returns the ingest destination, which sends to the sandbox. */
    ingest: (
      INGEST_TIMEOUT_MS = 30_000,
      { account = sandboxAccount(sandbox), baseUrl = sandbox.url } = {},
    ) =>
      ingest.connect(
        {
          INGEST_URL: baseUrl,
          INGEST_CAMPAIGN_ID: account.campaignId,
          INGEST_SUPPLIER_ID: account.supplierId,
          INGEST_KEY: account.key,
          INGEST_TIMEOUT_MS,
          INGEST_ACCOUNT_CODES: [],
        },
        http,
      ),
    async insert(options?: InsertOptions): Promise<TestLead> {
      const [lead] = await insertLeads(pool, 1, options);
      if (lead === undefined) throw new Error('No lead was written');
      return lead;
    },
    insertMany: (count: number, options?: InsertOptions) => insertLeads(pool, count, options),
    /**
     * Writes the next revision of a lead, as a later post does. Returns the new revision's fields.
     */
    async revise(lead: TestLead, changes: Record<string, string>): Promise<LeadFields> {
      const fields: LeadFields = { ...lead.fields, ...changes };
      const { email_key, phone_key } = keysOf(fields);
      await pool.query(
        `with changed as (
          update leads set revision = revision + 1, updated_at = now()
          where id = $1 returning revision
        )
        insert into lead_revisions (lead_id, revision, body, fields, email_key, phone_key)
        select $1, revision, '{}', $2, $3, $4 from changed`,
        [lead.leadId, JSON.stringify(fields), email_key, phone_key],
      );
      return fields;
    },
    /** Stores the account that the mapping service returned for a lead. */
    mapTo: ({ leadId }: TestLead, account: IngestAccount) =>
      pool.query('update visits set account = $2 where lead_id = $1', [leadId, account]),
    async read({ deliveryId }: Pick<TestLead, 'deliveryId'>) {
      const { rows } = await pool.query<DeliveryRow>('select * from deliveries where id = $1', [
        deliveryId,
      ]);
      const { rows: log } = await pool.query<DeliveryAttemptRow>(
        'select * from delivery_attempts where delivery_id = $1 order by attempt',
        [deliveryId],
      );
      return { ...(rows[0] as DeliveryRow), log };
    },
    resend: ({ deliveryId }: TestLead) => resendDelivery(pool, deliveryId),
  };
}
