import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { saleRules } from '../../../../tests/support/sale-rules.ts';
import { sendRequest } from '../../../../tests/support/send-request.ts';
import { clickIdsOf } from '../../../model/fields/click-ids.ts';
import { type AdPlatform, conversionNames, readConversion, withAdRuling } from './conversion.ts';
import type { SendRequest } from './destination.ts';
import type { TimedEvent } from './event.ts';
import { google } from './google.ts';
import { tiktok } from './tiktok.ts';

const platform: AdPlatform = {
  title: 'The platform',
  clickIds: ['gclid', 'wbraid'],
  maxAgeDays: 7,
  repeatHours: 48,
};
const at = '2026-11-20T15:00:00.000Z';
const sold: TimedEvent = {
  type: 'lead.sold',
  delivery_id: '0193bbbb-3333-7333-8333-333333333333',
  destination: 'ingest',
  value: 90.5,
  currency: 'USD',
  at,
};
const clickIds = { gclid: 'Cj0KCQ-gclid', fbclid: 'IwAR2F4-fbclid' };
const hoursLater = (hours: number) => new Date(Date.parse(at) + hours * 3_600_000);
const read = (changes: Partial<SendRequest> = {}, now = hoursLater(1)) =>
  readConversion(
    sendRequest({ event: sold, ad: { clickIds, states: ['TX'] }, now, ...changes }),
    platform,
    { 'lead.accepted': 'Lead', 'lead.sold': 'Purchase' },
  );

describe('the conversion of an event', () => {
  it('has the click ids of the platform, our key, the time, a neutral name and the value', () => {
    expect(read()).toEqual({
      id: sold.delivery_id,
      type: 'lead.sold',
      name: 'Purchase',
      at: new Date(at),
      clickIds: { gclid: clickIds.gclid },
      clickedAt: new Date(at),
      value: 90.5,
    });
    const leadId = '019a9f00-0000-7111-8111-111111111111';
    const accepted = {
      type: 'lead.accepted',
      revision: 1,
      at: '2025-12-01T00:00:00.000Z',
    } as const;
    expect(read({ event: accepted, leadId }, new Date(accepted.at))).toMatchObject({
      id: leadId,
      clickedAt: new Date(0x019a9f000000),
      value: null,
    });
  });

  it.each([
    [
      { event: { ...sold, type: 'lead.signed' as const } },
      1,
      'rejected',
      'does not get this event',
    ],
    [{ isTest: true }, 1, 'rejected', 'test lead'],
    [{ ad: { clickIds: { fbclid: 'IwAR2F4-x' }, states: [] } }, 1, 'rejected', 'no click id'],
    [{ ad: { clickIds, states: [], refusal: 'Rule WA.ad_platforms' } }, 1, 'rejected', 'Rule WA'],
    [{}, 7 * 24 + 3, 'rejected', '7.1 days old, and The platform takes at most 7 days'],
    [{ mayHaveArrived: true }, 49, 'failed', 'would count it twice'],
  ])(
    'is not sent if the platform must not be told, or refuses it',
    (changes, hours, outcome, error) => {
      expect(read(changes, hoursLater(hours))).toMatchObject({
        outcome,
        error: expect.stringContaining(error),
      });
    },
  );

  it('is sent to the last minute', () => {
    expect(read({}, hoursLater(7 * 24))).toHaveProperty('name');
    expect(read({ mayHaveArrived: true }, hoursLater(48))).toHaveProperty('name');
    expect(read({}, hoursLater(49))).toHaveProperty('name');
  });
});

describe('the ruling on a lead’s states', () => {
  const ruled = (states: string[], changes = {}) =>
    withAdRuling(sendRequest({ ad: { clickIds, states } }), {
      ...saleRules,
      stateRules: { ...saleRules.stateRules, changes },
    }).ad?.refusal;
  it.each(['WA', 'NV', 'CT', 'MD'])('forbids telling about a lead of %s', (state) => {
    expect(ruled(['TX', state])).toContain(`${state}.ad_platforms`);
  });

  it('can be changed by STATE_RULES, without a change of the sale', () => {
    expect(ruled(['TX', 'CO', ''])).toBeUndefined();
    const reason = 'Counsel said so';
    const about = (decision: string) => [{ topic: 'ad_platforms', decision, reason }];
    expect(ruled(['WA'], { WA: about('allowed') })).toBeUndefined();
    expect(ruled(['TX'], { TX: about('prohibited') })).toContain(reason);
    expect(ruled(['TX'], { TX: [{ decision: 'prohibited', reason }] })).toBeUndefined();
  });
});

it('click ids exclude placeholders, addresses and numbers', () => {
  const posted = {
    gclid: ' Cj0KCQ-gclid ',
    fbclid: '{{fbclid}}',
    ttclid: 'ana@mail.example',
    msclkid: '5125550123',
    wbraid: 7,
    gbraid: '512-555-0123',
    first_name: 'Anastasia',
  };
  expect(clickIdsOf(posted)).toEqual({ gclid: 'Cj0KCQ-gclid' });
  const lead = { survey: '', flow: 'v4', qualified: true, isTest: false, fields: {} };
  const takes = google.appliesTo;
  const clicked = { ...lead, click: { params: posted } };
  expect(takes(clicked, {})).toBe(true);
  expect(takes({ ...clicked, isTest: true }, {})).toBe(false);
  expect(takes(clicked, undefined)).toBe(false);
  expect(takes(lead, {})).toBe(false);
  expect(tiktok.appliesTo(clicked, {})).toBe(false);
});

it.each([
  ['lead.accepted=Lead, lead.sold=Purchase', { 'lead.accepted': 'Lead', 'lead.sold': 'Purchase' }],
  ['lead.sold=Car Accident Sold', undefined],
  ['lead.sold', undefined],
  ['lead.revised=Lead', undefined],
])('reads the names of events in %j', (value, expected) => {
  const result = v.safeParse(conversionNames().read, value);
  expect(result.success ? result.output : undefined).toEqual(expected);
});
