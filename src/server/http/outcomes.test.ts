import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { expectProblem, testApp } from '../../../tests/support/app.ts';
import { SettingsError } from '../settings/settings.ts';

const secretOf = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;
const [older, newer, other] = [secretOf(1), secretOf(2), secretOf(3)];
const secrets = (value: unknown) => ({ OUTCOME_SECRETS: JSON.stringify(value) });
const env = secrets({ contact: other, ingest: [older, newer] });

/** Returns the signed headers and the body of a message. */
function signed(data: unknown, { secret = newer, id = 'msg_1', at = new Date() } = {}) {
  const payload = typeof data === 'string' ? data : JSON.stringify({ data });
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1,bm8= ${new Webhook(secret).sign(id, at, payload)}`,
  };
  return { method: 'POST', url: '/outcomes', headers, payload } as const;
}

const outcome = { lead_id: 'LP-1', outcome: 'signed' };

test('POST /outcomes stores an outcome for the buyer whose secret signed it', async () => {
  const { app, useCases, lines } = await testApp({ env });
  const at = new Date('2026-11-20T12:00:00Z');
  const answers = [
    await app.inject(signed({ ...outcome, at: '2026-11-20T12:00:00Z' })),
    await app.inject(signed(outcome, { secret: other, id: 'msg_2' })),
    await app.inject(signed(outcome, { secret: older })),
  ];
  for (const answer of answers) {
    expect(answer.json()).toEqual({ stored: 1, repeated: 0, unknown: 0 });
  }
  const calls = useCases.takeOutcome.mock.calls;
  expect(calls.map(([buyer, { id }]) => [buyer, id])).toEqual([
    ['ingest', 'ingest msg_1'],
    ['contact', 'contact msg_2'],
    ['ingest', 'ingest msg_1'],
  ]);
  expect(calls[0]?.[1]).toMatchObject({ reference: 'LP-1', kind: 'signed', at });
  expect(lines.join()).not.toMatch(/LP-1|msg_1/);
});

test('a message whose signature or time is wrong is refused', async () => {
  const { app, useCases } = await testApp({ env });
  const message = signed(outcome);
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const withHeader = (name: string, value: string) => ({
    ...message,
    headers: { ...message.headers, [name]: value },
  });
  for (const wrong of [
    signed(outcome, { secret: secretOf(4) }),
    signed(outcome, { at: minutesAgo(6) }),
    signed(outcome, { at: minutesAgo(-6) }),
    // The signature is over the exact bytes, so an equal object in other bytes does not fit.
    { ...message, payload: `${message.payload} ` },
    withHeader('webhook-id', 'msg_2'),
    withHeader('webhook-signature', ''),
    withHeader('webhook-timestamp', 'x'),
    { method: 'POST', url: '/outcomes', payload: message.payload } as const,
  ]) {
    const headers = {
      'content-type': 'application/json',
      ...('headers' in wrong && wrong.headers),
    };
    expectProblem(await app.inject({ ...wrong, headers }), 403, 'not_allowed');
  }
  expect(useCases.takeOutcome).not.toHaveBeenCalled();
});

test('POST /outcomes refuses a wrong outcome with the reason', async () => {
  const { app, useCases } = await testApp({ env });
  const answer = await app.inject(signed({ ...outcome, amount: 'ann@mail.example' }));
  expectProblem(answer, 400, 'invalid_request');
  const { detail } = answer.json();
  expect(detail).toMatch(/^"amount" must be/);
  expect(detail).not.toContain('ann@');
  for (const [wrong, reason] of [
    [signed([]), 'invalid_request'],
    [signed(outcome, { id: 'msg 1' }), 'invalid_request'],
    [signed('null'), 'invalid_request'],
    [signed('{'), 'not_json'],
    [signed(''), 'not_json'],
  ] as const) {
    expectProblem(await app.inject(wrong), 400, reason);
  }
  expect(useCases.takeOutcome).not.toHaveBeenCalled();
  const large = signed({ ...outcome, note: 'x'.repeat(65_536) });
  expectProblem(await app.inject(large), 413, 'too_large');
});

test('without secrets there is no such address; a secret that two share is refused', async () => {
  const { app } = await testApp();
  expectProblem(await app.inject(signed(outcome)), 404, 'not_found');
  for (const wrong of [
    { ingest: 'short' },
    { ingest: newer, contact: [newer] },
    { webhook: newer },
    { exchange: newer },
    { nobody: newer },
  ]) {
    await expect(testApp({ env: secrets(wrong) })).rejects.toThrow(SettingsError);
  }
});

test('the example in docs/webhooks.md reports outcomes', async () => {
  const [, section = ''] = readFileSync('docs/webhooks.md', 'utf8').split('## Reports of buyers');
  const [, code = ''] = /```js\n(.*?)```/s.exec(section) ?? [];
  const [, json = ''] = /```json\n(.*?)```/s.exec(section) ?? [];
  const example = code.replaceAll(
    "'standardwebhooks'",
    `'${import.meta.resolve('standardwebhooks')}'`,
  );
  const { outcomeRequest } = await import(`data:text/javascript,${encodeURIComponent(example)}`);
  const { app, useCases } = await testApp({ env });
  const { body, ...request } = outcomeRequest('msg_1', JSON.parse(json), newer);
  const answer = await app.inject({ ...request, url: '/outcomes', payload: body });
  expect(answer.json()).toEqual({ stored: 1, repeated: 0, unknown: 0 });
  const [, given] = useCases.takeOutcome.mock.calls[0] ?? [];
  expect(given).toMatchObject({ kind: 'returned', reason: 'bad_contact', amount: null });
});
