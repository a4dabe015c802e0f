import { expect, test } from 'vitest';
import { clearLedger, seedLead } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import type { Role } from '../../../contract/console/people.ts';
import { pauseByOperator } from '../../delivery/destination-health.ts';
import { readNow } from './now.ts';

const { pool } = await databaseForTests(clearLedger);
const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

test('deliveries that were given up in the last days need a person, by the name people know', async () => {
  for (const days of [0, 3, 30]) {
    await seedLead(pool, {
      deliveries: [
        { state: 'dead', finishedAt: ago(days) },
        { destination: 'webhook', state: 'dead', finishedAt: ago(days) },
        { destination: 'exchange', state: 'dead', finishedAt: ago(days) },
      ],
    });
  }
  const { attention } = await readNow({
    client: pool,
    role: 'viewer',
    destinations: ['webhook', 'ingest', 'exchange'],
    ignored: ['exchange'],
    timeZone: 'America/New_York',
    countUnsold: async () => ({ count: 0, isExact: true }),
    missingBuyer: [],
  });
  expect(attention.filter(({ kind }) => kind === 'delivery')).toEqual([
    {
      ...{ kind: 'delivery', isUrgent: true, to: '/deliveries?destination=ingest' },
      text: '2 deliveries to Lead Prosper were given up in the last 7 days.',
    },
    {
      ...{ kind: 'delivery', isUrgent: false, to: '/deliveries?destination=webhook' },
      text: '2 deliveries to signed webhooks were given up in the last 7 days.',
    },
  ]);
});

test('leads that nobody buys are an alarm', async () => {
  const matter = async (count: number, missingBuyer: readonly string[]) => {
    const { attention } = await readNow({
      ...{
        client: pool,
        role: 'viewer',
        destinations: [],
        ignored: [],
        timeZone: 'UTC',
        missingBuyer,
      },
      countUnsold: async () => ({ count, isExact: true }),
    });
    return attention.find(({ kind }) => kind === 'unsold');
  };
  expect(await matter(1, ['INGEST_URL'])).toMatchObject({
    text: 'No buyer is set up: 1 lead is unsold. Set INGEST_URL and restart; then resend the unsold leads.',
    ...{ isUrgent: true, to: '/leads?outcome=unsold' },
  });
  expect((await matter(0, ['INGEST_URL']))?.text).toMatch(/^No buyer is set up: every lead/);
  expect((await matter(2, []))?.text).toMatch(/^2 leads are unsold/);
  expect(await matter(0, [])).toBeUndefined();
});

test('an outage is as old as its oldest lead, and only operators read the words of a pause', async () => {
  await seedLead(pool, { deliveries: [{ state: 'retrying', revision: 1, dueAt: ago(0) }] });
  await pool.query(`update deliveries set first_due_at = now() - interval '40 minutes'`);
  const read = (role: Role) =>
    readNow({
      ...{ client: pool, role, destinations: ['ingest'], ignored: [], timeZone: 'UTC' },
      ...{ countUnsold: async () => ({ count: 0, isExact: true }), missingBuyer: [] },
    });
  const late = await read('viewer');
  expect(Math.round(late.oldestDueSeconds / 60)).toBe(40);
  expect(late.attention[0]?.text).toContain('the oldest is 40 minutes late');
  const by = { operator: 'ana@example.com', reason: 'Bea Cruz called' };
  await pauseByOperator(pool, 'ingest', by);
  expect(JSON.stringify(await read('operator'))).toContain('Bea Cruz');
  expect(JSON.stringify(await read('viewer'))).not.toContain('Bea Cruz');
});
