/** Ledger rows for operators' tests: one lead with everything that can belong to it. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, vi } from 'vitest';
import { formatPhoneMask } from '../../src/domain/phone-format.ts';
import { bodySha256 } from '../../src/intake/body-hash.ts';
import type { KeepDays } from '../../src/server/config/settings.ts';
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

/** A person whose values can all be found in a dump. */
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
} as const;

/** The hash under which her number was checked. */
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

/** Writes a lead with visit, click, steps, consents and deliveries, and an attempt for each that began. */
export async function seedLead(pool: pg.Pool, lead: SeededLead = {}): Promise<string> {
  const { id = randomUUID(), state = 'accepted', claimsId = null, account = null } = lead;
  const { createdAt = new Date().toISOString(), revisions = [ana], deliveries = [] } = lead;
  const newest = revisions.at(-1) ?? {};
  const key = (value: string | undefined, of: (value: string) => string) =>
    value === undefined ? null : of(value);
  const { ip, userAgent, clickId } = anasBrowser;
  await pool.query(
    `insert into visits (lead_id, survey, created_at, seen_at, account, offers)
     values ($1, '/survey/v4nv', $2, $2, $3, $4)`,
    [id, createdAt, account && JSON.stringify(account), JSON.stringify({ [ana.zip_code]: {} })],
  );
  await pool.query(
    `insert into leads (id, survey, flow, language, state, revision, qualified, lead_is_qualified,
       do_not_send_to_dq, email_key, phone_key, click_id, ip, user_agent, sec_gpc, claims_id, created_at)
     values ($1, '/survey/v4nv', 'v4', 'en', $2, $3, true, true, 'no', $4, $5, $6, $7, $8, true, $9, $10)`,
    [
      id,
      state,
      revisions.length,
      key(newest.email, emailKey),
      key(newest.phone, phoneKey),
      clickId,
      ip,
      userAgent,
      claimsId,
      createdAt,
    ],
  );
  await pool.query(
    `insert into clicks (id, lead_id, landing_page, params, referer, ip, user_agent)
     values ($1, $2, 'https://example.com/survey/v4nv', '{"s1":"abc"}', '', $3, $4)`,
    [clickId, id, ip, userAgent],
  );
  const { email = '', phone = '', address = '' } = revisions[0] ?? {};
  await seedStep(pool, id, { email, phone: formatPhoneMask(phone), address });
  for (const [index, fields] of revisions.entries()) {
    const revision = index + 1;
    const mark = JSON.stringify([{ field: 'zip_code', value: fields.zip_code }]);
    await pool.query(
      `insert into lead_revisions (lead_id, revision, received_at, body, body_sha256, merged, change,
         answers, fields, given, decisions, overrides, differences, problems, email_key, phone_key,
         rules_version, flow_version)
       values ($1, $2::integer, $3::timestamptz + $2::integer * interval '1 second', $4, $5, $4, $6, $4, $4, $4, $7, $7, $7, $7,
         $8, $9, 'rules-version-of-64', 'flow-version-of-64')`,
      [
        id,
        revision,
        createdAt,
        JSON.stringify(fields),
        bodySha256(fields),
        JSON.stringify({ answer: { qualified: 'yes', dq_reason: '' }, fields: ['zip_code'] }),
        mark,
        key(fields.email, emailKey),
        key(fields.phone, phoneKey),
      ],
    );
    await pool.query(
      `insert into consents (lead_id, revision, text, text_sha256, language, page, ip, user_agent,
         certificate, sent_text, buyers, created_at)
       values ($1, $2, $3, 'hash-of-the-text', 'en', $4, $5, $6, $7, $3, $8, $9)`,
      [
        id,
        revision,
        `I, ${fields.first_name}, agree.`,
        `https://example.com/?email=${fields.email}`,
        ip,
        userAgent,
        `certificate-${fields.phone}`,
        JSON.stringify([{ name: 'Firm', of: fields.zip_code }]),
        createdAt,
      ],
    );
  }
  for (const delivery of deliveries) await seedDelivery(pool, id, createdAt, delivery);
  await seedCheck(pool, id, createdAt);
  return id;
}

/** Writes a phone check of Ana's number, recorded with the lead and cached. */
async function seedCheck(pool: pg.Pool, leadId: string, createdAt: string): Promise<void> {
  await pool.query(
    `insert into lead_checks (id, lead_id, service, asked_sha256, at, duration_ms, outcome, said)
     values ($1, $2, 'phone', $3, $4, 5, 'answered', '{"line_type":"Wireless"}')`,
    [randomUUID(), leadId, anasNumberAsked, createdAt],
  );
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
  const attempts = revision === null ? 0 : 1;
  await pool.query(
    `insert into deliveries (id, lead_id, destination, state, attempts, due_at, revision, account,
       payload_version, may_have_arrived, external_id, last_message, created_at, finished_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'c/s', 1, $8, $9, $10, $11, $12)`,
    [
      id,
      leadId,
      destination,
      state,
      attempts,
      delivery.dueAt ?? dueAt,
      revision,
      mayHaveArrived,
      externalId,
      message,
      createdAt,
      finishedAt,
    ],
  );
  if (revision === null) return;
  await pool.query(
    `insert into delivery_attempts (delivery_id, attempt, started_at, ended_at, outcome, response, error,
       revision, account, payload_version, sent_sha256)
     values ($1, 1, $2, $2, $3, $4, $4, $5, 'c/s', 1, 'hash-of-what-was-sent')`,
    [id, createdAt, state === 'delivered' ? 'delivered' : 'unknown', message, revision],
  );
}

/** Writes a step with answers, but no visit. */
export async function seedStep(
  pool: pg.Pool,
  leadId: string,
  answers: Readonly<Record<string, string>>,
): Promise<void> {
  await pool.query(
    `insert into progress (lead_id, seq, survey, step, kind, answers)
     values ($1, 1, '/survey/v4nv', 'Contact', 'answered', $2)`,
    [leadId, JSON.stringify(answers)],
  );
}

/** Writes a visit without a lead. */
export async function seedVisit(
  pool: pg.Pool,
  answers: Readonly<Record<string, string>>,
  seenAt = new Date().toISOString(),
): Promise<string> {
  const id = randomUUID();
  await pool.query(
    `insert into visits (lead_id, survey, created_at, seen_at) values ($1, '/survey/v4nv', $2, $2)`,
    [id, seenAt],
  );
  await seedCheck(pool, id, seenAt);
  await pool.query(`insert into clicks (id, lead_id, ip) values ($1, $2, $3)`, [
    anasBrowser.clickId,
    id,
    anasBrowser.ip,
  ]);
  await seedStep(pool, id, answers);
  return id;
}

/** Empties every table. */
export async function clearLedger(pool: pg.Pool): Promise<void> {
  await pool.query(`truncate visits, leads, lead_revisions, clicks, consents, progress, deliveries,
    delivery_attempts, lead_events, suppressions, chores, address_persons, lead_checks, check_answers,
    phone_codes, phone_code_limits, destination_health, opt_out_requests`);
}

/** Waits until a session on this database waits for a lock. */
async function untilBlocked(pool: pg.Pool): Promise<void> {
  await vi.waitFor(async () => {
    const { rowCount } = await pool.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    expect(rowCount).toBeGreaterThan(0);
  });
}

type Statement = readonly [text: string, values?: unknown[]];

/**
 * Runs the work while another transaction has done `before`, for which it must wait. That transaction then does
 * `after` and commits.
 */
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
