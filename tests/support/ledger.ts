import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, vi } from 'vitest';
import { formatPhoneMask } from '../../src/model/fields/phone-format.ts';
import { bodySha256 } from '../../src/model/lead/body.ts';
import type { SeenConsent } from '../../src/model/lead/seen-consent.ts';
import { contactKeys } from '../../src/server/platform/database/contact-keys.ts';
import type { KeepDays } from '../../src/server/settings/settings.ts';
import { personKey } from './person-keys.ts';

export const emailKey = (email: string) => personKey('email', email.toLowerCase());
export const phoneKey = (phone: string) => personKey('phone', phone);

/** Retention periods for the tests, in days. */
export const keepDays: KeepDays = {
  visits: 30,
  leads: 1_000,
  clicks: 100,
  attempts: 200,
  consents: 2_000,
  requests: 2_000,
};

/** A person whose values are easy to find in a database dump. */
export const ana = {
  first_name: 'Anastasia',
  last_name: 'Diazcarrera',
  email: 'Ana.Diaz@Mail.Example',
  phone: '5125550123',
  address: '4711 Juniper Lane',
  city: 'Dripping Springs',
  zip_code: '78620',
  case_description: 'A lorry hit me from behind on the bridge',
} as const;
export const anasBrowser = {
  ip: '203.0.113.77',
  userAgent: 'AnasBrowser/7.1',
  clickId: 'c11c'.repeat(8),
  variants: 'buttons.anas',
} as const;

/** The hash of Ana's phone number. Checks of the phone number are stored under this hash. */
export const anasNumberAsked = personKey('phone', ana.phone);

export type SeededLead = {
  id?: string;
  state?: 'accepted' | 'held';
  claimsId?: string;
  createdAt?: string;
  /** The fields of each revision. */
  revisions?: readonly Readonly<Record<string, string>>[];
  deliveries?: readonly SeededDelivery[];
  account?: { campaignId: string; supplierId: string; key: string };
};
export type SeededDelivery = {
  id?: string;
  destination?: string;
  state: string;
  revision?: number;
  mayHaveArrived?: boolean;
  externalId?: string;
  dueAt?: string;
  finishedAt?: string;
};

async function insert(pool: pg.Pool, table: string, row: Record<string, unknown>): Promise<void> {
  const values = Object.values(row).map((value) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  );
  const places = values.map((_, index) => `$${index + 1}`);
  await pool.query(`insert into ${table} (${Object.keys(row)}) values (${places})`, values);
}

/** Writes a lead with rows in every table. */
export async function seedLead(pool: pg.Pool, lead: SeededLead = {}): Promise<string> {
  const { id = randomUUID(), state = 'accepted', claimsId = null, account = null } = lead;
  const { createdAt = new Date().toISOString(), revisions = [ana], deliveries = [] } = lead;
  const { ip, userAgent, clickId, variants } = anasBrowser;
  const sender = { ip, user_agent: userAgent };
  const survey = '/survey/v4nv';
  await insert(pool, 'visits', {
    lead_id: id,
    survey,
    created_at: createdAt,
    seen_at: createdAt,
    account,
    offers: { [ana.zip_code]: {} },
  });
  await insert(pool, 'leads', {
    id,
    survey,
    flow: 'v4',
    language: 'en',
    state,
    revision: revisions.length,
    variants,
    evidence_salt: randomUUID(),
    qualified: true,
    lead_is_qualified: true,
    do_not_send_to_dq: 'no',
    click_id: clickId,
    ...sender,
    sec_gpc: true,
    claims_id: claimsId,
    created_at: createdAt,
  });
  await insert(pool, 'clicks', {
    id: clickId,
    lead_id: id,
    landing_page: `https://example.com${survey}`,
    params: { s1: 'abc' },
    referer: '',
    ...sender,
  });
  const { email = '', phone = '', address = '' } = revisions[0] ?? {};
  await seedStep(pool, id, { email, phone: formatPhoneMask(phone), address });
  for (const [index, fields] of revisions.entries()) {
    const revision = index + 1;
    const mark = [{ field: 'zip_code', value: fields.zip_code }];
    const overrides = [
      { field: 'zip_code', answered: fields.zip_code, becomes: '00000', rule: 'fault.partial' },
    ];
    await insert(pool, 'lead_revisions', {
      lead_id: id,
      revision,
      body: fields,
      body_sha256: bodySha256(fields),
      merged: fields,
      received_at: new Date(Date.parse(createdAt) + revision * 1_000).toISOString(),
      change: { answer: { qualified: 'yes', dq_reason: '' }, fields: ['zip_code'] },
      fields,
      given: fields,
      decisions: mark,
      overrides,
      differences: mark,
      problems: mark,
      ...keysOf(fields),
      rules_version: 'rules-version-of-64',
      flow_version: 'flow-version-of-64',
    });
    const text = `I, ${fields.first_name}, agree.`;
    await insert(pool, 'consents', {
      lead_id: id,
      revision,
      text,
      text_sha256: 'hash-of-the-text',
      language: 'en',
      page: `https://example.com/?email=${fields.email}`,
      ...sender,
      sent_text: text,
      certificate: `certificate-${fields.phone}`,
      buyers: [{ name: 'Firm', of: fields.zip_code }],
      created_at: createdAt,
    });
  }
  for (const delivery of deliveries) await seedDelivery(pool, id, createdAt, delivery);
  await seedCheck(pool, id, createdAt);
  return id;
}

const keysOf = ({ email, phone }: Readonly<Record<string, string>>) => ({
  email_key: email === undefined ? null : emailKey(email),
  phone_key: phone === undefined ? null : phoneKey(phone),
});

/** Queues the lead's entries for the evidence log. */
export async function seedPending(pool: pg.Pool, leadId: string): Promise<void> {
  await pool.query(
    `insert into evidence_pending (ref, number, is_delivery)
     select lead_id, revision, false from lead_revisions where lead_id = $1
     union all select id, 1, true from deliveries where lead_id = $1 and attempts > 0`,
    [leadId],
  );
}

/** The measurement of the consent text that a lead posts. */
export const consentSeen = JSON.stringify({
  how: 'button',
  pressedAt: '2026-11-20T15:00:00.123Z',
  focusBeforeMs: null,
  viewport: [390, 844],
  pixelRatio: 3,
  zoom: 1,
  language: 'en-US',
  theme: 'light',
  size: [343, 118],
  fontSize: 13,
  contrast: 7.1,
  inView: [0, 100],
  inViewMs: 9_120,
  wholeInViewMs: 8_420,
  label: 'See <if> you qualify',
} satisfies SeenConsent);

/** Writes a delivered lead whose evidence is complete. */
export async function seedLoggedLead(pool: pg.Pool, lead: SeededLead = {}): Promise<string> {
  const deliveries = [{ state: 'delivered', revision: 1 }];
  const id = await seedLead(pool, { deliveries, ...lead });
  const change = async (text: string, ...more: unknown[]) => pool.query(text, [id, ...more]);
  await change(
    `update consents set text_sha256 = encode(sha256(convert_to(text, 'UTF8')), 'hex'), buyers = $2
     where lead_id = $1`,
    JSON.stringify([
      { name: 'Firm & Sons', ids: ['1'], chosen: true },
      { name: 'Other', ids: ['2'], chosen: false },
    ]),
  );
  await change(
    `update lead_revisions set body = (body::jsonb || jsonb_build_object('consent_seen', $2::text))::json
     where lead_id = $1`,
    consentSeen,
  );
  await seedPending(pool, id);
  return id;
}

async function seedCheck(pool: pg.Pool, leadId: string, createdAt: string): Promise<void> {
  await insert(pool, 'lead_checks', {
    id: randomUUID(),
    lead_id: leadId,
    service: 'phone',
    asked_sha256: anasNumberAsked,
    at: createdAt,
    duration_ms: 5,
    outcome: 'answered',
    said: { line_type: 'Wireless' },
  });
  await pool.query(
    `insert into check_answers (service, asked_sha256, answer, expires_at)
     values ('phone', $1, '{"line_type":"Wireless"}', 'infinity') on conflict do nothing`,
    [anasNumberAsked],
  );
}

async function seedDelivery(
  pool: pg.Pool,
  leadId: string,
  createdAt: string,
  delivery: SeededDelivery,
): Promise<void> {
  const { id = randomUUID(), destination = 'ingest', state, revision = null } = delivery;
  const { mayHaveArrived = state === 'delivered', externalId = null, finishedAt = null } = delivery;
  const dueAt = ['waiting', 'retrying', 'sending'].includes(state) ? createdAt : null;
  const message = `answered about ${ana.email}`;
  const pin = { revision, account: 'c/s', payload_version: 1 };
  await insert(pool, 'deliveries', {
    id,
    lead_id: leadId,
    destination,
    state,
    attempts: revision === null ? 0 : 1,
    ...pin,
    due_at: delivery.dueAt ?? dueAt,
    may_have_arrived: mayHaveArrived,
    external_id: externalId,
    last_message: message,
    created_at: createdAt,
    finished_at: finishedAt,
  });
  if (revision === null) return;
  await insert(pool, 'delivery_attempts', {
    delivery_id: id,
    attempt: 1,
    started_at: createdAt,
    ended_at: createdAt,
    outcome: state === 'delivered' ? 'delivered' : 'unknown',
    response: message,
    error: message,
    ...pin,
    sent_sha256: 'hash-of-what-was-sent',
  });
}

/** Writes one step of saved progress. */
export async function seedStep(
  pool: pg.Pool,
  leadId: string,
  answers: Readonly<Record<string, string>>,
): Promise<void> {
  const keys = contactKeys(personKey, answers);
  await insert(pool, 'progress', {
    lead_id: leadId,
    seq: 1,
    survey: '/survey/v4nv',
    step: 'Contact',
    kind: 'answered',
    answers,
    contact_keys: keys && `{${keys}}`,
  });
}

/** Writes a visit without a lead. */
export async function seedVisit(
  pool: pg.Pool,
  answers: Readonly<Record<string, string>>,
  seenAt = new Date().toISOString(),
): Promise<string> {
  const id = randomUUID();
  const visit = { lead_id: id, survey: '/survey/v4nv', created_at: seenAt, seen_at: seenAt };
  await insert(pool, 'visits', visit);
  await seedCheck(pool, id, seenAt);
  const { clickId, ip } = anasBrowser;
  await insert(pool, 'clicks', { id: clickId, lead_id: id, ip });
  await seedStep(pool, id, answers);
  return id;
}

/** Empties every table. */
export async function clearLedger(pool: pg.Pool): Promise<void> {
  await pool.query(`truncate visits, leads, lead_revisions, clicks, consents, progress, deliveries,
    delivery_attempts, lead_events, suppressions, revocations, jobs, set_aside, address_persons, lead_checks, check_answers,
    purge_places, purge_later, phone_codes, phone_code_limits, destination_health, opt_out_requests,
    evidence_pending, evidence_tiles, evidence_heads, evidence_keys`);
  await pool.query('update evidence_log set size = 0');
}

/** Adds entries to the money ledger. */
export async function addEntries(pool: pg.Pool, entries: readonly object[]): Promise<void> {
  await pool.query(
    `insert into money_entries (id, key, kind, amount, at, lead_id, delivery_id, destination, source, actor)
     select gen_random_uuid(), key, kind, amount, at, "leadId", "deliveryId", destination, source, actor
     from jsonb_to_recordset($1) as entry(key text, kind text, amount numeric, at timestamptz, "leadId" uuid,
       "deliveryId" uuid, destination text, source text, actor text)`,
    [JSON.stringify(entries)],
  );
}

async function untilBlocked(pool: pg.Pool, call = 'pid'): Promise<void> {
  await vi.waitFor(async () => {
    const { rowCount } = await pool.query(
      `select ${call} from pg_stat_activity
       where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    expect(rowCount).toBeGreaterThan(0);
  });
}

type Statement = readonly [text: string, values?: unknown[]];

/** Starts `work` while another transaction blocks it, and lets that transaction commit. */
export async function blockedBy<Result>(
  pool: pg.Pool,
  work: () => Promise<Result>,
  before: readonly Statement[],
  after: readonly Statement[] = [],
): Promise<Result> {
  const other = await pool.connect();
  await other.query('begin');
  for (const [text, values] of before) await other.query(text, values);
  const working = work();
  await untilBlocked(pool);
  for (const [text, values] of after) await other.query(text, values);
  await other.query('commit');
  other.release();
  return working;
}

/** Starts `work` while another transaction blocks it, and kills the database session of `work`. */
export async function killedWhenBlocked(
  pool: pg.Pool,
  work: () => Promise<unknown>,
  before: Statement,
): Promise<void> {
  const other = await pool.connect();
  await other.query('begin');
  await other.query(...before);
  const dying = work();
  dying.catch(() => undefined);
  await untilBlocked(pool, 'pg_terminate_backend(pid)');
  await expect(dying).rejects.toThrow();
  await other.query('rollback');
  other.release();
}

/** Returns every row of every table as text. */
export async function dumpOf(pool: pg.Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  let dump = '';
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} as t`);
    dump += rows.map(({ row }) => `${name} ${row}\n`).join('');
  }
  return dump;
}
