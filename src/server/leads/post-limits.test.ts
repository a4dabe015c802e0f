import { expect, it, test } from 'vitest';
import { noByteLimit, testAcceptLead, testLead } from '../../../tests/support/leads.ts';
import { createRequestCounts } from '../platform/database/request-counts.ts';
import { type AddressBytes, countPost, POST_BYTES } from './post-limits.ts';

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

it('a first post is held if its IP address has sent too many bytes in an hour', async () => {
  const { post, lead, reasons, revisions, become } = changing(over);
  await post(large);
  await post(large);
  await expect(post({ lead_id: large.lead_id, sub_id2: 'x' })).rejects.toMatchObject(refused);
  expect(revisions()).toHaveLength(1);
  expect(reasons()).toEqual(['over_address_bytes']);
  become(noByteLimit);
  expect(await post({ lead_id: large.lead_id, sub_id2: 'x' })).toMatchObject({ revision: 2 });
  expect(lead()).toMatchObject({ state: 'accepted' });
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

const one = '01939999-1111-7111-8111-000000000001';
const other = '01939999-1111-7111-8111-000000000002';
let nowMs = 0;
const counts = createRequestCounts(() => new Date(nowMs));

async function admitted(leadId: string, secret: string | null, times: number): Promise<number> {
  let count = 0;
  for (let n = 0; n < times; n += 1) {
    try {
      await countPost(counts, leadId, secret);
      count += 1;
    } catch (error) {
      expect(error).toMatchObject({ name: 'OverLimitError', reason: 'too_many_posts' });
    }
  }
  return count;
}

test('a lead takes at most thirty posts a minute with the same lead id and secret', async () => {
  expect(await admitted(one, 'a', 40)).toBe(30);
  expect(await admitted(one, 'b', 1)).toBe(1);
  expect(await admitted(one, null, 1)).toBe(1);
  expect(await admitted(other, 'a', 1)).toBe(1);
  nowMs = 59_999;
  expect(await admitted(one, 'a', 1)).toBe(0);
  nowMs = 60_000;
  expect(await admitted(one, 'a', 40)).toBe(30);
});
