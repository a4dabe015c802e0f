/** Tests that the first lease of a delivery fixes its revision and its account. */
import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type {
  PreparedSend,
  SendRequest,
} from '../../src/server/delivery/destinations/destination.ts';
import { releaseLocked } from '../../src/server/delivery/release.ts';
import {
  controlled,
  delivered,
  never,
  pass,
  sandboxAccount,
  type TestLead,
} from '../support/delivery.ts';
import { deliveryForTests, MINUTE_MS, PAST_LEASE_MS } from '../support/delivery-site.ts';
import { personKey } from '../support/person-keys.ts';

const site = await deliveryForTests();
const { pool, sandbox, advance, worker, insert, revise, mapTo, read } = site;

/** An account that the sandbox refuses. */
const other = { campaignId: '99', supplierId: '98', key: 'other-key' };

const ingest = (account = sandboxAccount(sandbox)) => site.ingest(undefined, { account });
const nameOf = ({ campaignId, supplierId }: typeof other) => `${campaignId}/${supplierId}`;
const later = (minutes = 1) => advance(minutes * MINUTE_MS);

/** Returns a destination that records all requests and gives the test's answers. */
function listener(
  answers: ('delivered' | 'unknown' | 'retry' | 'failed')[],
  options: Parameters<typeof controlled>[2] = {},
) {
  const requests: SendRequest[] = [];
  const destination = controlled(
    'ingest',
    async (request) => {
      requests.push(request);
      return { outcome: answers.shift() ?? 'delivered', durationMs: 1 };
    },
    options,
  );
  return { destination, requests };
}

describe('an attempt of a delivery', () => {
  test('is stored with the hash of its body before the body is sent', async () => {
    const lead = await insert();
    const seen: unknown[] = [];
    let body = '';
    const looking = controlled('ingest', async (request) => {
      ({ body } = looking.prepare(request) as PreparedSend);
      // Reads the attempt on another connection, which sees only committed rows.
      seen.push(await read(lead));
      return delivered;
    });
    await pass(worker([looking]));
    expect(seen).toMatchObject([
      {
        state: 'sending',
        attempts: 1,
        revision: 1,
        payload_version: 1,
        log: [{ attempt: 1, outcome: null, ended_at: null, sent_sha256: hash('sha256', body) }],
      },
    ]);
  });
});

describe('the first lease of a delivery', () => {
  test('fixes the revision that all later attempts send', async () => {
    const lead = await insert();
    const { destination, requests } = listener(['unknown', 'retry', 'delivered']);
    const a = worker([destination]);
    await pass(a);
    await revise(lead, { first_name: 'Second' });
    await later();
    await pass(a);
    await revise(lead, { first_name: 'Third' });
    await later();
    await pass(a);
    expect(requests.map(({ fields }) => fields.first_name)).toEqual(['Ana', 'Ana', 'Ana']);
    const { state, revision, log } = await read(lead);
    expect({ state, revision }).toEqual({ state: 'delivered', revision: 1 });
    expect(log.map(({ revision }) => revision)).toEqual([1, 1, 1]);
    expect(new Set(log.map(({ sent_sha256 }) => sent_sha256)).size).toBe(1);
  });
});

describe('a resend', () => {
  const resend = async (lead: TestLead) => {
    await site.resend(lead);
    await later();
  };

  const newest = { account: nameOf(other), payloadVersion: 2, fields: { first_name: 'Second' } };
  const first = { account: 'old', payloadVersion: 1, fields: { first_name: 'Ana' } };
  test.each([
    ['retry', 'sends the newest revision to the current account', newest, 2],
    ['unknown', 'repeats the same bytes', first, 1],
    ['delivered', 'repeats the same bytes', first, 1],
  ] as const)(
    'sends the newest revision only if the lead cannot have arrived (outcome: %s)',
    async (outcome, _, sent, revision) => {
      const lead = await insert();
      const before = listener([outcome, 'failed'], { account: 'old', usesMappedAccounts: true });
      const a = worker([before.destination]);
      await pass(a);
      await later();
      await pass(a);
      await revise(lead, { first_name: 'Second' });
      await mapTo(lead, other);
      await resend(lead);
      const after = listener([], { account: 'new', usesMappedAccounts: true, payloadVersion: 2 });
      await pass(worker([after.destination]));
      expect(after.requests).toMatchObject([sent]);
      const delivery = await read(lead);
      expect(delivery).toMatchObject({ state: 'delivered', revision });
      const { account, payloadVersion: payload_version } = sent;
      expect(delivery.log.at(-1)).toMatchObject({ revision, account, payload_version });
    },
  );

  test('of a released lead sends the newest revision', async () => {
    const lead = await insert({ state: 'held' });
    await pool.query(`update leads set state = 'held'`);
    await revise(lead, { first_name: 'Second' });
    const held = { id: lead.leadId, revision: 1, reasons: [], ruling: undefined };
    expect(await releaseLocked(pool, [held], { actor: 'tester' })).toBe(1);
    await later();
    const { destination, requests } = listener([]);
    await pass(worker([destination]));
    expect(requests).toMatchObject([{ fields: { first_name: 'Second' } }]);
  });
});

describe('a retry after the destination’s account was changed in the settings', () => {
  async function lost(account = sandboxAccount(sandbox)): Promise<TestLead> {
    const lead = await insert();
    sandbox.fail({ service: 'ingest', mode: 'accept_then_reset', times: 1 });
    await pass(worker([ingest(account)]));
    expect(await read(lead)).toMatchObject({ state: 'retrying', may_have_arrived: true });
    await later();
    await pass(worker([ingest(other)]));
    return lead;
  }

  test('fails without sending if the old account may have received the lead', async () => {
    const lead = await lost();
    expect(sandbox.received('ingest')).toHaveLength(1);
    const { state, last_message, log } = await read(lead);
    const name = nameOf(sandboxAccount(sandbox));
    expect(state).toBe('dead');
    expect(last_message).toContain(
      `account ${name}, to which this lead is pinned, is not configured`,
    );
    expect(log[1]).toMatchObject({ outcome: 'failed', sent_sha256: null, account: name });
  });

  test.each(['configured', 'mapped'] as const)(
    'sends to the old account when the account is %s again',
    async (how) => {
      const lead = await lost();
      if (how === 'mapped') await mapTo(lead, sandboxAccount(sandbox));
      await site.resend(lead);
      await later();
      await pass(worker([ingest(how === 'configured' ? sandboxAccount(sandbox) : other)]));
      const { state, log } = await read(lead);
      expect(state).toBe('delivered');
      expect(log.map(({ outcome }) => outcome)).toEqual(['unknown', 'failed', 'duplicate']);
      expect(log[2]?.sent_sha256).toBe(log[0]?.sent_sha256);
      expect(sandbox.effects().map(({ count }) => count)).toEqual([1]);
    },
  );
});

describe('a delivery that must not be sent', () => {
  const suppress = (kind: 'email' | 'phone', value: string) =>
    pool.query('insert into suppressions (key, kind, actor) values ($1, $2, $3)', [
      personKey(kind, value),
      kind,
      'a test',
    ]);

  async function expectSuppressed(lead: TestLead, attempts = 0): Promise<void> {
    const { destination, requests } = listener([]);
    const a = worker([destination]);
    expect(await pass(a)).toBe(0);
    await later(60 * 24 * 365);
    expect(await pass(a)).toBe(0);
    expect(requests).toEqual([]);
    const delivery = await read(lead);
    expect(delivery).toMatchObject({
      state: 'suppressed',
      attempts,
      due_at: null,
      lease_owner: null,
      finished_at: expect.any(Date),
      end_reason: expect.stringMatching(/^(listed|erased)$/),
    });
    expect(delivery.log).toHaveLength(attempts);
    expect(delivery.log.filter(({ outcome }) => outcome === null)).toEqual([]);
  }

  const kinds = ['email', 'phone'] as const;
  test.each(kinds)('is suppressed if the lead’s %s is on the suppression list', async (kind) => {
    const lead = await insert();
    const bystander = await insert({ destination: 'other' });
    await suppress(kind, lead.fields[kind]);
    await expectSuppressed(lead);
    const { destination } = listener([]);
    await pass(worker([{ ...destination, name: 'other' }]));
    expect(await read(bystander)).toMatchObject({ state: 'delivered' });
  });

  test.each(kinds.flatMap((kind) => [[kind, 'newest'] as const, [kind, 'pinned'] as const]))(
    'is suppressed before a retry if the %s of any revision is on the suppression list',
    async (kind, which) => {
      const lead = await insert();
      await pass(worker([listener(['retry']).destination]));
      const newest = await revise(lead, { email: 'later@example.com', phone: '2125550199' });
      await suppress(kind, which === 'newest' ? newest[kind] : lead.fields[kind]);
      await later();
      await expectSuppressed(lead, 1);
    },
  );

  test.each([0, 1])(
    'is suppressed if the lead is erased (attempts before the erasure: %i)',
    async (attempts) => {
      const lead = await insert();
      if (attempts > 0) await pass(worker([listener(['unknown']).destination]));
      await pool.query('update leads set erased_at = now()');
      await later();
      await expectSuppressed(lead, attempts);
    },
  );

  test('is suppressed even if the outcome of an earlier attempt is unknown', async () => {
    const lead = await insert();
    await worker([controlled('ingest', never)]).begin();
    await suppress('phone', lead.fields.phone);
    await advance(PAST_LEASE_MS);
    await expectSuppressed(lead, 1);
    expect(await read(lead)).toMatchObject({
      may_have_arrived: true,
      log: [{ outcome: 'unknown', ended_at: expect.any(Date) }],
    });
  });
});
