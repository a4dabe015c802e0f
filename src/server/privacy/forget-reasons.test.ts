import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { purgeOnce } from '../../../tests/support/job-clock.ts';
import {
  ana,
  clearLedger,
  dumpOf,
  emailKey,
  keepDays,
  phoneKey,
  seedLead,
} from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { people } from '../../../tests/support/person-keys.ts';
import { addAuditEntry } from '../people/audit.ts';
import { erase } from './erase.ts';
import {
  leadSubject,
  MOST_ITEMS_OF_PERSONS,
  personSubject,
  REMOVED_REASON,
  requestSubject,
} from './forget-reasons.ts';

const { pool } = await databaseForTests(async (all) => {
  await clearLedger(all);
  await all.query('truncate plans, plan_items, audit_log');
});

const other = { ...ana, email: 'bea@mail.example', phone: '7375550199' };
const WORDS = 'Diazcarrera wrote to us';

async function seedPlan(leadIds: readonly string[], items = leadIds.length): Promise<string> {
  const id = randomUUID();
  await pool.query(
    `insert into plans (id, action, selection, reason, actor, created_at)
     values ($1, 'resend', 'x', $2, 'x', '2026-01-01')`,
    [id, WORDS],
  );
  await pool.query(
    `insert into plan_items (plan_id, number, lead_id, state, text)
     select $1, number, ($2::uuid[])[1 + (number - 1) % cardinality($2::uuid[])], 'due', 'x'
     from generate_series(1, $3::integer) as number`,
    [id, leadIds, items],
  );
  return id;
}

async function seedRequest(): Promise<string> {
  const id = randomUUID();
  await pool.query(
    `insert into opt_out_requests (id, language, name, email, phone, state, email_key, sec_gpc, page,
       leads, stopped, receipts)
     values ($1, 'en', 'Ana', $2, '', 'TX', $3, false, '/', 0, 0, '[]')`,
    [id, ana.email, emailKey(ana.email)],
  );
  return id;
}

type Entry = { readonly subject: string; readonly reason: string };
const logOf = async () =>
  (await pool.query<Entry>('select * from audit_log order by id')).rows.map((entry) => entry);

test('an erasure removes the free texts that operators wrote about the person', async () => {
  const lead = await seedLead(pool);
  const left = await seedLead(pool, { revisions: [other] });
  const small = await seedPlan([lead, left]);
  const large = await seedPlan([lead], MOST_ITEMS_OF_PERSONS + 1);
  const removed = [
    ...[lead, leadSubject(lead), small, requestSubject(await seedRequest())],
    personSubject({ kind: 'email', key: emailKey(ana.email) }),
    personSubject({ kind: 'phone', key: phoneKey(ana.phone) }),
  ];
  const kept = [left, leadSubject(left), large, `export ${randomUUID()}`];
  const entry = { actor: 'bea@example.com', action: 'x.done', detail: { n: 1 } };
  for (const subject of [...removed, ...kept]) {
    await addAuditEntry(pool, { ...entry, subject, reason: WORDS });
  }
  await pool.query(
    `with added as (insert into statements (id, destination, first_day, last_day, file_name, lines, agree, ours, theirs, actor)
       values (gen_random_uuid(), 'ingest', '2026-01-01', '2026-01-31', 'x.csv', 1, 0, 0, 0, 'x') returning id)
     insert into statement_differences (statement_id, number, kind, reference, lead_id, ours, theirs, amount, state, note)
     select added.id, 1, 'price', 'LP-1', $1, '', '', 0, 'disputed', $2 from added`,
    [lead, WORDS],
  );
  await pool.query(
    `insert into outcomes (id, destination, reference, lead_id, kind, at, source, decision, decision_reason)
     values ('a', 'ingest', 'LP-1', $1, 'returned', now(), 'webhook', 'refused', $2)`,
    [lead, WORDS],
  );
  // `quality_check` is from a fixed list of reasons, so the erasure does not remove it.
  await addAuditEntry(pool, { ...entry, subject: lead, reason: 'quality_check' });
  await addAuditEntry(pool, { ...entry, subject: lead });
  await pool.query(
    `insert into lead_events (id, lead_id, kind, actor, detail)
     values (gen_random_uuid(), $1, 'resent', 'x', jsonb_build_object('reason', $2::text, 'was', 'dead'))`,
    [left, WORDS],
  );
  const before = await logOf();
  await erase(people(pool), ana.email, 'tester', 'deletion_request');
  const expected = before.map((each) =>
    each.reason === WORDS && removed.includes(each.subject)
      ? { ...each, reason: REMOVED_REASON }
      : each,
  );
  expect(expected).not.toEqual(before);
  expect(await logOf()).toEqual(expected);
  const { rows } = await pool.query<{ id: string; reason: string }>('select id, reason from plans');
  expect(new Map(rows.map(({ id, reason }) => [id, reason]))).toEqual(
    new Map([
      [small, REMOVED_REASON],
      [large, WORDS],
    ]),
  );
  const returns = await pool.query('select decision_reason from outcomes');
  expect(returns.rows).toEqual([{ decision_reason: REMOVED_REASON }]);
  const events = await pool.query(`select detail from lead_events where kind = 'resent'`);
  expect(events.rows).toEqual([{ detail: { was: 'dead' } }]);
  const notes = await pool.query('select note from statement_differences');
  expect(notes.rows).toEqual([{ note: REMOVED_REASON }]);
});

test('the plan of a bulk action is purged only after all of its leads have been purged', async () => {
  const lead = await seedLead(pool);
  const small = await seedPlan([lead]);
  await seedPlan([lead], MOST_ITEMS_OF_PERSONS + 1);
  const keep = { ...keepDays, attempts: 1 };
  const purgePlans = async () => {
    await purgeOnce(pool, keep, new Date());
    return (await pool.query('select id from plans')).rows;
  };
  expect(await purgePlans()).toEqual([{ id: small }]);
  await erase(people(pool), lead, 'tester');
  expect(await purgePlans()).toEqual([]);
  expect(await dumpOf(pool)).not.toContain(WORDS);
});

test('an erasure is refused while the job that counts visits is running', async () => {
  const lead = await seedLead(pool);
  const entry = { actor: 'tester', action: 'person.erased', subject: lead };
  const eraseNow = () =>
    erase(people(pool), lead, 'tester', undefined, (client) => addAuditEntry(client, entry));
  const logged = async () =>
    (await pool.query(`select from audit_log where action = 'person.erased'`)).rowCount;
  const count = await pool.connect();
  await count.query('begin');
  await count.query('select 1 from counting where id = 1 for update');
  await expect(eraseNow()).rejects.toThrow('nothing was erased');
  expect(await logged()).toBe(0);
  await count.query('rollback');
  count.release();
  expect((await eraseNow()).leads).toEqual([lead]);
  expect(await logged()).toBe(1);
});
