import { expect, test } from 'vitest';
import { OutgoingError, type OutgoingRequest } from '../../platform/outgoing-http.ts';
import { authorized } from './access-tokens.ts';
import type { SendResult } from './destination.ts';

const HOUR_MS = 3_600_000;
const TOKENS = 'https://tokens.example/token';

/** Creates calls whose tokens come from a service with the answers. The calls refuse the tokens in `refused`. */
function setUp(answers: (readonly [number, unknown] | Error)[] = [], refused: string[] = []) {
  const calls: OutgoingRequest[] = [];
  const kept: string[] = [];
  let nowMs = 0;
  let count = 0;
  const http = {
    async request(call: OutgoingRequest) {
      calls.push(call);
      await Promise.resolve();
      const about = { headers: {}, truncated: false, durationMs: 1 };
      if (call.url !== TOKENS) return { ...about, status: 200, text: '' };
      count += 1;
      const token = { access_token: `t${count}`, expires_in: 3_600, refresh_token: `r${count}` };
      const answer = answers.shift() ?? [200, token];
      if (answer instanceof Error) throw answer;
      return { ...about, status: answer[0], text: JSON.stringify(answer[1]) };
    },
    close: async () => undefined,
  };
  const prepare = authorized(
    http,
    {
      url: TOKENS,
      form: async () => ({ grant_type: 'test' }),
      accountSettings: ['THE_KEY'],
      keep: async (refreshToken) => void kept.push(refreshToken),
    },
    1_000,
    () => nowMs,
  );
  const send = () =>
    prepare({
      url: 'https://api.example/',
      body: '{}',
      timeoutMs: 1_000,
      read(): SendResult {
        const used = String(calls.at(-1)?.headers?.authorization).slice('Bearer '.length);
        return { outcome: refused.includes(used) ? 'account' : 'delivered', durationMs: 1 };
      },
    }).send();
  const requests = () => calls.filter(({ url }) => url === TOKENS).length;
  const wait = (ms: number) => {
    nowMs += ms;
  };
  return { calls, kept, send, requests, wait };
}

test('calls at the same time share one token, which is replaced before it expires', async () => {
  const { calls, kept, send, requests, wait } = setUp();
  await Promise.all([send(), send(), send()]);
  expect(requests()).toBe(1);
  expect(calls[0]?.body).toBe('grant_type=test');
  expect(calls[1]?.headers).toEqual({ authorization: 'Bearer t1' });
  wait(HOUR_MS - 6 * 60_000);
  await send();
  expect(requests()).toBe(1);
  wait(2 * 60_000);
  await send();
  expect([requests(), kept]).toEqual([2, ['r1', 'r2']]);
});

test('a refused token is replaced at the next call', async () => {
  const { send, requests } = setUp([], ['t1']);
  expect(await send()).toMatchObject({ outcome: 'account' });
  expect(await send()).toMatchObject({ outcome: 'delivered' });
  expect(requests()).toBe(2);
});

test.each([
  [[400, { error: 'invalid_grant' }], 'account'],
  [[401, { error: 'invalid_client' }], 'account'],
  [[429, {}], 'retry'],
  [[503, {}], 'retry'],
  [[200, { token_type: 'Bearer' }], 'retry'],
  [new OutgoingError('lost', { failure: 'timeout', mayHaveArrived: true, durationMs: 1 }), 'retry'],
] as const)('without a token nothing is sent: %j', async (answer, outcome) => {
  const { calls, send } = setUp([answer as never]);
  const result = await send();
  expect(result).toMatchObject({ outcome });
  expect(result.response).toBeUndefined();
  expect(result.account?.settings).toEqual(outcome === 'account' ? ['THE_KEY'] : undefined);
  expect(calls).toHaveLength(1);
  // The next attempt asks again.
  expect(await send()).toMatchObject({ outcome: 'delivered' });
});
