/** Leads and destinations for the tests of delivery. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Sandbox } from '../../sandbox/server.ts';
import type { Destination } from '../../src/server/delivery/index.ts';
import { createIngest } from '../../src/server/providers/ingest.ts';
import type { OutgoingHttp } from '../../src/server/providers/outgoing-http.ts';
import type { DeliveryAttemptRow, DeliveryRow } from '../../src/server/storage/schema.ts';

let serial = 0;

export type TestLead = { leadId: string; deliveryId: string };

/** Outward fields that the sandbox takes; every lead with its own phone and e-mail. */
function leadFields(number: number): Record<string, string> {
  return {
    first_name: 'Ana',
    last_name: 'Diaz',
    email: `ana${number}@example.com`,
    phone: String(5_120_000_000 + number),
    city: 'Austin',
    state: 'TX',
    zip_code: '78701',
    at_Fault: 'no',
    physical_injury: 'Yes',
    case_description: 'A truck hit my car from behind at a light',
    sub_id: '1',
  };
}

/** Writes leads with one delivery each, without a job. */
export async function insertLeads(
  pool: pg.Pool,
  count: number,
  options: { state?: string; destination?: string; isTest?: boolean } = {},
): Promise<TestLead[]> {
  const { state = 'waiting', destination = 'ingest', isTest = false } = options;
  const leads = Array.from({ length: count }, () => {
    serial += 1;
    return { leadId: uuidv7(), deliveryId: randomUUID(), fields: leadFields(serial) };
  });
  await pool.query(
    `with given as (
      select * from unnest($1::uuid[], $2::uuid[], $3::text[]) as t (lead_id, delivery_id, fields)
    ), new_leads as (
      insert into leads (id, survey, flow, language, is_test, qualified, lead_is_qualified,
        do_not_send_to_dq, answers, fields)
      select lead_id, '/survey/v4nv', 'v4', 'en', $6, true, true, 'yes', '{}', fields::jsonb from given
    )
    insert into deliveries (id, lead_id, destination, state)
    select delivery_id, lead_id, $4, $5 from given`,
    [
      leads.map((lead) => lead.leadId),
      leads.map((lead) => lead.deliveryId),
      leads.map((lead) => JSON.stringify(lead.fields)),
      destination,
      state,
      isTest,
    ],
  );
  return leads.map(({ leadId, deliveryId }) => ({ leadId, deliveryId }));
}

export async function insertLead(
  pool: pg.Pool,
  options: Parameters<typeof insertLeads>[2] = {},
): Promise<TestLead> {
  const [lead] = await insertLeads(pool, 1, options);
  if (lead === undefined) throw new Error('No lead was written');
  return lead;
}

export async function readDelivery(
  pool: pg.Pool,
  deliveryId: string,
): Promise<DeliveryRow & { log: DeliveryAttemptRow[] }> {
  const delivery = await pool.query<DeliveryRow>('select * from deliveries where id = $1', [
    deliveryId,
  ]);
  const attempts = await pool.query<DeliveryAttemptRow>(
    'select * from delivery_attempts where delivery_id = $1 order by attempt',
    [deliveryId],
  );
  const [row] = delivery.rows;
  if (row === undefined) throw new Error('The delivery is gone');
  return { ...row, log: attempts.rows };
}

/** Jobs that can still run, for one delivery. */
export async function liveJobs(pool: pg.Pool, deliveryId: string): Promise<{ startAfter: Date }[]> {
  const { rows } = await pool.query<{ start_after: Date }>(
    `select start_after from pgboss.job
     where name = 'delivery' and state in ('created', 'retry', 'active')
       and data->>'deliveryId' = $1`,
    [deliveryId],
  );
  return rows.map((row) => ({ startAfter: row.start_after }));
}

/** The real ingest destination, to a sandbox. */
export function sandboxIngest(
  sandbox: Sandbox,
  http: OutgoingHttp,
  timeoutMs: number,
): Destination {
  const { lpCampaignId, lpSupplierId, lpKey } = sandbox.credentials;
  return createIngest({
    http,
    baseUrl: sandbox.url,
    credentials: { campaignId: lpCampaignId, supplierId: lpSupplierId, key: lpKey },
    timeoutMs,
  });
}

/** Polls until `test` answers something, at most `withinMs`. */
export async function until<T>(
  test: () => Promise<T | undefined | false>,
  withinMs: number,
): Promise<T> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const result = await test();
    if (result) return result;
    if (performance.now() > deadlineMs) throw new Error(`Not so within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
