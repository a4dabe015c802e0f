import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { commandForTests } from '../../tests/support/command.ts';
import type { SeededDelivery } from '../../tests/support/ledger.ts';

const root = path.join(import.meta.dirname, '..', '..');
const command = commandForTests();
const { leads, query, seed, stateOf } = command;

const dead = { state: 'dead', revision: 1 };

test('a dead letter starts a new round, which is recorded', async () => {
  const id = await seed({ deliveries: [dead] });
  expect(await leads('resend', id)).toMatchObject({
    code: 0,
    out: expect.stringContaining('was dead and is sent to ingest again'),
  });
  expect(await query('select * from deliveries where lead_id = $1', [id])).toMatchObject([
    {
      ...{ state: 'waiting', attempts: 1, attempts_before_round: 1 },
      ...{ due_at: expect.any(Date), finished_at: null },
    },
  ]);
  const { out } = await leads('show', id);
  expect(out).toMatch(/Sent again by .+; it was dead/);
  expect(out).toMatch(/Lead Prosper: waiting, attempts: 1, next attempt/);
});

describe('needs --force', () => {
  const taken = { revision: 1, externalId: 'ext-1', finishedAt: '2026-07-01T12:05:10Z' };
  test.each<[SeededDelivery, changes: string, message: string]>([
    [
      { state: 'delivered', ...taken },
      '',
      'ingest took this lead on 2026-07-01T12:05:10.000Z as ext-1. A second send can make it a duplicate there',
    ],
    // The lead was delivered before an operator's resend of it failed.
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
  ])('%o %s', async (delivery, changes, message) => {
    const id = await seed({ deliveries: [delivery] });
    if (changes !== '') await query(`update deliveries set ${changes} where lead_id = $1`, [id]);
    const before = await stateOf(id);
    const refused = await leads('resend', id);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(message) });
    expect(await stateOf(id)).toBe(before);
    const forced = await leads('resend', id, '--force');
    expect(forced.code).toBe(0);
    // A forced resend still prints the warning.
    expect(forced.err).toContain(message);
    expect(await stateOf(id)).toBe('waiting');
    if (delivery.externalId) {
      const kept = await query('select external_id from deliveries where lead_id = $1', [id]);
      expect(kept).toEqual([{ external_id: 'ext-1' }]);
    }
  });

  test.each(['held', 'no_destination'])('a held lead, which it releases (%s)', async (state) => {
    const id = await seed({ state: 'held', deliveries: [{ state, revision: 1 }] });
    await query(`update leads set is_test = true where id = $1`, [id]);
    await query('update lead_revisions set problems = $2 where lead_id = $1', [
      id,
      '[{"problem":"held","reason":"no_usable_phone"}, {"problem":"held","reason":"consent_other_text"}]',
    ]);
    await command.count();
    const { out } = await leads('list', '--state', 'held');
    expect(out).toContain(`ingest ${state} (test) (no_usable_phone) (consent_other_text)`);
    const refused = await leads('resend', id);
    expect(refused.code).toBe(1);
    // Every open hold is named, the consent first.
    expect(refused.err).toMatch(
      /held because its consent text is not .*, and it has no phone number[\s\S]*"release" lets it go/,
    );
    expect((await leads('resend', id, '--force')).code).toBe(0);
    expect(await query('select state from leads')).toEqual([{ state: 'accepted' }]);
    const story = await leads('show', id);
    expect(story.out).toMatch(/, forced; it was .* although its consent\s+text/);
  });
});

test('a delivery that is being sent is refused', async () => {
  const id = await seed({ deliveries: [{ state: 'sending', revision: 1 }] });
  await query(`update deliveries set lease_owner = 'x', due_at = now() + interval '10 s'`);
  const { code, err } = await leads('resend', id, '--force');
  expect([code, err]).toEqual([1, expect.stringContaining('being sent right now')]);
});

test('unknown destination, unknown lead, too few or too many arguments', async () => {
  const id = await seed({ deliveries: [dead] });
  const elsewhere = await leads('resend', id, '--destination', 'webhook');
  expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining('it has: ingest')]);
  expect((await leads('resend', 'ffffffff')).code).toBe(3);
  expect((await leads('resend')).code).toBe(2);
  expect((await leads('resend', id, '--state', 'dead')).code).toBe(2);
});

describe('many at once', () => {
  const no_destination = { state: 'no_destination' };

  test('are a plan, as docs/operations.md says: shown, run and recorded', async () => {
    const guide = await readFile(path.join(root, 'docs', 'operations.md'), 'utf8');
    const recipe = /Many at once[\s\S]*?```sh\nnpm run --silent leads -- (.*)\n```/.exec(
      guide,
    )?.[1];
    const [free, listed] = [
      await seed({ deliveries: [no_destination] }),
      await seed({ deliveries: [no_destination], revisions: [{ email: 'bea@mail.example' }] }),
    ];
    await query(
      `insert into suppressions (key, kind, actor) select email_key, 'email', 'x' from lead_revisions where lead_id = $1`,
      [listed],
    );
    await command.count();
    const { code, out } = await leads(...(recipe ?? '').split(' '));
    expect([code, out]).toEqual([
      0,
      'The plan is to resend 1 delivery: 1 to ingest.\n' +
        '1 delivery left out: The person has asked not to be contacted.\n' +
        '1 delivery queued, sent by the running server. 1 left out.\n',
    ]);
    expect([await stateOf(free), await stateOf(listed)]).toEqual(['waiting', 'no_destination']);
    expect(await query('select action, detail from audit_log order by id')).toMatchObject([
      { action: 'plan.made', detail: { action: 'resend' } },
      { action: 'plan.started', detail: { due: 1, by: 'command line' } },
      { action: 'plan.finished', detail: { done: 1 } },
    ]);
    expect(await query(`select detail from lead_events where kind = 'resent'`)).toMatchObject([
      { detail: { was: 'no_destination', reason: 'resend --state no_destination' } },
    ]);
  });

  test('are selected by survey, time and code, and left alone without a yes', async () => {
    const rejected = { state: 'rejected', revision: 1 };
    const [one, other] = [
      await seed({ deliveries: [rejected] }),
      await seed({ deliveries: [rejected] }),
    ];
    await command.count();
    await query(`update visit_summaries set code = '1002' where lead_id = $1`, [one]);
    const resend = (...more: string[]) => leads('resend', '--state', 'rejected', ...more);
    for (const nothing of [
      ['--survey', 'none'],
      ['--until', '2026-01-01'],
    ]) {
      expect((await resend(...nothing)).err).toBe('There is nothing in this selection.\n');
    }
    const asked = await resend('--since', '1d');
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('confirm with --yes') });
    expect(asked.out).toBe('The plan is to resend 2 deliveries: 2 to ingest.\n');
    expect(await stateOf(one)).toBe('rejected');
    expect((await resend('--code', '1002', '--yes')).out).toContain('1 delivery queued');
    expect([await stateOf(one), await stateOf(other)]).toEqual(['waiting', 'rejected']);
    expect(await query('select state, count(*)::integer from plans group by 1 order by 1')).toEqual(
      [
        { state: 'cancelled', count: 1 },
        { state: 'done', count: 1 },
      ],
    );
  });
});

describe('an event delivery', () => {
  const failed = 'webhook delivery.failed x 1';
  let id: string;
  beforeEach(async () => {
    id = await seed({ deliveries: [dead] });
    await query(
      `insert into deliveries (id, lead_id, destination, state, attempts, event_key, event, revision)
       values ($1, $3, 'webhook', 'delivered', 1, 'lead.accepted', '{"type":"lead.accepted"}', 1),
         ($2, $3, 'webhook', 'dead', 20, 'delivery.failed x 1', '{"type":"delivery.failed","destination":"ingest"}', 1)`,
      [randomUUID(), randomUUID(), id],
    );
  });

  test('is listed only after a failure, but always shown', async () => {
    await command.count();
    const [lead] = JSON.parse((await leads('list', '--json')).out) as {
      deliveries: { destination: string; state: string }[];
    }[];
    expect(lead?.deliveries.map(({ destination, state }) => `${destination}: ${state}`)).toEqual([
      'ingest: dead',
      `${failed}: dead`,
    ]);
    const { out } = await leads('show', id);
    expect(out).toMatch(/lead\.accepted: delivered, attempts: 1\n/);
    expect(out).toMatch(/delivery\.failed of Lead Prosper: dead, attempts: 20\n/);
  });

  test('does not count as a second destination of a resend, but has a name', async () => {
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

  test('is recovered with all that were given up, if its destination is named', async () => {
    await query('update deliveries set finished_at = now()');
    const many = ['resend', '--state', 'dead', '--destination', 'webhook', '--yes'];
    expect((await leads(...many, '--survey', 'v4')).code).toBe(2);
    expect((await leads(...many)).out).toContain('1 delivery queued');
    expect(await stateOf(id, 'delivery.failed x 1')).toBe('waiting');
    expect(await stateOf(id)).toBe('dead');
  });

  test('about a lead counts as personal data in an erasure, one about a delivery does not', async () => {
    await query('update deliveries set may_have_arrived = true');
    const { code, out } = await leads('erase', id, '--yes');
    expect(code).toBe(0);
    expect(out.match(/webhook (got|may have got) lead/g)).toHaveLength(1);
  });
});
