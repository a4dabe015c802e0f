import { beforeEach, expect, it, test } from 'vitest';
import { noByteLimit, testAcceptLead, testLead } from '../../../tests/support/leads.ts';
import {
  type AddressBytes,
  createPostGuard,
  POST_BYTES,
  type PostGuard,
  shortBody,
} from './post-limits.ts';

const now = () => new Date('2026-11-20T15:30:00Z');
/** Imitates an IP address that has sent more bytes than its limit, but less than twice as many. */
const over: AddressBytes = { take: async (_, __, { reserve = false } = {}) => reserve };
/** Imitates an IP address that has sent over twice as many bytes as its limit. */
const full: AddressBytes = { take: async () => false };
const large = testLead({ sub_id5: 'x'.repeat(20_000), first_name: 'Maria', unknown: 'y' });

const refused = { name: 'OverLimitError', reason: 'too_many_bytes', retryAfterSeconds: 1_800 };

function changing(first: AddressBytes) {
  let addressBytes = first;
  const test = testAcceptLead({
    now,
    addressBytes: { take: (...asked) => addressBytes.take(...asked) },
  });
  const reasons = () =>
    test.lead().problems.flatMap(({ problem, reason }) => (problem === 'held' ? [reason] : []));
  return { ...test, reasons, become: (other: AddressBytes) => (addressBytes = other) };
}

it('a large post is shortened if its IP address has sent too many bytes in an hour', async () => {
  const { post, lead, reasons, revisions, become } = changing(over);
  await expect(post(large)).rejects.toMatchObject(refused);
  await expect(post(large)).rejects.toMatchObject(refused);
  expect(revisions()).toHaveLength(1);
  expect(reasons()).toEqual(['over_address_bytes', 'cut_short']);
  const { phone, email, tcpa } = testLead();
  expect(lead().body).toMatchObject({ phone, email, tcpa });
  expect(lead().body).not.toHaveProperty('unknown');
  become(noByteLimit);
  // This small post does not replace the shortened lead, which stays held.
  await post({ lead_id: large.lead_id, sub_id2: 'x' });
  expect(reasons()).toEqual(['cut_short']);
  expect(await post(large)).toMatchObject({ revision: 3 });
  expect(lead()).toMatchObject({ state: 'accepted', fields: { first_name: 'Maria' } });
});

it('the bytes of a post are counted for the sender’s whole IPv6 network', async () => {
  const taken: [string, number][] = [];
  const take: AddressBytes['take'] = async (key, bytes) => taken.push([key, bytes]) > 0;
  const { post } = changing({ take });
  const body = { lead_id: large.lead_id };
  await post(body, { addressKey: '2001:db8:77:1::/64', networkKey: '2001:db8:77::/48' });
  expect(taken).toEqual([['2001:db8:77::/48', POST_BYTES + JSON.stringify(body).length]]);
});

it('a post is refused if its IP address has sent twice the permitted bytes', async () => {
  const { post, store } = changing(full);
  await expect(post(testLead())).rejects.toMatchObject(refused);
  expect(store.visits.size).toBe(0);
});

it('shortBody reduces a large body to at most 8 KiB of lead fields', () => {
  expect(shortBody(testLead())).toEqual(testLead());
  const fields = Object.fromEntries(
    Object.keys(testLead()).map((name) => [name, 'z'.repeat(3_000)]),
  );
  const short = shortBody({ ...fields, junk: 'j', __proto__: { phone: 'p' } });
  expect(JSON.stringify(short).length).toBeLessThanOrEqual(8 * 1024);
  expect(Object.keys(short)).toEqual(['lead_id', 'survey', 'language', 'first_name']);
});

const one = '01939999-1111-7111-8111-000000000001';
const other = '01939999-1111-7111-8111-000000000002';
let nowMs: number;
let guard: PostGuard;
beforeEach(() => {
  nowMs = 0;
  guard = createPostGuard(() => new Date(nowMs));
});

async function admitted(leadId: string, secret: string | null, times: number): Promise<number> {
  let count = 0;
  for (let n = 0; n < times; n += 1) {
    try {
      await guard.admit(leadId, secret);
      count += 1;
    } catch (error) {
      expect(error).toMatchObject({ name: 'OverLimitError', reason: 'too_many_posts' });
    }
  }
  return count;
}

test('the post guard admits at most thirty posts a minute with the same lead id and secret', async () => {
  expect(await admitted(one, 'a', 40)).toBe(30);
  expect(await admitted(one, 'b', 1)).toBe(1);
  expect(await admitted(one, null, 1)).toBe(1);
  expect(await admitted(other, 'a', 1)).toBe(1);
  nowMs = 59_999;
  expect(await admitted(one, 'a', 1)).toBe(0);
  nowMs = 60_000;
  expect(await admitted(one, 'a', 40)).toBe(30);
});

test('the post guard admits only the owner’s posts for ten minutes after `closeFor`', async () => {
  guard.closeFor(one, 'owner');
  expect(await admitted(one, 'owner', 1)).toBe(1);
  expect(await admitted(one, 'stranger', 1)).toBe(0);
  expect(await admitted(one, null, 1)).toBe(0);
  await expect(guard.admit(one, null)).rejects.toEqual(
    expect.objectContaining({ retryAfterSeconds: 3_600 }),
  );
  expect(await admitted(other, 'stranger', 1)).toBe(1);
  nowMs = 599_999;
  expect(await admitted(one, 'stranger', 1)).toBe(0);
  nowMs = 600_000;
  expect(await admitted(one, 'stranger', 1)).toBe(1);
});
