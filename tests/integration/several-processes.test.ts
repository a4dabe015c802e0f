/** Tests limits that two servers share. */
import { expect, it } from 'vitest';
import { freshLead, freshProgress, postAsBrowser, serverForTests } from '../support/server.ts';

const SAVES = 40;
const limits = { SAVES_PER_ADDRESS_PER_MINUTE: String(SAVES), TRUSTED_PROXIES: 'loopback' };
const first = serverForTests(() => limits);
const second = serverForTests(() => ({ ...limits, DATABASE_URL: first.database.connectionString }));
const POSTS_OF_A_LEAD = 30;
const lead = freshLead();

it.each([
  ['saves from one IP address', SAVES, '/api/save-data', () => freshProgress(freshLead().lead_id)],
  ['posts of one lead', POSTS_OF_A_LEAD, '/post-lead', () => lead],
])('two servers together have one limit of %s', async (_, limit, path, body) => {
  const statuses: number[] = [];
  for (let turn = 0; turn < 2 * limit; turn += 1) {
    const { url } = (turn % 2 ? first : second).server;
    const from = { 'x-forwarded-for': '198.51.100.7' };
    statuses.push((await postAsBrowser(url + path, body(), undefined, from)).status);
  }
  const taken = statuses.filter((status) => status === 200).length;
  expect(statuses.filter((status) => status === 429)).toHaveLength(2 * limit - taken);
  expect(taken).toBeGreaterThanOrEqual(limit);
  // Two processes together may exceed the limit by a tenth.
  expect(taken).toBeLessThanOrEqual(limit * 1.1);
});
