/** Tests the exact bytes that ad platforms get, and how their documented answers are read. */
import { beforeEach, describe, expect, it } from 'vitest';
import { prepared, sendRequest } from '../../../../tests/support/send-request.ts';
import type { OutgoingRequest } from '../../platform/outgoing-http.ts';
import { parseSettings } from '../../settings/settings.ts';
import type { DestinationDefinition } from './destination.ts';
import { everflow } from './everflow.ts';
import { meta } from './meta.ts';
import { tiktok } from './tiktok.ts';

const calls: OutgoingRequest[] = [];
let answer = { status: 200, text: '' };
const http = {
  async request(call: OutgoingRequest) {
    calls.push(call);
    return { ...answer, headers: {}, truncated: false, durationMs: 3 };
  },
  close: async () => undefined,
};
beforeEach(() => {
  calls.length = 0;
  answer = { status: 200, text: '' };
});

const environment = {
  META_DATASET_ID: '100000000000001',
  META_ACCESS_TOKEN: 'meta-token-00000000000',
  TIKTOK_PIXEL_ID: 'CPIXEL00000001',
  TIKTOK_ACCESS_TOKEN: 'tiktok-token-000000000',
  EVERFLOW_POSTBACK_URL: 'https://track.example/',
  EVERFLOW_NETWORK_ID: '12',
  EVERFLOW_API_KEY: 'everflow-key',
};
function connected(definition: DestinationDefinition, changes: NodeJS.ProcessEnv = {}) {
  const settings = parseSettings({ ...environment, ...changes });
  const { values } = settings.destinations.find((one) => one.definition === definition)!;
  return definition.connect(values!, http);
}

const at = new Date(Date.now() - 3_600_000).toISOString();
const seconds = Math.floor(Date.parse(at) / 1000);
const clickedMs = Date.parse(at) - 600_000;
const leadId = `${clickedMs.toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')}-7111-8111-111111111111`;
const deliveryId = '0193bbbb-3333-7333-8333-333333333333';
const about = {
  delivery_id: deliveryId,
  destination: 'ingest',
  value: 90.5,
  currency: 'USD',
} as const;
const sold = { type: 'lead.sold', ...about, at } as const;
const returned = { type: 'lead.returned', ...about, reason: 'bad_contact', at } as const;
const accepted = { type: 'lead.accepted', revision: 1, at } as const;
const ad = {
  clickIds: { fbclid: 'IwAR2F4-x', ttclid: 'E.C.P.abc', ef_transaction_id: 'a1b2c3d4e5' },
  states: ['TX'],
};
const fields = { email: 'ana@mail.example', phone: '5125550123', physical_injury: 'Yes' };
const ready = (
  definition: DestinationDefinition,
  event: typeof sold | typeof returned | typeof accepted = sold,
  changes = {},
) => prepared(connected(definition, changes), { leadId, event, ad, fields });

describe('an event at Meta', () => {
  it('has exactly these bytes', () => {
    const start = `{"data":[{"event_name":"Purchase","event_time":${seconds},"event_id":"${deliveryId}",`;
    const user = `"action_source":"system_generated","user_data":{"fbc":"fb.1.${clickedMs}.IwAR2F4-x"}`;
    const value = ',"custom_data":{"value":90.5,"currency":"USD"}';
    expect(ready(meta).body).toBe(`${start}${user}${value}}]}`);
    expect(ready(meta, accepted).body).toBe(
      `{"data":[{"event_name":"Lead","event_time":${seconds},"event_id":"${leadId}",${user}}]}`,
    );
  });

  it('goes to the dataset, with the token in a header', async () => {
    await ready(meta).send();
    expect(calls).toMatchObject([
      {
        method: 'POST',
        url: 'https://graph.facebook.com/v26.0/100000000000001/events',
        headers: { authorization: 'Bearer meta-token-00000000000' },
      },
    ]);
  });

  const error = (code: number, more = {}) =>
    JSON.stringify({ error: { message: 'm', code, ...more } });
  it.each([
    [200, '{"events_received":1,"messages":[],"fbtrace_id":"A"}', 'delivered'],
    [200, '{"events_received":0}', 'unknown'],
    [400, error(100, { error_subcode: 2804003 }), 'rejected'],
    [400, error(100, { error_subcode: 33 }), 'account'],
    [400, error(190), 'account'],
    [403, error(200), 'account'],
    [400, error(4), 'retry'],
    [400, error(80_004), 'retry'],
    [500, error(1), 'retry'],
    [400, error(100, { is_transient: true }), 'retry'],
    [200, error(2), 'retry'],
    [503, 'down', 'retry'],
    [500, 'down', 'server_error'],
  ])('reads HTTP %i with %s as %s', async (status, text, outcome) => {
    answer = { status, text };
    expect(await ready(meta).send()).toMatchObject({ outcome });
  });
});

describe('an event at TikTok', () => {
  it('has exactly these bytes', async () => {
    const toSend = ready(tiktok);
    expect(toSend.body).toBe(
      '{"event_source":"web","event_source_id":"CPIXEL00000001","data":[{"event":"Purchase",' +
        `"event_time":${seconds},"event_id":"${deliveryId}","user":{"ttclid":"E.C.P.abc"},` +
        '"properties":{"value":90.5,"currency":"USD"}}]}',
    );
    await toSend.send();
    expect(calls).toMatchObject([
      {
        url: 'https://business-api.tiktok.com/open_api/v1.3/event/track/',
        headers: { 'access-token': 'tiktok-token-000000000' },
      },
    ]);
  });

  it.each([
    [0, 'delivered'],
    [40_002, 'rejected'],
    [40_001, 'account'],
    [40_105, 'account'],
    [40_100, 'retry'],
    [50_000, 'retry'],
    [51_305, 'retry'],
  ])('reads the code %i in HTTP 200 as %s', async (code, outcome) => {
    answer = { status: 200, text: JSON.stringify({ code, message: 'm', request_id: 'r' }) };
    expect(await ready(tiktok).send()).toMatchObject({ outcome });
  });
});

describe('Everflow', () => {
  it('gets a sale as a postback', async () => {
    const toSend = ready(everflow, sold, { EVERFLOW_EVENTS: 'lead.sold=7' });
    const query = `nid=12&transaction_id=a1b2c3d4e5&event_id=7&amount=90.5&order_id=${deliveryId}`;
    expect(toSend.body).toBe(query);
    expect(await toSend.send()).toMatchObject({ outcome: 'delivered' });
    expect(calls).toMatchObject([{ method: 'GET', url: `https://track.example/?${query}` }]);
    expect(calls[0]).not.toHaveProperty('body');
    expect(ready(everflow).body).not.toContain('event_id');
  });

  it.each([
    [200, '{"result":true}', 'delivered'],
    [200, '{"result":false}', 'rejected'],
    [401, '{"Error":"no"}', 'account'],
    [404, '{"Error":"no"}', 'failed'],
  ])(
    'rejects the conversion of a returned lead: HTTP %i with %s',
    async (status, text, outcome) => {
      answer = { status, text };
      const toSend = ready(everflow, returned);
      expect(toSend.body).toBe('{"conversion_status":"rejected"}');
      expect(await toSend.send()).toMatchObject({ outcome });
      const url = 'https://api.eflow.team/v1/networks/reporting/conversions/a1b2c3d4e5';
      expect(calls).toMatchObject([
        { method: 'PATCH', url, headers: { 'x-eflow-api-key': 'everflow-key' } },
      ]);
    },
  );

  it('keeps the conversion of a lead that another buyer keeps', () => {
    const event = { ...returned, is_kept: true };
    const request = sendRequest({ leadId, event, ad });
    expect(connected(everflow).prepare(request)).toMatchObject({ outcome: 'rejected' });
  });

  it('is told of returns only with the API key', () => {
    expect(connected(everflow).events).toEqual(['lead.sold', 'lead.returned']);
    expect(connected(everflow, { EVERFLOW_API_KEY: '' }).events).toEqual(['lead.sold']);
  });
});
