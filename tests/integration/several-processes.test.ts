/** Two servers on one database share their limits (docs/decisions/0071-several-processes.md). */
import { expect, it } from 'vitest';
import { freshLead, freshProgress, postAsBrowser, serverForTests } from '../support/server.ts';

const SAVES = 40;
const CHECKS = 30;
const POSTS_OF_A_LEAD = 30;
const limits = {
  SAVES_PER_ADDRESS_PER_MINUTE: String(SAVES),
  CHECKS_PER_ADDRESS_PER_MINUTE: String(CHECKS),
  TRUSTED_PROXIES: 'loopback',
};
const first = serverForTests(() => limits);
const second = serverForTests(() => ({
  ...limits,
  DATABASE_URL: first.database.connectionString,
}));

/** Posts to both servers in turn; returns how many were taken and the answers of the others. */
async function inTurn(times: number, path: string, address: string, body: () => unknown) {
  const answers = [];
  for (let turn = 0; turn < times; turn += 1) {
    const { url } = (turn % 2 ? first : second).server;
    const from = { 'x-forwarded-for': address };
    answers.push(await postAsBrowser(url + path, body(), undefined, from));
  }
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.every(({ headers }) => Number(headers.get('retry-after')) <= 60)).toBe(true);
  return { taken: answers.filter(({ status }) => status === 200).length, refused: refused.length };
}

const { lead_id } = freshLead();
/** The look-ups of a visit that do not count for its address. */
const OF_VISIT = 20;

it.each([
  ['saves', SAVES, '/api/save-data', () => freshProgress(freshLead().lead_id)],
  [
    'look-ups',
    CHECKS + OF_VISIT,
    '/api/check/email',
    () => ({ email: 'ana@example.com', lead_id }),
  ],
])('%s of an address', async (_, limit, path, body) => {
  const { taken, refused } = await inTurn(2 * limit, path, '198.51.100.7', body);
  expect(taken + refused).toBe(2 * limit);
  expect(taken).toBeGreaterThanOrEqual(limit);
  expect(taken).toBeLessThanOrEqual(limit * 1.1);
});

it('posts of a lead', async () => {
  const lead = freshLead();
  const { taken, refused } = await inTurn(50, '/post-lead', '198.51.100.8', () => lead);
  expect(taken + refused).toBe(50);
  expect(taken).toBeGreaterThanOrEqual(POSTS_OF_A_LEAD);
  expect(taken).toBeLessThanOrEqual(POSTS_OF_A_LEAD + 3);
  const { rows } = await first.database.pool.query('select count(*)::int as leads from leads');
  expect(rows).toEqual([{ leads: 1 }]);
});
