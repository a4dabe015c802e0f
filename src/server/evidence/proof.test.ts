import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  attemptOf,
  deliveryOf,
  historyOf,
  revisionOf,
} from '../../../tests/support/lead-history.ts';
import { saleRules } from '../../../tests/support/sale-rules.ts';
import type { DeliveryHistory, LeadHistory } from '../leads/index.ts';
import { parseSettings } from '../settings/settings.ts';
import { previewRequest, rebuildRequest } from './proof.ts';

const settings = parseSettings({
  META_DATASET_ID: '100000000000001',
  META_ACCESS_TOKEN: 'meta-token-00000000000',
});
const from = { settings: settings.destinations, rules: saleRules };
const created_at = new Date(Date.now() - 3_600_000);
const event = {
  type: 'lead.sold',
  delivery_id: '0193bbbb-3333-7333-8333-333333333333',
  destination: 'ingest',
  value: 90,
  currency: 'USD',
};
const waiting: Partial<DeliveryHistory> = {
  destination: 'meta',
  event,
  event_key: `lead.sold ${event.delivery_id}`,
  state: 'waiting',
  revision: null,
  account: null,
  attempts: 0,
  finished_at: null,
  log: [],
  created_at,
};
const decided = (states: string) => [
  { rule: 'state_rule', inputs: { states, may_be_sold: 'yes' }, result: 'allowed' },
];

/** Returns a lead from a click at Meta, with one event to Meta. */
function lead(
  delivery: Partial<DeliveryHistory> = {},
  changes: Partial<LeadHistory> = {},
  states = 'TX',
) {
  const { body } = revisionOf();
  const revision = revisionOf({
    body: { ...body, fbclid: 'IwAR2F4-x' },
    decisions: decided(states),
  });
  const { lead: row } = historyOf();
  const all = {
    lead: { ...row, sec_gpc: false },
    revisions: [revision],
    deliveries: [deliveryOf({ ...waiting, ...delivery })],
    ...changes,
  };
  return historyOf(all);
}
/** A lead with a return whose sale was not reported yet. */
const returned = lead(
  {},
  {
    deliveries: [
      deliveryOf({
        ...waiting,
        event: { ...event, type: 'lead.returned' },
        event_key: 'lead.returned',
      }),
      deliveryOf(waiting),
    ],
  },
);
const preview = (history: LeadHistory) => previewRequest(history, history.deliveries[0]!, from);

describe('the preview of an event at an ad platform', () => {
  it('has the bytes that would be sent', () => {
    const { sent, ...rest } = preview(lead());
    expect(sent).toContain('"user_data":{"fbc":"fb.1.');
    expect(rest).toMatchObject({ isPreview: true, proof: 'these bytes would be sent now' });
  });

  it.each([
    ['WA.ad_platforms', lead({}, {}, 'WA')],
    ['opt-out signal', lead({}, { lead: historyOf().lead })],
    ['not to be contacted', lead({}, { is_suppressed: true })],
    ['not confirmed there yet', returned],
    ['has ended', lead({ state: 'suppressed', finished_at: new Date() })],
    ['8.0 days old', lead({ created_at: new Date(Date.now() - 8 * 86_400_000) })],
  ])('says that nothing would be sent, and why: %s', (why, history) => {
    expect(preview(history)).toMatchObject({ sent: null, proof: expect.stringContaining(why) });
  });
});

it('the bytes of an event are proven when the platform would no longer take it', async () => {
  const sentAt = new Date(created_at.getTime() - 30 * 86_400_000);
  const { sent } = preview(lead());
  const earlier = lead({ state: 'delivered', created_at: sentAt, finished_at: sentAt });
  const body = sent!
    .replace(/"event_time":\d+/, `"event_time":${Math.floor(sentAt.getTime() / 1000)}`)
    .replace(/fb\.1\.\d+/, `fb.1.${sentAt.getTime()}`);
  const attempt = attemptOf({
    started_at: sentAt,
    account: null,
    sent_sha256: hash('sha256', body, 'hex'),
  });
  const client = { query: () => Promise.reject(new Error('no key is needed')) } as never;
  const made = await rebuildRequest(earlier, earlier.deliveries[0]!, attempt, { ...from, client });
  expect(made).toMatchObject({ sent: body, isProven: true });
});
