import { expect, test } from 'vitest';
import { setBuyer } from '../../../tests/support/buyers.ts';
import { clearLedger, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import type { LeadFilter } from '../../model/messages/console/leads.ts';
import { pauseDeliveries } from '../delivery/pause.ts';
import { readNow } from './attention.ts';

const { pool } = await databaseForTests(clearLedger);
const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

const read = (more: Partial<Parameters<typeof readNow>[0]> = {}) =>
  readNow({
    client: pool,
    role: 'viewer',
    timeZone: 'UTC',
    missingBuyer: [],
    destinations: ['webhook', 'ingest', 'exchange'],
    ignored: ['exchange'],
    countLeads: async () => ({ count: 0, isExact: true }),
    ...more,
  });

test('dead deliveries of the last seven days raise an urgent warning', async () => {
  for (const days of [0, 3, 30]) {
    const dead = { state: 'dead', finishedAt: ago(days) };
    await seedLead(pool, {
      deliveries: [dead, { ...dead, destination: 'webhook' }, { ...dead, destination: 'exchange' }],
    });
  }
  const { attention } = await read();
  expect(attention.filter(({ text }) => text.includes('given up'))).toMatchObject([
    { isUrgent: true, text: expect.stringMatching(/^2 deliveries to Lead Prosper were given up/) },
    { isUrgent: false, to: '/deliveries?destination=webhook' },
  ]);
  await setBuyer(pool, 'ingest', { name: 'Garza' });
  const named = await read();
  expect(named.attention[0]?.text).toMatch(/^2 deliveries to Garza were/);
});

test('unsold leads raise an urgent warning', async () => {
  const matter = async (count: number, missingBuyer: readonly string[]) => {
    const countLeads = async ({ outcome }: LeadFilter) => ({
      count: outcome === 'unsold' ? count : 0,
      isExact: true,
    });
    const { attention } = await read({ countLeads, missingBuyer });
    return attention.find(({ to }) => to === '/leads?outcome=unsold');
  };
  expect(await matter(1, ['INGEST_URL'])).toMatchObject({
    isUrgent: true,
    to: '/leads?outcome=unsold',
  });
  expect(await matter(0, ['INGEST_URL'])).toBeDefined();
  expect(await matter(0, [])).toBeUndefined();
});

test('leads that reach no buyer raise warnings', async () => {
  await pool.query('truncate buyers');
  const choices = async () => {
    const countLeads = async ({ outcome }: LeadFilter) => ({
      count: outcome === 'passed_over' ? 2 : 0,
      isExact: true,
    });
    return (await read({ countLeads })).attention.filter(({ to }) => /^.(leads|buyers)/.test(to));
  };
  await setBuyer(pool, 'ingest');
  await setBuyer(pool, 'ingest/gone');
  const nobody = expect.objectContaining({
    text: expect.stringMatching(/^2 leads of the last 7 days went to nobody/),
    to: expect.stringMatching(/^\/leads\?outcome=passed_over&from=\d{4}/),
  });
  await seedLead(pool, { deliveries: [{ state: 'waiting', destination: 'ingest' }] });
  await pool.query('update deliveries set is_unrouted = true');
  expect(await choices()).toEqual([nobody]);
  await pool.query(`update deliveries set created_at = now() - interval '2 days'`);
  await seedLead(pool, { deliveries: [{ state: 'waiting', destination: 'ingest/gone' }] });
  expect(await choices()).toEqual([
    expect.objectContaining({
      isUrgent: true,
      text: expect.stringMatching(/^1 lead waits for Smith & Jones, which is not set up/),
    }),
    nobody,
    expect.objectContaining({
      text: '1 lead has waited for a buyer for more than a day.',
      to: '/buyers',
    }),
  ]);
});

test('missing confirmations of revocations raise a warning, urgent near the deadline', async () => {
  const id = await seedLead(pool);
  const add = (destination: string, days: number) =>
    pool.query(
      `insert into revocations (lead_id, destination, source, confirm_by)
       values ($1, $2, 'sms', (now() at time zone 'UTC')::date + $3::integer)`,
      [id, destination, days],
    );
  const matter = async () =>
    (await read()).attention.filter(({ to }) => to.startsWith('/people-requests'));
  expect(await matter()).toEqual([]);
  await add('ingest', 3);
  expect(await matter()).toMatchObject([
    {
      isUrgent: false,
      text: expect.stringMatching(
        /^1 recipient has not confirmed a revocation; the first is due on [A-Z][a-z]{2} \d+\.$/,
      ),
      to: '/people-requests?tab=revocations',
    },
  ]);
  await add('contact', 2);
  expect(await matter()).toMatchObject([
    { isUrgent: true, text: expect.stringMatching(/^2 recipients have not confirmed/) },
  ]);
});

test('returns that wait for a decision raise a warning', async () => {
  await pool.query(`insert into outcomes (id, destination, reference, lead_id, kind, reason, at, source)
    values ('a', 'ingest', 'LP-1', gen_random_uuid(), 'returned', 'duplicate', now(), 'import')`);
  const { attention } = await read();
  expect(attention).toContainEqual({
    isUrgent: false,
    text: '1 return waits for your decision.',
    to: '/buyers?tab=returns',
  });
  await pool.query('delete from outcomes');
});

test('a viewer cannot read the reason for which an operator paused deliveries', async () => {
  await seedLead(pool, { deliveries: [{ state: 'retrying', revision: 1, dueAt: ago(0) }] });
  await pauseDeliveries(pool, 'ingest', 'Bea Cruz called', 'ana@example.com');
  expect(JSON.stringify(await read({ role: 'operator' }))).toContain('Bea Cruz');
  expect(JSON.stringify(await read())).not.toContain('Bea Cruz');
});

test('leads that a state rule holds raise a warning that says why', async () => {
  await pool.query(
    `insert into visit_summaries (lead_id, began_at, survey, holds)
     select gen_random_uuid(), now(), '/survey/v4nv', array['state_rule'] from generate_series(1, 3)`,
  );
  const { attention } = await read();
  expect(attention.filter(({ to }) => to.startsWith('/leads?lead=held'))).toMatchObject([
    {
      text: '3 leads are held: a state’s rule does not allow the sale.',
      to: '/leads?lead=held&hold=state_rule',
    },
  ]);
});
