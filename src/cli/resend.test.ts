import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { commandForTests } from '../../tests/support/command.ts';
import type { SeededDelivery } from '../../tests/support/ledger.ts';

const command = commandForTests();
const { leads, query, seed, stateOf } = command;

const dead = { state: 'dead', revision: 1 };

test('leads resend starts new attempts for a dead delivery', async () => {
  const id = await seed({ deliveries: [dead] });
  expect(await leads('resend', id)).toMatchObject({
    code: 0,
    out: expect.stringContaining('was dead and is sent to ingest again'),
  });
  expect(await query('select * from deliveries where lead_id = $1', [id])).toMatchObject([
    {
      state: 'waiting',
      attempts: 1,
      attempts_before_round: 1,
      due_at: expect.any(Date),
      finished_at: null,
    },
  ]);
  expect(await query(`select kind, detail->>'was' as was from lead_events`)).toEqual([
    { kind: 'resent', was: 'dead' },
  ]);
});

describe('leads resend needs --force', () => {
  const taken = { revision: 1, externalId: 'ext-1', finishedAt: '2026-07-01T12:05:10Z' };
  test.each<[SeededDelivery, changes: string, message: string]>([
    [
      { state: 'delivered', ...taken },
      '',
      'ingest took this lead on 2026-07-01T12:05:10.000Z as ext-1. A second send can make it a duplicate there',
    ],
    // The destination accepted the lead. Then an operator resent the lead, and the resend failed.
    [{ state: 'delivered', ...taken }, `state = 'dead'`, 'ingest took this lead as ext-1.'],
    [{ state: 'held' }, '', 'The lead is held because its post says why.'],
    [{ state: 'uncertain', revision: 1 }, '', 'and would not recognise it.'],
    [
      { state: 'sending', revision: 1 },
      `due_at = now() - interval '1 s'`,
      'ingest may have taken this lead.',
    ],
    [
      { state: 'suppressed', revision: 1, mayHaveArrived: true },
      '',
      'ingest may have taken this lead.',
    ],
  ])('for a lead that the destination has or may have', async (delivery, changes, message) => {
    const id = await seed({ deliveries: [delivery] });
    if (changes !== '') await query(`update deliveries set ${changes} where lead_id = $1`, [id]);
    const before = await stateOf(id);
    const refused = await leads('resend', id);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(message) });
    expect(await stateOf(id)).toBe(before);
    const forced = await leads('resend', id, '--force');
    expect(forced).toMatchObject({ code: 0, err: expect.stringContaining(message) });
    expect(await stateOf(id)).toBe('waiting');
    if (delivery.externalId) {
      const kept = await query('select external_id from deliveries where lead_id = $1', [id]);
      expect(kept).toEqual([{ external_id: 'ext-1' }]);
    }
  });

  test('for a held lead', async () => {
    const id = await seed({
      state: 'held',
      deliveries: [{ state: 'no_destination', revision: 1 }],
    });
    await query('update lead_revisions set problems = $2 where lead_id = $1', [
      id,
      '[{"problem":"held","reason":"no_usable_phone"}, {"problem":"held","reason":"consent_other_text"}]',
    ]);
    const refused = await leads('resend', id);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(
      /held because its consent text is not .*, and it has no phone number[\s\S]*"release" lets it go/,
    );
    expect((await leads('resend', id, '--force')).code).toBe(0);
    expect(await query('select state from leads')).toEqual([{ state: 'accepted' }]);
  });
});

test('leads resend refuses a delivery that is being sent, even with --force', async () => {
  const id = await seed({ deliveries: [{ state: 'sending', revision: 1 }] });
  await query(`update deliveries set lease_owner = 'x', due_at = now() + interval '10 s'`);
  const refused = { code: 1, err: expect.stringContaining('being sent right now') };
  expect(await leads('resend', id, '--force')).toMatchObject(refused);
});

test('leads resend sends an event again only if --destination is the full name of the listener', async () => {
  const failed = 'webhook delivery.failed x 1';
  const id = await seed({ deliveries: [dead] });
  await query(
    `insert into deliveries (id, lead_id, destination, state, attempts, event_key, event, revision)
       values ($1, $3, 'webhook', 'delivered', 1, 'lead.accepted', '{"type":"lead.accepted"}', 1),
         ($2, $3, 'webhook', 'dead', 20, 'delivery.failed x 1', '{"type":"delivery.failed","destination":"ingest"}', 1)`,
    [randomUUID(), randomUUID(), id],
  );
  const { out } = await leads('resend', id);
  expect(out).toContain('is sent to ingest again');
  expect(await stateOf(id, 'delivery.failed x 1')).toBe('dead');
  const unnamed = await leads('resend', id, '--destination', 'webhook');
  expect(unnamed.code).toBe(1);
  expect(unnamed.err).toContain(`${failed}, webhook lead.accepted`);
  const named = await leads('resend', id, '--destination', failed);
  expect(named.out).toContain(`was dead and is sent to ${failed} again`);
  expect(await stateOf(id, 'delivery.failed x 1')).toBe('waiting');
});
