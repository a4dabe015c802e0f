import { describe, expect, test } from 'vitest';
import {
  ana,
  blockedBy,
  clearLedger,
  emailKey,
  phoneKey,
  seedLead,
} from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { people } from '../../../tests/support/person-keys.ts';
import { leaseDue, type Want } from '../delivery/leases.ts';
import { release } from './release.ts';
import { resend } from './resend.ts';
import { suppress, undoSuppress } from './suppress.ts';

const { pool } = await databaseForTests(clearLedger);

async function all(text: string): Promise<unknown[]> {
  return (await pool.query(text)).rows;
}

describe('suppress', () => {
  test('by e-mail address: stops open deliveries, whichever revision has the address', async () => {
    const old = await seedLead(pool, {
      revisions: [ana, { email: 'new@mail.example' }],
      deliveries: [{ state: 'retrying', revision: 1 }],
    });
    const sold = await seedLead(pool, {
      deliveries: [{ state: 'delivered', revision: 1, externalId: 'LP-1' }],
    });
    const stranger = await seedLead(pool, {
      revisions: [{ email: 'bea@mail.example' }],
      deliveries: [{ state: 'waiting' }],
    });
    const done = await suppress(people(pool), ana.email, 'tester');
    expect(done).toMatchObject({ keys: 1, leads: 2, stopped: 1 });
    expect(done.receipts.filter(({ destination }) => destination === 'ingest')).toMatchObject([
      { lead_id: sold, external_id: 'LP-1', is_personal: true },
    ]);
    expect(await all('select lead_id, state from deliveries order by state')).toEqual([
      { lead_id: sold, state: 'delivered' },
      { lead_id: old, state: 'suppressed' },
      { lead_id: stranger, state: 'waiting' },
    ]);
    expect(await all('select key, kind, actor from suppressions')).toEqual([
      { key: emailKey(ana.email), kind: 'email', actor: 'tester' },
    ]);
    expect(await all('select lead_id from lead_events')).toHaveLength(2);
    // Suppressing again changes nothing.
    expect(await suppress(people(pool), ana.email, 'tester')).toMatchObject({
      keys: 0,
      stopped: 0,
    });
    expect(await all('select lead_id from lead_events')).toHaveLength(2);
  });

  test.each(['\u200e ana.diaz@mail.example\u202c', 'ana.diaz\u200b@mail.example\ufeff'])(
    'by an address copied with invisible characters (%j)',
    async (written) => {
      await suppress(people(pool), written, 'tester');
      expect(await all('select key from suppressions')).toEqual([{ key: emailKey(ana.email) }]);
    },
  );

  test('names a delivery that a worker leased before it could be stopped', async () => {
    const id = await seedLead(pool, { deliveries: [{ state: 'waiting' }] });
    const lease = `update deliveries set state = 'sending', due_at = now() + interval '10 s'`;
    const suppressing = () => suppress(people(pool), ana.email, 'tester');
    expect(await blockedBy(pool, suppressing, [[lease]])).toMatchObject({
      stopped: 0,
      receipts: expect.arrayContaining([
        expect.objectContaining({ lead_id: id, destination: 'ingest', state: 'sending' }),
      ]),
    });
  });

  test('by a lead: suppresses the keys of all its revisions; once undone, it can be resent', async () => {
    const id = await seedLead(pool, {
      revisions: [ana, { email: 'new@mail.example', phone: ana.phone }],
      deliveries: [{ state: 'waiting' }],
    });
    const held = await seedLead(pool, { state: 'held', deliveries: [{ state: 'held' }] });
    expect(await suppress(people(pool), id, 'tester')).toMatchObject({
      keys: 3,
      leads: 2,
      stopped: 2,
    });
    expect(await all('select key from suppressions')).toEqual(
      expect.arrayContaining(
        [emailKey(ana.email), emailKey('new@mail.example'), phoneKey(ana.phone)].map((key) => ({
          key,
        })),
      ),
    );
    const options = { force: true, actor: 'tester' };
    await expect(resend(pool, id, options)).rejects.toThrow('asked not to be contacted');
    await expect(release(pool, held, 'tester')).rejects.toThrow('asked not to be contacted');
    expect(await undoSuppress(people(pool), id, 'tester')).toBe(3);
    expect(await undoSuppress(people(pool), id, 'tester')).toBe(0);
    expect(await all('select distinct state from deliveries')).toEqual([{ state: 'suppressed' }]);
    await resend(pool, id, { force: false, actor: 'tester' });
    expect(await all(`select state from deliveries where lead_id = '${id}'`)).toEqual([
      { state: 'waiting' },
    ]);
  });

  test('a suppressed address of the pinned revision blocks a resend', async () => {
    const id = await seedLead(pool, {
      revisions: [ana, { email: 'new@mail.example' }],
      deliveries: [{ state: 'dead', revision: 1, mayHaveArrived: true }],
    });
    await pool.query(`insert into suppressions (key, kind, actor) values ($1, 'email', 'x')`, [
      emailKey(ana.email),
    ]);
    const sent = resend(pool, id, { force: true, actor: 'tester' });
    await expect(sent).rejects.toThrow('asked not to be contacted');
  });

  test('an address of an earlier revision keeps back a lead that came at the same moment', async () => {
    const revisions = [ana, { ...ana, email: 'new@mail.example', phone: '7375550199' }];
    const id = await seedLead(pool, { revisions, deliveries: [{ state: 'waiting' }] });
    const held = await seedLead(pool, {
      revisions,
      state: 'held',
      deliveries: [{ state: 'held' }],
    });
    // As of a request that could not see the leads yet.
    await pool.query(`insert into suppressions (key, kind, actor) values ($1, 'phone', 'x')`, [
      phoneKey(ana.phone),
    ]);
    await expect(release(pool, held, 'tester')).rejects.toThrow('asked not to be contacted');
    const want: Want = {
      ...{ destination: 'ingest', slots: 5, recognisesDuplicates: true, account: null },
      ...{ usesMappedAccounts: false, payloadVersion: 1, verifiedPayloadVersion: null },
      ...{ consent: 'any', stopsAtOptOut: false },
    };
    const options = { wants: [want], owner: 'worker', leaseMs: 60_000, now: undefined };
    expect(await leaseDue(pool, options)).toEqual([]);
    expect(await all(`select state from deliveries where lead_id = '${id}'`)).toEqual([
      { state: 'suppressed' },
    ]);
    const sent = resend(pool, id, { force: true, actor: 'tester' });
    await expect(sent).rejects.toThrow('asked not to be contacted');
  });

  test('a person without a lead', async () => {
    expect(await suppress(people(pool), '+1 (512) 555-0123', 'tester')).toMatchObject({
      keys: 1,
      leads: 0,
    });
    expect(await all('select key from suppressions')).toEqual([{ key: phoneKey(ana.phone) }]);
  });
});

describe('release', () => {
  test('a held lead is released, and the release is recorded', async () => {
    const id = await seedLead(pool, {
      state: 'held',
      deliveries: [{ state: 'held' }, { destination: 'other', state: 'no_destination' }],
    });
    expect(await release(pool, id, 'tester')).toMatchObject({ deliveries: 1 });
    expect(
      await all('select state, due_at is null as idle from deliveries order by state'),
    ).toEqual([
      { state: 'no_destination', idle: true },
      { state: 'waiting', idle: false },
    ]);
    expect(await all('select state from leads')).toEqual([{ state: 'accepted' }]);
    expect(await all('select kind, actor, detail from lead_events')).toEqual([
      { kind: 'released', actor: 'tester', detail: { revision: 1, reasons: [], deliveries: 1 } },
    ]);
    await expect(release(pool, id, 'tester')).rejects.toThrow('not held');
  });
});
