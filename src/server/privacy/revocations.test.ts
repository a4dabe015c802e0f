import { describe, expect, test } from 'vitest';
import { wantOf } from '../../../tests/support/delivery.ts';
import { ana, clearLedger, killedWhenBlocked, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { people } from '../../../tests/support/person-keys.ts';
import { planning } from '../../../tests/support/plans.ts';
import { saleRules } from '../../../tests/support/sale-rules.ts';
import { leaseDue } from '../delivery/leases.ts';
import { readResendable, resend } from '../delivery/resend.ts';
import { parseSettings } from '../settings/settings.ts';
import { erase } from './erase.ts';
import { listRevocations } from './revocations.ts';
import { suppress, undoSuppress } from './suppress.ts';

const database = await databaseForTests(clearLedger);
const { pool } = database;
const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
const settingsOf = (more: NodeJS.ProcessEnv = {}) =>
  parseSettings({
    WEBHOOK_URL: 'https://crm.example.com/',
    WEBHOOK_SECRETS: secret,
    OPERATORS_TIME_ZONE: 'America/New_York',
    ...more,
  });
const withListener = { ...people(pool), settings: settingsOf() };
const noted = {
  actor: 'tester',
  source: 'email',
  revokedAt: new Date('2026-11-21T03:00Z'),
} as const;

const wanted = wantOf('webhook');
const lease = () => leaseDue(pool, { wants: [wanted], owner: 'worker' });
const events = async () =>
  (
    await pool.query(
      `select event_key, state, end_reason from deliveries where event->>'type' = 'consent.revoked'
       order by created_at, event_key`,
    )
  ).rows;
const open = async () =>
  (await pool.query('select destination from revocations where confirmed_at is null')).rows.map(
    ({ destination }) => destination,
  );
const soldLead = () =>
  seedLead(pool, {
    deliveries: [
      { state: 'delivered', revision: 1, externalId: 'LP-1', finishedAt: '2026-11-20T12:00:00Z' },
      { destination: 'exchange', state: 'delivered', finishedAt: '2026-11-20T12:00:01Z' },
      { destination: 'webhook', state: 'waiting' },
    ],
  });

describe('A revocation', () => {
  test('plans an event with all recipients, and a deadline for those that may call', async () => {
    const id = await soldLead();
    const unsold = await seedLead(pool, { deliveries: [{ state: 'waiting' }] });
    await suppress(withListener, ana.email, noted);
    // 3:00 UTC on Saturday is still Friday in New York.
    const about = {
      source: 'email',
      revoked_at: '2026-11-21T03:00:00.000Z',
      confirm_by: '2026-12-04',
    };
    const [leased, ...more] = await lease();
    expect(more).toEqual([]);
    expect(leased).toMatchObject({
      leadId: id,
      event: {
        type: 'consent.revoked',
        ...about,
        recipients: [
          {
            destination: 'ingest',
            external_id: 'LP-1',
            state: 'delivered',
            at: '2026-11-20T12:00:00.000Z',
          },
          {
            destination: 'exchange',
            external_id: null,
            state: 'delivered',
            at: '2026-11-20T12:00:01.000Z',
          },
        ],
      },
    });
    const missing = { leadId: id, destination: 'ingest', externalId: 'LP-1' };
    expect(await listRevocations(pool)).toMatchObject([
      { ...missing, confirmBy: '2026-12-04', toldAt: null },
    ]);
    expect(await open()).toEqual(['ingest']);
    expect(unsold).not.toBe(id);
    const { rows } = await pool.query(`select detail from lead_events where lead_id = $1`, [id]);
    expect(rows[0].detail).toMatchObject({ source: 'email' });
  });

  test.each([{ WEBHOOK_EVENTS: 'lead.accepted' }, { WEBHOOK_URL: '', WEBHOOK_SECRETS: '' }])(
    'causes only the deadline if no listener wants the event',
    async (more) => {
      await soldLead();
      const settings = settingsOf(more);
      await suppress({ ...withListener, settings }, ana.email, noted);
      expect(await events()).toEqual([]);
      expect(await listRevocations(pool)).toMatchObject([{ destination: 'ingest' }]);
    },
  );

  test('that is repeated, or comes by another way, changes nothing', async () => {
    await soldLead();
    await suppress(withListener, ana.email, noted);
    await Promise.all([
      suppress(withListener, ana.email, { ...noted, source: 'call' }),
      suppress(withListener, ana.phone, { ...noted, source: 'sms' }),
    ]);
    expect(await events()).toMatchObject([{ event_key: 'consent.revoked 0', state: 'waiting' }]);
    expect(await open()).toEqual(['ingest']);
  });

  test('that is undone is closed, its event is not sent, and the next one is new', async () => {
    await soldLead();
    await suppress(withListener, ana.email, noted);
    await undoSuppress(withListener, ana.email, 'tester');
    expect(await open()).toEqual([]);
    expect(await lease()).toMatchObject([{ event: null }]);
    expect(await events()).toMatchObject([{ state: 'suppressed', end_reason: 'undone' }]);
    await suppress(withListener, ana.email, noted);
    expect(await events()).toMatchObject([
      { event_key: 'consent.revoked 0', state: 'suppressed' },
      { event_key: 'consent.revoked 1', state: 'waiting' },
    ]);
    expect(await open()).toEqual(['ingest']);
  });

  test('that is undone while its event is being sent is not sent again', async () => {
    await soldLead();
    await suppress(withListener, ana.email, noted);
    expect(await lease()).toHaveLength(1);
    await undoSuppress(withListener, ana.email, 'tester');
    await pool.query(
      `update deliveries set state = 'retrying', due_at = now() where event is not null`,
    );
    expect(await lease()).toMatchObject([{ event: null }]);
    expect(await events()).toMatchObject([{ state: 'suppressed', end_reason: 'undone' }]);
  });

  test('names each recipient once', async () => {
    const id = await soldLead();
    await pool.query(
      `insert into deliveries (id, lead_id, destination, state, finished_at, event_key)
       select gen_random_uuid(), $1, 'webhook', 'delivered', now(), 'lead.' || name
       from unnest(array['accepted', 'revised 2']) as name`,
      [id],
    );
    await suppress(withListener, ana.email, noted);
    const recipients = ['ingest', 'exchange', 'webhook'].map((destination) => ({ destination }));
    expect(await lease()).toMatchObject([{ event: { recipients } }]);
  });

  test('includes a delivery that is being sent', async () => {
    const id = await seedLead(pool, { deliveries: [{ state: 'sending', revision: 1 }] });
    await suppress(withListener, ana.email, noted);
    await pool.query(
      `update deliveries set state = 'delivered', external_id = 'LP-2' where event is null`,
    );
    expect(await lease()).toMatchObject([
      { leadId: id, event: { recipients: [{ destination: 'ingest', state: 'sending' }] } },
    ]);
    expect(await listRevocations(pool)).toMatchObject([{ leadId: id, externalId: 'LP-2' }]);
  });

  test('is still told and confirmed after an erasure', async () => {
    const id = await soldLead();
    await suppress(withListener, ana.email, noted);
    await erase(withListener, ana.email, 'tester');
    expect(await lease()).toMatchObject([{ leadId: id, event: { type: 'consent.revoked' } }]);
    expect(await open()).toEqual(['ingest']);
  });

  test('whose event was given up can be told again', async () => {
    const id = await soldLead();
    await suppress(withListener, ana.email, noted);
    await pool.query(
      `update deliveries set state = 'dead', due_at = null where event_key like 'consent.revoked%'`,
    );
    const options = { actor: 'tester', force: false };
    await resend(pool, id, { ...options, destination: 'webhook consent.revoked 0' }, saleRules);
    expect(await lease()).toMatchObject([{ leadId: id, event: { type: 'consent.revoked' } }]);
    const rows = await readResendable(pool, [id], {
      locks: false,
      rules: saleRules,
      by: 'd.lead_id',
    });
    expect(rows.map(({ is_suppressed }) => is_suppressed)).toEqual([true, true, true, false]);
  });

  test('is stored as a whole or not at all', async () => {
    await soldLead();
    // Blocks the last statement, so that everything else is done when the session dies.
    await killedWhenBlocked(pool, () => suppress(withListener, ana.email, noted), [
      'lock table lead_events in exclusive mode',
    ]);
    expect(await events()).toEqual([]);
    expect(await open()).toEqual([]);
    expect((await pool.query('select 1 from suppressions')).rowCount).toBe(0);
    expect((await pool.query(`select 1 from deliveries where state = 'waiting'`)).rowCount).toBe(1);
  });
});

test('the list reads only the open revocations, by deadline, from their index', async () => {
  const id = await seedLead(pool);
  await pool.query(
    `insert into revocations (lead_id, destination, source, confirm_by, confirmed_at)
     select $1, 'buyer' || n, 'sms', date '2026-01-01' + n / 100, case when n % 50 > 0 then now() end
     from generate_series(1, 20000) n`,
    [id],
  );
  await pool.query('vacuum analyze revocations');
  const { pool: planned, plans } = planning(database.connectionString);
  const revocations = await listRevocations(planned);
  await planned.end();
  expect(plans).toHaveLength(1);
  expect(plans[0]).toMatch(/Index Scan using revocations_open_idx/);
  expect(plans[0]).not.toMatch(/Seq Scan|Sort/);
  const days = revocations.map(({ confirmBy }) => confirmBy);
  expect(days).toHaveLength(200);
  expect(days).toEqual(days.toSorted());
});
