import { describe, expect, test } from 'vitest';
import { wantOf } from '../../../tests/support/delivery.ts';
import {
  ana,
  blockedBy,
  clearLedger,
  emailKey,
  phoneKey,
  seedLead,
} from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { noted, people } from '../../../tests/support/person-keys.ts';
import { saleRules } from '../../../tests/support/sale-rules.ts';
import { ingest as leadProsper } from '../delivery/destinations/lead-prosper.ts';
import { leaseDue } from '../delivery/leases.ts';
import {
  bulkReleaseRefusal,
  dismiss,
  readReleasable,
  release,
  releaseLocked,
} from '../delivery/release.ts';
import { resend } from '../delivery/resend.ts';
import { suppress, undoSuppress } from './suppress.ts';

const { pool } = await databaseForTests(clearLedger);

const wanted = wantOf('ingest');

async function all(text: string): Promise<unknown[]> {
  return (await pool.query(text)).rows;
}

describe('A suppression', () => {
  test('by e-mail address stops open deliveries of leads with the e-mail address in any revision', async () => {
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
    const done = await suppress(people(pool), ana.email, noted);
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
    const again = await suppress(people(pool), ana.email, noted);
    expect(again).toMatchObject({ keys: 0, stopped: 0 });
    expect(await all('select lead_id from lead_events')).toHaveLength(2);
  });

  test('by a foreign number is refused, also if its digits are those of an American number', async () => {
    await expect(suppress(people(pool), '+47 52 34 56 78', noted)).rejects.toThrow();
    expect((await pool.query('select 1 from suppressions')).rowCount).toBe(0);
    expect(await suppress(people(pool), '+1 (475) 234-5678', noted)).toMatchObject({ keys: 1 });
  });

  test('lists a destination to which the lead is being sent', async () => {
    const id = await seedLead(pool, { deliveries: [{ state: 'waiting' }] });
    const lease = `update deliveries set state = 'sending', due_at = now() + interval '10 s'`;
    const suppressing = () => suppress(people(pool), ana.email, noted);
    expect(await blockedBy(pool, suppressing, [[lease]])).toMatchObject({
      stopped: 0,
      receipts: expect.arrayContaining([
        expect.objectContaining({ lead_id: id, destination: 'ingest', state: 'sending' }),
      ]),
    });
  });

  test('by lead id includes the phone numbers and e-mail addresses of all revisions', async () => {
    const id = await seedLead(pool, {
      revisions: [ana, { email: 'new@mail.example', phone: ana.phone }],
      deliveries: [
        { state: 'waiting' },
        { destination: 'kept', state: 'suppressed' },
        { destination: 'given-up', state: 'dead' },
      ],
    });
    await pool.query(`update deliveries set end_reason = 'opted_out' where destination = 'kept'`);
    const held = await seedLead(pool, { state: 'held', deliveries: [{ state: 'held' }] });
    expect(await suppress(people(pool), id, noted)).toMatchObject({
      keys: 3,
      leads: 2,
      stopped: 2,
    });
    const keys = [emailKey(ana.email), emailKey('new@mail.example'), phoneKey(ana.phone)];
    expect(await all('select key from suppressions order by key')).toEqual(
      keys.sort().map((key) => ({ key })),
    );
    const options = { destination: 'ingest', force: true, actor: 'tester' };
    await expect(resend(pool, id, options, saleRules)).rejects.toThrow('asked not to be contacted');
    await expect(release(pool, held, { actor: 'tester' }, saleRules)).rejects.toThrow(
      'asked not to be contacted',
    );
    // Retention deletes these messages. Undoing a suppression must work without the messages.
    await pool.query('update deliveries set last_message = null');
    const undo = () => undoSuppress(people(pool), id, 'tester');
    expect(await undo()).toEqual({ keys: 3, deliveries: 2 });
    expect(await undo()).toEqual({ keys: 0, deliveries: 0 });
    expect(
      await all('select destination, state from deliveries order by destination, state'),
    ).toEqual([
      { destination: 'given-up', state: 'dead' },
      { destination: 'ingest', state: 'held' },
      { destination: 'ingest', state: 'waiting' },
      { destination: 'kept', state: 'suppressed' },
    ]);
  });

  test('by phone number stops the deliveries of a lead that arrives at the same time', async () => {
    const revisions = [ana, { ...ana, email: 'new@mail.example', phone: '7375550199' }];
    const id = await seedLead(pool, { revisions, deliveries: [{ state: 'waiting' }] });
    const held = await seedLead(pool, {
      revisions,
      state: 'held',
      deliveries: [{ state: 'held' }],
    });
    // Inserts only the row, as if the leads had arrived at the same time as the suppression.
    await pool.query(
      `insert into suppressions (key, kind, actor, source) values ($1, 'phone', 'x', 'operator')`,
      [phoneKey(ana.phone)],
    );
    await expect(release(pool, held, { actor: 'tester' }, saleRules)).rejects.toThrow(
      'asked not to be contacted',
    );
    const options = { wants: [wanted], owner: 'worker' };
    expect(await leaseDue(pool, options)).toEqual([]);
    expect(await all(`select state from deliveries where lead_id = '${id}'`)).toEqual([
      { state: 'suppressed' },
    ]);
    const sent = resend(pool, id, { force: true, actor: 'tester' }, saleRules);
    await expect(sent).rejects.toThrow('asked not to be contacted');
  });

  test('does not stop the delivery that retains a sold lead’s TrustedForm certificate', async () => {
    const certificate = { destination: 'trustedform', state: 'waiting' };
    const sold = await seedLead(pool, {
      deliveries: [{ state: 'delivered', revision: 1 }, certificate],
    });
    const unsold = await seedLead(pool, { deliveries: [{ state: 'rejected' }, certificate] });
    expect(await suppress(people(pool), ana.email, noted)).toMatchObject({ stopped: 1 });
    const want = { ...wanted, destination: 'trustedform' };
    // Makes the delivery due, to show that the worker checks the suppression list before sending.
    await pool.query(`update deliveries set state = 'waiting', due_at = now() where lead_id = $1`, [
      unsold,
    ]);
    const leased = await leaseDue(pool, {
      wants: [want],
      owner: 'worker',
    });
    expect(leased.map(({ leadId }) => leadId)).toEqual([sold]);
  });
});

describe('A lead', () => {
  test('without a consent text is not sent to a firm by a release or a forced resend', async () => {
    const id = await seedLead(pool, { state: 'held', deliveries: [{ state: 'held' }] });
    const no_consent = JSON.stringify([{ problem: 'held', reason: 'no_consent' }]);
    await pool.query('update lead_revisions set problems = $1', [no_consent]);
    await expect(release(pool, id, { actor: 'tester' }, saleRules)).rejects.toThrow(
      'no consent text',
    );
    const forced = resend(pool, id, { force: true, actor: 'tester' }, saleRules);
    await expect(forced).rejects.toThrow('no consent text');
    const [judged] = await readReleasable(pool, [id], { locks: false, rules: saleRules });
    expect(judged && bulkReleaseRefusal(judged)).toContain('no consent text');
    const lead = { id, revision: 1, reasons: [], ruling: undefined };
    await releaseLocked(pool, [lead], { actor: 'tester' });
    const { permission } = leadProsper;
    const wants = [{ ...wanted, ...permission }];
    expect(await leaseDue(pool, { wants, owner: 'worker' })).toEqual([]);
    expect(await all('select state, end_reason from deliveries')).toEqual([
      { state: 'suppressed', end_reason: 'no_consent' },
    ]);
  });

  test('that is held or dismissed is not sent when its delivery becomes due', async () => {
    const revisions = [ana, { ...ana, city: 'Austin' }];
    const id = await seedLead(pool, {
      revisions,
      state: 'held',
      deliveries: [{ state: 'waiting' }, { destination: 'other', state: 'held' }],
    });
    const wants = [wanted];
    const lease = () => leaseDue(pool, { wants, owner: 'w' });
    const states = () => all('select state, revision from deliveries order by destination');
    expect(await lease()).toEqual([]);
    expect(await states()).toEqual(Array(2).fill({ state: 'held', revision: null }));
    await resend(pool, id, { destination: 'ingest', force: true, actor: 'tester' }, saleRules);
    expect(await lease()).toMatchObject([{ leadId: id, revision: 2 }]);
    await pool.query(`update deliveries set state = 'retrying', due_at = now() where attempts > 0`);
    await dismiss(pool, id, { actor: 'tester' }, saleRules);
    expect(await lease()).toEqual([]);
    expect(await states()).toEqual(Array(2).fill({ state: 'held', revision: null }));
  });

  test('that was dismissed can be neither released nor resent', async () => {
    const id = await seedLead(pool, { state: 'held', deliveries: [{ state: 'held' }] });
    const looked = { actor: 'tester', revision: 2 };
    await expect(dismiss(pool, id, looked, saleRules)).rejects.toThrow('newest version');
    await dismiss(pool, id, { actor: 'tester', reason: 'not_a_person' }, saleRules);
    await expect(release(pool, id, { actor: 'tester' }, saleRules)).rejects.toThrow('not held');
    const forced = resend(pool, id, { force: true, actor: 'tester' }, saleRules);
    await expect(forced).rejects.toThrow('was dismissed');
    expect(await all('select kind, detail from lead_events')).toEqual([
      { kind: 'dismissed', detail: { revision: 1, reasons: [], reason: 'not_a_person' } },
    ]);
  });
});
