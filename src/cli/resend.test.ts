import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
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
  expect(out).toMatch(/event +Sent again by .+; it was dead/);
  expect(out).toMatch(/ingest: waiting, attempts: 1, .*next attempt/);
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
  test('by survey and time; one that was delivered before is skipped', async () => {
    const sold = await seed({ deliveries: [{ state: 'delivered', revision: 1 }] });
    await query(`update deliveries set state = 'dead'`);
    const id = await seed({ deliveries: [dead] });
    const none = await leads('resend', '--state', 'dead', '--survey', 'v4');
    expect(none.out).toContain('There is nothing to resend.');
    const { out, err } = await leads('resend', '--state', 'dead', '--since', '1h');
    expect(out).toContain('1 delivery was dead');
    expect(err).toContain('1 skipped');
    expect([await stateOf(id), await stateOf(sold)]).toEqual(['waiting', 'dead']);
  });

  test('a thousand, as docs/operations.md says', async () => {
    const guide = await readFile(path.join(root, 'docs', 'operations.md'), 'utf8');
    const recipe = /Many at once[\s\S]*?```sh\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
    expect(recipe).toContain('npm run');
    await query(
      `with new_leads as (
         insert into leads (id, survey, flow, language, qualified, lead_is_qualified, do_not_send_to_dq)
         select gen_random_uuid(), '/survey/v4', 'v4', 'en', true, true, 'no' from generate_series(1, 1001)
         returning id
       ), revisions as (
         insert into lead_revisions (lead_id, revision, body, email_key)
         select id, 1, '{}', 'key' || row_number() over () from new_leads
       )
       insert into deliveries (id, lead_id, destination, state)
       select gen_random_uuid(), id, 'ingest', 'no_destination' from new_leads`,
    );
    await query(`insert into suppressions (key, kind, actor) values ('key7', 'email', 'x')`);
    const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', recipe], { cwd: root });
    expect(stdout).toContain(
      '1000 deliveries were no_destination, now sent by the running server.',
    );
    expect(stderr).toContain('1 skipped');
    const found = await query(
      `select d.state, count(*)::int as deliveries, count(due_at)::int as due,
         count(e.id)::int as events
       from deliveries d left join lead_events e on e.delivery_id = d.id
       group by d.state order by d.state`,
    );
    expect(found).toEqual([
      { state: 'no_destination', deliveries: 1, due: 0, events: 0 },
      { state: 'waiting', deliveries: 1_000, due: 1_000, events: 1_000 },
    ]);
  });

  /** Seeds a rejected lead with the destination's message and the outcome of its only attempt. */
  async function rejected(message: string, outcome = 'rejected'): Promise<string> {
    const id = await seed({ deliveries: [{ state: 'rejected', revision: 1 }] });
    await query('update deliveries set last_message = $2 where lead_id = $1', [id, message]);
    await query(
      `update delivery_attempts set outcome = $2
       where delivery_id = (select id from deliveries where lead_id = $1)`,
      [id, outcome],
    );
    return id;
  }

  test('rejected ones only after the plan is confirmed', async () => {
    const credentials = 'ERROR 1002: invalid campaign credentials';
    const first = await rejected(credentials);
    await rejected(credentials);
    const phone = await rejected('ERROR 1015: bad phone \u001b[31m');
    const plan = await leads('resend', '--state', 'rejected');
    expect(plan).toMatchObject({
      code: 0,
      out:
        '3 deliveries are rejected:\n' +
        `  2 of ingest: ${credentials}\n` +
        '  1 of ingest: ERROR 1015: bad phone  [31m\n' +
        'Nothing was resent. Narrow the selection with --message, then confirm with --yes.\n',
    });
    expect(await stateOf(first)).toBe('rejected');
    const { out } = await leads('resend', '--state', 'rejected', '--message', '1002', '--yes');
    expect(out).toContain('2 deliveries are rejected:');
    expect(out).toContain('2 deliveries were rejected, now sent');
    expect([await stateOf(first), await stateOf(phone)]).toEqual(['waiting', 'rejected']);
  });

  test('not those that the destination already has', async () => {
    const theirs = await rejected('DUPLICATED 1008', 'duplicate');
    const ours = await rejected('ERROR 1002', 'delivered');
    const { out, err } = await leads('resend', '--state', 'rejected', '--yes');
    expect(out).toContain('There is nothing to resend.');
    expect(err).toContain('2 skipped');
    expect([await stateOf(theirs), await stateOf(ours)]).toEqual(['rejected', 'rejected']);
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
    const [lead] = JSON.parse((await leads('list', '--json')).out) as {
      deliveries: { destination: string; state: string }[];
    }[];
    expect(lead?.deliveries.map(({ destination, state }) => `${destination}: ${state}`)).toEqual([
      'ingest: dead',
      `${failed}: dead`,
    ]);
    const { out } = await leads('show', id);
    expect(out).toContain('webhook lead.accepted: delivered, attempts: 1');
    expect(out).toContain('webhook delivery.failed of ingest: dead, attempts: 20');
    expect(out).toContain('delivery  webhook delivery.failed of ingest: dead');
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

  test('about a lead counts as personal data in an erasure, one about a delivery does not', async () => {
    await query('update deliveries set may_have_arrived = true');
    const { code, out } = await leads('erase', id, '--yes');
    expect(code).toBe(0);
    expect(out.match(/webhook (got|may have got) lead/g)).toHaveLength(1);
  });
});
