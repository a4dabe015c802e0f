import { expect, test } from 'vitest';
import {
  at,
  attemptOf,
  deliveryOf,
  eventOf,
  historyOf,
  revisionOf,
  viewOf,
} from '../../../tests/support/lead-history.ts';
import type { DeliveryHistory, LeadHistory, OtherLead } from '../leads/lead-history.ts';
import { deliverySentence, outcomeOf } from './outcome.ts';

const outcome = (history: LeadHistory, isOpened = false) =>
  outcomeOf(history, viewOf(isOpened)).join(' ');

/** Returns the outcome of a lead with one delivery. */
const ofDelivery = (delivery: Partial<DeliveryHistory>, isOpened = false) =>
  outcome(historyOf({ deliveries: [deliveryOf(delivery)] }), isOpened);

const failed = (http_status: number | null, name: string) =>
  attemptOf({ http_status, outcome: name, response: 'about Ana', error: 'about Ana' });

test.each<[string, Partial<DeliveryHistory>, string]>([
  ['delivered', {}, 'Lead Prosper took it on 2026-07-01 08:07:00 EDT.'],
  [
    'rejected as a duplicate',
    { state: 'rejected', log: [failed(200, 'duplicate')], last_message: 'DUPLICATED 1: Ana' },
    'Lead Prosper rejected it on 2026-07-01 08:07:00 EDT: it has this person from another source. It is not sent again.',
  ],
  [
    'given up',
    { state: 'dead', attempts: 20, log: [failed(503, 'retry')], end_reason: 'given_up' },
    'Lead Prosper did not take it in 20 attempts: it answered HTTP 503. It was given up.',
  ],
  [
    'uncertain',
    { state: 'uncertain', destination: 'exchange', log: [failed(null, 'unknown')] },
    'The exchange lead-data service may have taken it: its answer was lost. It is not sent again by itself, because a second copy would not be recognised there.',
  ],
  [
    'taken, with a result that comes later',
    {
      state: 'retrying',
      external_id: 'r1',
      log: [failed(200, 'later')],
      finished_at: null,
      due_at: at('12:40'),
    },
    'It is on its way: Lead Prosper has it and says the result later. The next attempt is due 2026-07-01 08:40:00 EDT.',
  ],
  [
    'suppressed for lack of a consent text',
    { state: 'suppressed', end_reason: 'no_consent' },
    'This person gave no consent text, so this lead cannot be sent.',
  ],
  [
    'passed over',
    { state: 'passed_over', end_reason: 'outside_states' },
    'Lead Prosper does not get it: this buyer takes no leads of this state.',
  ],
  [
    'waiting for a buyer that opens',
    { state: 'waiting', is_unrouted: true, end_reason: 'closed_now', due_at: at('14:00') },
    'No buyer may have it now. Lead Prosper does not get it yet: it is outside this buyer’s hours. It may have it from 2026-07-01 10:00:00 EDT on.',
  ],
  [
    'waiting for a paused buyer',
    {
      state: 'waiting',
      is_unrouted: true,
      end_reason: 'buyer_paused',
      due_at: at('14:00'),
      waits_because: 'ingest is paused',
    },
    'No buyer may have it now. Lead Prosper does not get it yet: this buyer’s destination is paused. It may have it once the pause ends.',
  ],
  [
    'waiting for the choice',
    { state: 'waiting', is_unrouted: true, due_at: at('12:00') },
    'It is about to be offered to Lead Prosper.',
  ],
])('outcomeOf describes the state of a delivery', (_, delivery, sentence) => {
  expect(ofDelivery(delivery)).toBe(sentence);
});

test('the outcome of a duplicate lead names the earlier lead that was sold', () => {
  const delivery = deliveryOf({ state: 'rejected', log: [failed(200, 'duplicate')] });
  const soldAt = (destination: string, time: string) => ({
    id: '0198a000-other',
    created_at: at('12:00'),
    state: 'accepted' as const,
    sold: [{ destination, at: at(time).toISOString() }],
  });
  const says = (other: OtherLead) =>
    outcome(historyOf({ deliveries: [delivery], others: [other] }));
  expect(says(soldAt('ingest', '12:06:49'))).toContain(
    'you sold this person earlier: lead 0198a000-other',
  );
  expect(says(soldAt('exchange', '12:06:49'))).toContain('from another source');
  expect(says(soldAt('ingest', '12:30'))).toContain('from another source');
});

test.each<[LeadHistory['lead']['state'], Partial<LeadHistory>, string]>([
  [
    'held',
    { revisions: [revisionOf({ problems: [{ problem: 'held', reason: 'no_consent' }] })] },
    'The lead is held for review: it has no consent text.',
  ],
  ['held', {}, 'Lead Prosper has an earlier version, and nothing further is sent until you'],
  ['dismissed', { events: [eventOf({ kind: 'dismissed' })] }, 'was dismissed by ops@example.com'],
])('outcomeOf describes the state of a lead', (state, changes, sentence) => {
  const lead = { ...historyOf().lead, state, revision: 2 };
  const deliveries = [deliveryOf({ delivered_revision: 1 })];
  expect(outcome(historyOf({ lead, deliveries, ...changes }))).toContain(sentence);
});

test('the outcome of a sold lead counts the other buyers', () => {
  const passedOver = ['ingest/smith', 'ingest/jones'].map((destination) =>
    deliveryOf({ destination, state: 'passed_over', end_reason: 'has_buyer' }),
  );
  expect(outcome(historyOf({ deliveries: [deliveryOf(), ...passedOver] }))).toBe(
    'Lead Prosper took it on 2026-07-01 08:07:00 EDT. 2 other buyers did not get it.',
  );
  expect(outcome(historyOf({ deliveries: passedOver.slice(1) }))).toBe(
    'Jones (Lead Prosper) does not get it: another buyer has it, and one of the two does not share.',
  );
});

test.each<[Partial<DeliveryHistory>, string]>([
  [
    {
      state: 'rejected',
      event: { type: 'lead.sold' },
      log: [attemptOf({ outcome: 'rejected', http_status: null, sent_sha256: null })],
      last_message: 'The event is 8.0 days old, and Meta takes at most 7 days',
    },
    'The event lead.sold is not sent to Meta: The event is 8.0 days old, and Meta takes at most 7 days.',
  ],
  [
    {
      state: 'waiting',
      event: { type: 'lead.returned' },
      log: [],
      finished_at: null,
      due_at: at('12:41'),
    },
    'The event lead.returned waits until Meta has confirmed the sale.',
  ],
])('the sentence about an event says why an ad platform is not told it', (changes, sentence) => {
  const delivery = deliveryOf({ destination: 'meta', ...changes });
  expect(deliverySentence(delivery, historyOf(), viewOf(false))).toBe(sentence);
});
