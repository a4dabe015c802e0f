import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { purgeOnce, turnFor } from '../../../tests/support/job-clock.ts';
import {
  ana,
  anasBrowser,
  clearLedger,
  dumpOf,
  emailKey,
  keepDays,
  phoneKey,
  seedLead,
  seedStep,
  seedVisit,
} from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { people } from '../../../tests/support/person-keys.ts';
import { erase } from './erase.ts';
import { purge } from './retention.ts';

const { pool } = await databaseForTests(clearLedger);

const start = '2026-01-01T00:00:00Z';
const day = (days: number) => new Date(new Date(start).getTime() + days * 86_400_000);
const count = async (table: string, where = 'true') =>
  (await pool.query(`select 1 from ${table} where ${where}`)).rowCount;

test('each kind of data is purged after its own retention period', async () => {
  const id = await seedLead(pool, {
    createdAt: start,
    deliveries: [{ state: 'delivered', revision: 1, externalId: 'LP-1', finishedAt: start }],
  });
  const leads = { visits: 0, leads: 0, consents: 0, requests: 0 };
  const nothing = { ...leads, clicks: 0, steps: 0, attempts: 0 };
  expect(await purgeOnce(pool, keepDays, day(99))).toEqual(nothing);
  expect(await purgeOnce(pool, keepDays, day(101))).toEqual({ ...nothing, clicks: 1, steps: 1 });
  expect(await count('leads', `ip is not null`)).toBe(1);
  expect(await purgeOnce(pool, keepDays, day(201))).toEqual({ ...nothing, attempts: 1 });
  expect(await count('deliveries', 'last_message is not null')).toBe(0);
  expect(await count('delivery_attempts', 'sent_sha256 is not null and response is null')).toBe(1);

  expect(await purgeOnce(pool, keepDays, day(1_001))).toEqual({ ...nothing, leads: 1 });
  expect(await count('delivery_attempts', 'sent_sha256 is not null')).toBe(0);
  expect(await count('lead_revisions', "body_sha256 <> ''")).toBe(0);
  const { rows } = await pool.query('select text, person, ip from consents');
  const { first_name, last_name, email, phone } = ana;
  const person = { first_name, last_name, email, phone };
  expect(rows).toEqual([{ text: 'I, Anastasia, agree.', person, ip: anasBrowser.ip }]);
  expect(await count('lead_events', `kind = 'expired' and lead_id = '${id}'`)).toBe(1);
  expect(await dumpOf(pool)).not.toContain(ana.address);
  for (const table of ['lead_checks', 'check_answers']) expect(await count(table)).toBe(0);
  expect(await purgeOnce(pool, keepDays, day(1_001))).toEqual(nothing);

  expect(await dumpOf(pool)).toContain(emailKey(ana.email));
  expect(await purgeOnce(pool, keepDays, day(2_001))).toEqual({ ...nothing, consents: 1 });
  const dump = await dumpOf(pool);
  const keys = [emailKey(ana.email), phoneKey(ana.phone)];
  for (const value of [...Object.values(ana), ...Object.values(anasBrowser), ...keys]) {
    expect(dump).not.toContain(value);
  }
  expect(dump).toContain('hash-of-the-text');
  expect(dump).toContain('LP-1');
  expect(await purgeOnce(pool, keepDays, day(2_001))).toEqual(nothing);
});

test('a lead that waits for a destination is purged if the destination has been off for 30 days', async () => {
  const id = await seedLead(pool, {
    createdAt: start,
    deliveries: [{ state: 'waiting', destination: 'automation' }],
  });
  const offSince = (days: number) =>
    pool.query(
      `insert into destination_health (destination, off_at) values ('automation', $1)
       on conflict (destination) do update set off_at = excluded.off_at`,
      [day(days)],
    );
  await offSince(2_980);
  expect(await purgeOnce(pool, keepDays, day(3_000))).toMatchObject({ leads: 0 });
  await offSince(2_960);
  expect(await purgeOnce(pool, keepDays, day(3_000))).toMatchObject({ leads: 1 });
  expect(await count('deliveries', `state = 'suppressed' and lead_id = '${id}'`)).toBe(1);
});

test('a lead with an open delivery is purged only after the delivery has ended', async () => {
  for (const state of ['waiting', 'sending', 'retrying']) {
    await seedLead(pool, { createdAt: start, deliveries: [{ state, revision: 1 }] });
  }
  expect(await purgeOnce(pool, keepDays, day(3_000))).toMatchObject({ leads: 0, clicks: 0 });
  expect(await purgeOnce(pool, keepDays, day(3_001))).toMatchObject({ leads: 0, clicks: 0 });
  await pool.query(`update deliveries set state = 'dead', due_at = null, finished_at = $1`, [
    day(3_001),
  ]);
  expect(await purgeOnce(pool, keepDays, day(3_002))).toMatchObject({ leads: 3, consents: 3 });
  expect(await count('purge_later')).toBe(0);
});

test('a consent is purged by its own age, not by the age of its lead', async () => {
  const id = await seedLead(pool, { createdAt: start, deliveries: [{ state: 'dead' }] });
  const all = { ...keepDays, leads: 9_000 };
  expect(await purgeOnce(pool, all, day(3_000))).toMatchObject({
    consents: 1,
    clicks: 1,
    steps: 1,
  });
  await pool.query(
    `with delivery as (update deliveries set attempts = 1, last_message = 'x', finished_at = $1 returning id)
     insert into delivery_attempts (delivery_id, attempt, started_at, response) select id, 1, $1, 'x' from delivery`,
    [day(3_000)],
  );
  await pool.query(
    `insert into consents (lead_id, revision, text, text_sha256, language, page, created_at)
     values ($1, 2, null, '', 'en', '', $2)`,
    [id, day(3_000)],
  );
  await pool.query('update visits set seen_at = $1', [day(3_000)]);
  await seedStep(pool, id, { email: ana.email });
  const none = { consents: 0, steps: 0, attempts: 0 };
  expect(await purgeOnce(pool, all, day(3_099))).toMatchObject(none);
  expect(await purgeOnce(pool, all, day(3_101))).toMatchObject({ ...none, steps: 1 });
  expect(await purgeOnce(pool, all, day(3_201))).toMatchObject({ ...none, attempts: 1 });
  expect(await count('deliveries', 'last_message is not null')).toBe(0);
  expect(await purgeOnce(pool, all, day(5_001))).toMatchObject({ ...none, consents: 1 });
});

test('data that is older than a shortened retention period is purged', async () => {
  const young = { createdAt: day(50).toISOString(), deliveries: [{ state: 'dead', revision: 1 }] };
  await seedLead(pool, { createdAt: start });
  await seedLead(pool, young);
  expect(await purgeOnce(pool, keepDays, day(101))).toMatchObject({ clicks: 1, attempts: 0 });
  const shorter = { ...keepDays, clicks: 45, attempts: 45 };
  expect(await purgeOnce(pool, shorter, day(101))).toMatchObject({ clicks: 1, attempts: 1 });
  await seedVisit(pool, {}, day(80).toISOString());
  expect(await purgeOnce(pool, keepDays, day(101))).toMatchObject({ visits: 0 });
  expect(await purgeOnce(pool, { ...keepDays, visits: 7 }, day(101))).toMatchObject({ visits: 1 });
});

test('the retention period of a visit without a lead begins at the last save', async () => {
  await seedVisit(pool, { email: ana.email }, start);
  const fresh = await seedVisit(pool, { email: ana.email }, day(20).toISOString());
  const erased = await seedVisit(pool, { email: 'bea@mail.example' }, start);
  await erase(people(pool), 'bea@mail.example', 'tester');
  await seedLead(pool, { createdAt: start });
  expect(await purgeOnce(pool, keepDays, day(40))).toMatchObject({ visits: 1, leads: 0 });
  expect(await count('visits', `lead_id = '${fresh}'`)).toBe(1);
  expect(await count('visits', `lead_id = '${erased}'`)).toBe(1);
  for (const table of ['clicks', 'progress', 'lead_checks']) expect(await count(table)).toBe(2);
});

test('counters of the request limits are purged after a day', async () => {
  const tables = [
    [`address_persons`, `select md5('')::uuid, md5($1)::uuid, $2::timestamptz`],
    [`phone_code_limits`, `select $1, '{}', $2::timestamptz`],
    [`paid_checks`, `select $1, $2::timestamptz, 1`],
    [`request_counts`, `select md5($1)::uuid, $2::timestamptz, 1`],
  ] as const;
  const plan = randomUUID();
  for (const [table, values] of tables) {
    await pool.query(`insert into ${table} ${values}`, ['1', day(49)]);
    await pool.query(`insert into ${table} ${values}`, ['2', day(50.5)]);
  }
  await pool.query(
    `insert into plans (id, action, selection, reason, actor, state, created_at)
     values ($1, 'resend', '', '', 'x', 'done', $2)`,
    [plan, start],
  );
  await pool.query(
    `insert into plan_items (plan_id, number, lead_id, state, text)
     select $1, n, gen_random_uuid(), 'done', '' from generate_series(1, 101) as n`,
    [plan],
  );
  await purgeOnce(pool, keepDays, day(51));
  for (const [table] of tables) expect(await count(table), table).toBe(1);
  expect(await count('plans')).toBe(1);
  await purgeOnce(pool, keepDays, day(201));
  expect(await count('plans')).toBe(0);
});

test('outcomes, and statements with their notes, are deleted after the retention period of leads', async () => {
  for (const at of [start, day(500)]) {
    await pool.query(
      `insert into outcomes (id, destination, reference, kind, at, received_at, source)
       values (gen_random_uuid(), 'ingest', 'LP-1', 'contacted', $1, $1, 'webhook')`,
      [at],
    );
    await pool.query(
      `with s as (
         insert into statements (id, destination, first_day, last_day, file_name, lines, agree, ours, theirs, actor, created_at)
         values (gen_random_uuid(), 'ingest', $1::timestamptz, $1, 'x.csv', 1, 0, 0, 50, 'x', $1) returning id
       ) insert into statement_differences (statement_id, kind, reference, ours, theirs, amount, note)
       select id, 'missing_here', 'X-1', '', 'sold, $50.00', 50, 'Ana Diaz called' from s`,
      [at],
    );
  }
  await purgeOnce(pool, keepDays, day(1_001));
  for (const table of ['outcomes', 'statements', 'statement_differences']) {
    expect(await count(table), table).toBe(1);
  }
});

test('an expired do-not-sell request loses its personal data, but stays recorded', async () => {
  await pool.query(
    `insert into opt_out_requests (id, received_at, language, name, email, phone, state, email_key, sec_gpc, ip,
       user_agent, page, leads, stopped, receipts)
     values (gen_random_uuid(), $1, 'en', 'Ana', 'ana@mail.example', '', 'TX', 'a-key', true, '203.0.113.7',
       'x', '/do-not-sell-my-information/', 1, 1, '[]')`,
    [start],
  );
  expect(await purgeOnce(pool, keepDays, day(1_999))).toMatchObject({ requests: 0 });
  expect(await purgeOnce(pool, keepDays, day(2_001))).toMatchObject({ requests: 1 });
  expect(await purgeOnce(pool, keepDays, day(2_002))).toMatchObject({ requests: 0 });
  const { rows } = await pool.query(
    'select name, email, ip, email_key, stopped from opt_out_requests',
  );
  expect(rows).toEqual([{ name: '', email: '', ip: null, email_key: null, stopped: 1 }]);
});

test('a saved form and its person keys are purged after a day', async () => {
  const [old, recent] = [
    await seedVisit(pool, {}, start),
    await seedVisit(pool, {}, day(1).toISOString()),
  ];
  await pool.query(`update visits set form = '{}', form_keys = '{k1.x}'`);
  await purgeOnce(pool, keepDays, day(1.5));
  const { rows } = await pool.query('select lead_id, form, form_keys from visits');
  expect(rows).toEqual(
    expect.arrayContaining([
      { lead_id: old, form: null, form_keys: null },
      { lead_id: recent, form: {}, form_keys: ['k1.x'] },
    ]),
  );
});

test('the purge continues with other leads if one lead fails', async () => {
  const [poison, other] = [
    await seedLead(pool, { createdAt: start }),
    await seedLead(pool, { createdAt: start }),
  ];
  await pool.query(
    `alter table leads add constraint poison check (id <> '${poison}' or erased_at is null)`,
  );
  const emptied = async () =>
    (await pool.query('select id from leads where erased_at is not null order by id')).rows;
  await purgeOnce(pool, keepDays, day(1_001));
  expect(await emptied()).toEqual([{ id: other }]);
  await pool.query('alter table leads drop constraint poison');
  await purgeOnce(pool, keepDays, day(1_001));
  expect(await emptied()).toHaveLength(2);
  expect(await count('set_aside')).toBe(0);
});

test('the next run continues an interrupted purge', async () => {
  await pool.query(
    `insert into visits (lead_id, seen_at) select gen_random_uuid(), $1 from generate_series(1, 1001)`,
    [start],
  );
  let batches = 0;
  const signal = {
    get aborted() {
      return batches > 0;
    },
  } as AbortSignal;
  const turn = turnFor(pool);
  const doItems: typeof turn.doItems = async (items, ...more) => {
    const done = await turn.doItems(items, ...more);
    batches += items.length > 0 ? 1 : 0;
    return done;
  };
  expect(await purge({ ...turn, signal, doItems }, keepDays, day(31))).toMatchObject({
    visits: 500,
  });
  expect(await purgeOnce(pool, keepDays, day(31))).toMatchObject({ visits: 501 });
  expect(await count('visits')).toBe(0);
});
