import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { prepared, sendRequest } from '../../../../tests/support/send-request.ts';
import type { OutgoingHttp, OutgoingRequest } from '../../platform/outgoing-http.ts';
import { parseSettings, SettingsError } from '../../settings/settings.ts';
import type { TimedEvent } from './event.ts';
import { eventTypes } from './event.ts';
import { webhook } from './webhook.ts';

const secretOf = (fill: number, bytes = 32) =>
  `whsec_${Buffer.alloc(bytes, fill).toString('base64')}`;
const [older, newer] = [secretOf(1), secretOf(2)];
const values = {
  WEBHOOK_URL: 'https://crm.example/hooks/the-path',
  WEBHOOK_SECRETS: [older, newer],
  WEBHOOK_EVENTS: eventTypes,
  WEBHOOK_TIMEOUT_MS: 15_000,
};

const calls: OutgoingRequest[] = [];
const httpAnswering = (status: number, text = ''): OutgoingHttp => ({
  async request(call) {
    calls.push(call);
    return { status, headers: {}, text, truncated: false, durationMs: 3 };
  },
  close: async () => undefined,
});
const answering = (...answer: Parameters<typeof httpAnswering>) =>
  webhook.connect(values, httpAnswering(...answer));

const at = '2026-11-20T15:00:00.000Z';
const accepted: TimedEvent = { type: 'lead.accepted', revision: 1, at };
const failed = {
  type: 'delivery.failed',
  delivery_id: '0193bbbb-3333-7333-8333-333333333333',
  destination: 'ingest',
  state: 'dead',
  attempt: 20,
  revision: 1,
  external_id: null,
  at,
} satisfies TimedEvent;
const fields = { first_name: 'Ana', email: 'ana@mail.example' };

describe('the payload of version 1', () => {
  const golden = (event: TimedEvent) => prepared(answering(200), { event, fields }).body;

  it('contains the lead’s fields if the event is about a lead', () => {
    expect(golden(accepted)).toBe(
      '{"type":"lead.accepted","timestamp":"2026-11-20T15:00:00.000Z","data":{' +
        '"lead_id":"01939999-1111-7111-8111-111111111111","is_test":false,"revision":1,' +
        '"fields":{"first_name":"Ana","email":"ana@mail.example"},"changed_answers":[]}}',
    );
    const overrides = [
      { field: 'physical_injury', answered: 'no', becomes: 'Yes', rule: 'treatment.forced' },
    ];
    const changed = prepared(answering(200), { event: accepted, fields, overrides }).body;
    expect(JSON.parse(changed).data.changed_answers).toEqual([
      { field: 'physical_injury', answered: 'no', sent: 'Yes', rule: 'treatment.forced' },
    ]);
  });

  it('contains no personal data if the event is about a delivery', () => {
    expect(golden(failed)).toBe(
      '{"type":"delivery.failed","timestamp":"2026-11-20T15:00:00.000Z","data":{' +
        '"lead_id":"01939999-1111-7111-8111-111111111111","is_test":false,' +
        '"delivery_id":"0193bbbb-3333-7333-8333-333333333333","destination":"ingest",' +
        '"state":"dead","attempt":20,"revision":1,"external_id":null}}',
    );
  });

  it('names the delivery and the amount if the event is about a return', () => {
    const { delivery_id, destination } = failed;
    const about = { delivery_id, destination, value: 120.5, currency: 'USD' } as const;
    const returned = { type: 'lead.returned', ...about, reason: 'bad_contact', at } as const;
    expect(golden(returned)).toBe(
      '{"type":"lead.returned","timestamp":"2026-11-20T15:00:00.000Z","data":{' +
        '"lead_id":"01939999-1111-7111-8111-111111111111","is_test":false,' +
        '"delivery_id":"0193bbbb-3333-7333-8333-333333333333","destination":"ingest",' +
        '"value":120.5,"currency":"USD","reason":"bad_contact"}}',
    );
  });

  it('cannot be built from a request without an event', () => {
    expect(answering(200).prepare(sendRequest())).toMatchObject({ outcome: 'failed' });
  });
});

it('the Standard Webhooks library accepts the signature with either secret', async () => {
  calls.length = 0;
  const toSend = prepared(answering(200), { event: accepted, fields });
  await toSend.send();
  await toSend.send();
  const ids = calls.map(({ headers }) => headers?.['webhook-id']);
  expect(ids).toEqual([sendRequest().deliveryId, sendRequest().deliveryId]);
  const { headers = {}, body = '' } = calls[0] ?? {};
  for (const secret of [older, newer]) {
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'lead.accepted' });
  }
  expect(() => new Webhook(secretOf(3)).verify(body, headers)).toThrow();
  expect(() => new Webhook(older).verify(`${body} `, headers)).toThrow();
  const late = { ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 600) };
  expect(() => new Webhook(older).verify(body, late)).toThrow();
});

it.each([
  [400, 'retry'],
  [404, 'retry'],
  [410, 'failed'],
])('the answer HTTP %i is stored without secrets', async (status, outcome) => {
  const answer = `no ${older} at /hooks/the-path`;
  const result = await prepared(answering(status, answer), { event: failed }).send();
  expect(result).toMatchObject({ outcome, response: 'no [secret] at [secret]' });
});

it('the account test sends an event without data', async () => {
  calls.length = 0;
  expect(await webhook.probe?.(values, httpAnswering(204))).toMatchObject({ state: 'works' });
  expect(JSON.parse(calls[0]?.body ?? '')).toMatchObject({ type: 'webhook.test', data: {} });
  expect(await webhook.probe?.(values, httpAnswering(404))).toMatchObject({ state: 'wrong' });
});

describe('the webhook settings', () => {
  const read = (changes: NodeJS.ProcessEnv) =>
    parseSettings({
      WEBHOOK_URL: values.WEBHOOK_URL,
      WEBHOOK_SECRETS: older,
      ...changes,
    }).destinations.find(({ definition }) => definition === webhook);

  it.each([
    ['WEBHOOK_SECRETS', 'swordfish'],
    ['WEBHOOK_SECRETS', secretOf(1, 16)],
    ['WEBHOOK_SECRETS', `${older},whsec_swordfish`],
    ['WEBHOOK_EVENTS', 'lead.bought'],
  ])('are not shown in the error about an invalid %s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(SettingsError);
    expect(() => read({ [name]: value })).not.toThrow(/swordfish/);
  });
});
