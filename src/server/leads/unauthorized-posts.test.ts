/**
 * Tests the limit of posts to a lead without its secret. tests/integration/ownership.test.ts tests how they are stored.
 */
import { expect, it, vi } from 'vitest';
import {
  hashOfSecret,
  strangersSecret,
  testAcceptLead,
  testLead,
  testNow,
} from '../../../tests/support/leads.ts';
import { OverLimitError } from '../platform/errors.ts';

const id = String(testLead().lead_id);
const stranger = { secretSha256: hashOfSecret(strangersSecret) };

it('after twenty posts without the lead’s secret, further ones are refused without a query', async () => {
  let nowMs = testNow.getTime();
  const { post, store, revisions } = testAcceptLead({ now: () => new Date(nowMs) });
  await post(testLead());
  const postAsStranger = (n: number) => post(testLead({ sub_id2: `post-${n}` }), stranger);
  for (let n = 1; n <= 20; n += 1) await postAsStranger(n);
  // A repeated post does not count again.
  expect(await postAsStranger(20)).toMatchObject({ revision: 1 });
  await expect(postAsStranger(21)).rejects.toMatchObject({
    name: 'OverLimitError',
    reason: 'too_many_posts',
    retryAfterSeconds: 3_600,
  });
  const calls = [
    vi.spyOn(store, 'insert'),
    vi.spyOn(store, 'find'),
    vi.spyOn(store, 'revise'),
    vi.spyOn(store, 'insertUnauthorized'),
  ];
  const asked = () => calls.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (let n = 22; n <= 25; n += 1) await expect(postAsStranger(n)).rejects.toThrow(OverLimitError);
  await expect(post(testLead(), { secretSha256: null })).rejects.toThrow(OverLimitError);
  expect(asked()).toBe(0);
  // The limit does not apply to the lead's owner.
  expect(await post(testLead({ sub_id2: 'own' }))).toMatchObject({ revision: 2 });
  expect(revisions()).toHaveLength(2);
  nowMs += 10 * 60_000;
  expect(await postAsStranger(20)).toMatchObject({ revision: 1 });
  await expect(postAsStranger(26)).rejects.toThrow(OverLimitError);
  expect(store.unauthorizedPostsTo(id)).toHaveLength(20);
});
