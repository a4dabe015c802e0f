import { expect, test } from 'vitest';
import { probeIngestAccount } from './ingest-probe.ts';

const account = {
  baseUrl: 'https://ingest.example/',
  campaignId: '1',
  supplierId: '2',
  key: 'k3y',
  codes: ['1002', '4711'],
};
const probed = (status: number, body: unknown) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = { status, headers: {}, text, truncated: false, durationMs: 1 };
  return probeIngestAccount({ request: async () => answer }, account, 1_000);
};
const error = (code: number, message: string) => ({ status: 'ERROR', code, message });

test.each([
  ['a missing field', 200, error(1015, 'Validation failed: phone is required')],
  ['a message that only mentions a number', 400, error(1015, 'Lot 1002 is no zip code')],
  ['a lead that was taken', 200, { status: 'ACCEPTED', id: 'abc' }],
])('an answer about the lead (%s) shows that the account is known', async (_, status, body) => {
  expect((await probed(status, body)).state).toBe('works');
});

test.each([
  ['words about credentials', 200, error(1, 'invalid campaign credentials'), 'credentials'],
  ['a code of the settings', 200, error(4711, 'no'), 'it refuses our account (ERROR 4711)'],
  ['a closed campaign', 200, error(9, 'This campaign is paused'), 'closed'],
  ['a cap of the account', 200, error(9, 'Daily cap reached'), 'cap'],
  ['HTTP 401', 401, 'Unauthorized', 'HTTP 401'],
  ['HTTP 403', 403, error(1, 'no'), 'HTTP 403'],
  ['another page', 200, '<html>Welcome</html>', 'not the answer of a lead-ingest service'],
  ['a failure of the server', 500, error(1, 'no'), 'HTTP 500'],
])('an answer about the account (%s) is wrong', async (_, status, body, said) => {
  expect(await probed(status, body)).toEqual({
    state: 'wrong',
    text: expect.stringContaining(said),
  });
});
