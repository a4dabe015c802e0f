import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Sandbox } from '../../sandbox/server.ts';
import type { IngestAccount } from '../../src/model/fields/tracking-fields.ts';
import type {
  ConnectedDestination,
  SendRequest,
  SendResult,
} from '../../src/server/delivery/destinations/destination.ts';
import type { Want } from '../../src/server/delivery/leases.ts';
import { readResendable, resendLocked } from '../../src/server/delivery/resend.ts';
import type { DeliveryWorker } from '../../src/server/delivery/worker.ts';
import { personKey } from './person-keys.ts';
import { saleRules } from './sale-rules.ts';

let serial = 0;

export type LeadFields = Record<string, string> & { email: string; phone: string };

export type TestLead = { leadId: string; deliveryId: string; fields: LeadFields };

/** Returns outgoing fields that the sandbox accepts. Different numbers give different persons. */
function leadFields(number: number): LeadFields {
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
    tcpa: 'I agree to be called.',
  };
}

/** Returns what a worker wants of a destination without an account. */
export const wantOf = (destination: string): Want => ({
  destination,
  slots: 5,
  recognisesDuplicates: true,
  account: null,
  usesMappedAccounts: false,
  payloadVersion: 1,
  consent: 'any',
  stopsAtOptOut: false,
});

export const keysOf = ({ email, phone }: LeadFields) => ({
  email_key: personKey('email', email),
  phone_key: personKey('phone', phone),
});

/** Writes leads with one due delivery each. */
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
  const rows = leads.map(({ leadId, deliveryId, fields }) => ({
    lead_id: leadId,
    delivery_id: deliveryId,
    fields,
    ...keysOf(fields),
  }));
  await pool.query(
    `with given as (
      select * from jsonb_to_recordset($1::jsonb) as t (lead_id uuid, delivery_id uuid, fields json,
        email_key text, phone_key text)
    ), new_visits as (
      insert into visits (lead_id, survey) select lead_id, '/survey/v4nv' from given
    ), new_leads as (
      insert into leads (id, survey, flow, language, is_test, qualified, lead_is_qualified,
        do_not_send_to_dq)
      select lead_id, '/survey/v4nv', 'v4', 'en', $2, true, true, 'yes' from given
    ), new_revisions as (
      insert into lead_revisions (lead_id, revision, body, fields, email_key, phone_key)
      select lead_id, 1, '{}', fields, email_key, phone_key from given
    )
    insert into deliveries (id, lead_id, destination, state, created_at, due_at)
    select delivery_id, lead_id, $3, $4::text, now() - interval '1 minute',
      case when $4::text in ('waiting', 'sending', 'retrying') then now() - interval '1 minute' end
    from given`,
    [JSON.stringify(rows), isTest, destination, state],
  );
  return leads;
}

/** Makes a delivery due again, without the checks of an operator's resend. */
export async function resendDelivery(pool: pg.Pool, deliveryId: string): Promise<void> {
  const deliveries = await readResendable(pool, [deliveryId], { locks: false, rules: saleRules });
  await resendLocked(pool, deliveries, { actor: 'tester' });
}

/** Deletes all leads. */
export async function forgetLeads(pool: pg.Pool): Promise<void> {
  await pool.query('truncate leads, visits, suppressions, lead_events cascade');
}

/** Counts the unfinished deliveries to a destination. Default: to all destinations. */
export async function countOpen(pool: pg.Pool, destination?: string): Promise<number> {
  const { rows } = await pool.query<{ open: number }>(
    `select count(*)::int as open from deliveries
     where state <> 'delivered' and destination = coalesce($1, destination)`,
    [destination ?? null],
  );
  return rows[0]?.open ?? 0;
}

/** Sends all due deliveries for which a slot is free. Returns the number of sent deliveries. */
export async function pass(worker: Pick<DeliveryWorker, 'begin'>): Promise<number> {
  const { sends } = await worker.begin();
  await Promise.all(sends);
  return sends.length;
}

export function sandboxAccount(sandbox: Sandbox): IngestAccount {
  const { lpCampaignId, lpSupplierId, lpKey } = sandbox.credentials;
  return { campaignId: lpCampaignId, supplierId: lpSupplierId, key: lpKey };
}

type TestSend = (request: SendRequest, signal?: AbortSignal) => Promise<SendResult>;

/** Returns a destination that the test controls. */
export function controlled(
  name: string,
  send: TestSend,
  options: Partial<Omit<ConnectedDestination, 'name' | 'prepare'>> = {},
): ConnectedDestination {
  return {
    name,
    recognisesDuplicates: true,
    payloadVersion: 1,
    account: null,
    usesMappedAccounts: false,
    permission: { consent: 'any', stopsAtOptOut: false },
    appliesTo: () => true,
    ...options,
    prepare: (request) => ({
      // Omits the attempt's number, so that all attempts with the same revision send the same
      // bytes.
      body: JSON.stringify([request.leadId, request.fields, request.account, request.event]),
      send: (signal) => send(request, signal),
    }),
  };
}

export const delivered: SendResult = { outcome: 'delivered', durationMs: 1 };
export const never = () => new Promise<SendResult>(() => undefined);

/**
 * Calls `test` again and again until `test` returns a value. Throws after `withinMs` milliseconds.
 */
export async function until<T>(
  test: () => Promise<T | undefined | false>,
  withinMs = 60_000,
  everyMs = 50,
): Promise<T> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const result = await test();
    if (result) return result;
    if (performance.now() > deadlineMs) throw new Error(`Not so within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
