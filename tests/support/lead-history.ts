import { expect } from 'vitest';
import { rebuildRequest } from '../../src/server/evidence/proof.ts';
import { answerOf } from '../../src/server/insight/lead-page.ts';
import type { View } from '../../src/server/insight/masking.ts';
import type { DeliveryHistory, LeadHistory } from '../../src/server/leads/lead-history.ts';
import type {
  DeliveryAttemptRow,
  LeadEventRow,
  LeadRevisionRow,
} from '../../src/server/platform/database/schema.ts';
import { timeFormatter } from '../../src/server/platform/time-format.ts';
import { ana } from './ledger.ts';
import { saleRules } from './sale-rules.ts';

const ID = '0198a000-0000-7000-8000-00000000000a';
const HASH = 'ab'.repeat(32);

/** Returns a time on 1 July 2026, for example `at('12:05')`. */
export const at = (time: string) => new Date(`2026-07-01T${time}${time.length < 8 ? ':00' : ''}Z`);

/** Returns a delivery of the example lead. */
export function deliveryOf(changes: Partial<DeliveryHistory> = {}): DeliveryHistory {
  return {
    id: '0198d000-0000-7000-8000-00000000000d',
    lead_id: ID,
    destination: 'ingest',
    event_key: '',
    event: null,
    state: 'delivered',
    attempts: 1,
    attempts_before_round: 0,
    due_at: null,
    revision: 1,
    account: 'c/s',
    may_have_arrived: false,
    external_id: null,
    last_message: null,
    end_reason: null,
    is_unrouted: false,
    chosen_at: null,
    created_at: at('12:05'),
    finished_at: at('12:07'),
    delivered_revision: null,
    waits_because: null,
    log: [attemptOf()],
    ...changes,
  };
}

/** Returns an attempt of the example delivery. */
export function attemptOf(changes: Partial<DeliveryAttemptRow> = {}): DeliveryAttemptRow {
  return {
    delivery_id: '0198d000-0000-7000-8000-00000000000d',
    attempt: 1,
    started_at: at('12:06:59'),
    ended_at: at('12:07'),
    outcome: 'delivered',
    http_status: 200,
    response: '{"status":"ACCEPTED"}',
    error: null,
    duration_ms: 120,
    sent_sha256: HASH,
    revision: 1,
    account: 'c/s',
    payload_version: 1,
    ...changes,
  };
}

/** Returns a revision of the example lead. */
export function revisionOf(changes: Partial<LeadRevisionRow> = {}): LeadRevisionRow {
  const fields = { ...ana, state: 'TX', at_Fault: 'no', dq_reason: '', affid: '10' };
  return {
    revision: 1,
    received_at: at('12:05'),
    body: fields,
    body_sha256: HASH,
    merged: null,
    change: { answer: { qualified: 'yes', dq_reason: '' }, fields: [] },
    fields,
    given: { gibberish: { x: 'no' }, places: { x: { city: 'y' } } },
    decisions: [
      { rule: 'qualification.at_Fault', inputs: { at_Fault: 'no' }, result: 'passes' },
      { rule: 'treatment.forced', inputs: { days: 20, trigger: 'up_to_15_days' }, result: false },
    ],
    overrides: [
      { field: 'doctor_treatment', answered: 'no', becomes: 'Yes', rule: 'treatment.forced' },
    ],
    differences: [{ field: 'bad_words', browser: 'yes', server: 'no' }],
    problems: [{ problem: 'bad_value', field: 'zip_code', reason: 'unknown_zip', value: '1' }],
    email_key: 'key-1',
    phone_key: 'key-2',
    rules_version: HASH,
    flow_version: HASH,
    ...changes,
  };
}

/** Returns an operator's action on the example lead. */
export function eventOf(changes: Partial<LeadEventRow> = {}): LeadEventRow {
  return {
    id: '0198e000-0000-7000-8000-00000000000e',
    lead_id: ID,
    at: at('12:30'),
    kind: 'resent',
    actor: 'ops@example.com',
    detail: { was: 'dead', forced: false, reason: 'destination_fixed' },
    ...changes,
  };
}

const CONSENT = 'A lawyer may call me.\nBy pressing the button I agree.';

/** Returns the history of a lead, with every kind of entry. */
export function historyOf(changes: Partial<LeadHistory> = {}): LeadHistory {
  return {
    lead: {
      id: ID,
      survey: '/survey/v4nv',
      flow: 'v4',
      language: 'en',
      state: 'accepted',
      revision: 1,
      is_test: false,
      qualified: true,
      dq_reason: '',
      lead_is_qualified: true,
      do_not_send_to_dq: 'no',
      sec_gpc: true,
      variants: 'buttons.round',
      claims_id: null,
      created_at: at('12:05'),
      submitted_at: at('12:05'),
      erased_at: null,
      evidence_salt: null,
    },
    mapped_account: null,
    is_suppressed: false,
    suppressions: [],
    claims: [],
    others: [],
    clicks: [
      {
        id: 'click',
        landing_page: 'https://example.com/',
        params: { s1: 'abc' },
        referer: 'https://news.example',
        ip: '203.0.113.9',
        user_agent: 'Browser',
        sec_gpc: false,
        created_at: at('12:00'),
      },
    ],
    progress: [
      {
        seq: 1,
        step: 'StartPath',
        kind: 'answered',
        answers: { accident_type: 'Car Accident', email: ana.email },
        variants: '',
        refused: 'phone,Kanarienvogel',
        seconds: '4',
        at: at('12:01'),
        received_at: at('12:01'),
      },
    ],
    consents: [
      {
        revision: 1,
        text: CONSENT,
        text_sha256: HASH,
        version: '2026-11-21',
        language: 'en',
        page: 'https://example.com/',
        shown_at: at('12:04'),
        given_at: at('12:05'),
        ip: '203.0.113.9',
        user_agent: 'Browser',
        certificate: 'cert',
        buyers: [{ name: 'Example Law', ids: ['50001'], chosen: true }],
        sent_text: null,
        created_at: at('12:05'),
      },
    ],
    codes: [
      {
        id: 'code-1',
        kind: 'send',
        at: at('12:03'),
        ended_at: at('12:03'),
        outcome: 'sent',
      },
    ],
    revisions: [revisionOf()],
    deliveries: [deliveryOf()],
    checks: [
      {
        id: 'check-1',
        revision: 1,
        service: 'phone',
        asked_sha256: HASH,
        at: at('12:04'),
        duration_ms: 5,
        outcome: 'answered',
        reason: null,
        said: { line_type: 'Wireless', active: true },
      },
    ],
    events: [eventOf()],
    ...changes,
  };
}

/**
 * Returns an operator's view of the lead. `isOpened` is true if the operator has opened the lead.
 */
export function viewOf(isOpened: boolean): View {
  return {
    isOpened,
    now: at('12:40'),
    steps: new Set(['StartPath']),
    clock: timeFormatter('America/New_York'),
    saleRules,
    buyerNames: new Map(),
  };
}

/** Expects for each attempt that the stored hash is the hash of the request that was sent. */
export async function expectProven(
  history: LeadHistory,
  from: Parameters<typeof rebuildRequest>[3],
): Promise<void> {
  const attempts = history.deliveries.flatMap((delivery) =>
    delivery.log.map((attempt) => rebuildRequest(history, delivery, attempt, from)),
  );
  const proofs = await Promise.all(attempts);
  expect(proofs.length).toBeGreaterThan(0);
  expect(proofs.filter(({ isProven }) => !isProven)).toEqual([]);
}

/** Returns an opened lead's timeline as text, with one line for each entry. */
export function timelineOf(history: LeadHistory): string {
  const { story: entries } = answerOf(history, new Map(), viewOf(true), 'admin');
  return entries
    .map(({ title, text, details }) =>
      [title, text, ...details.map(({ value }) => value)].join(' '),
    )
    .join('\n');
}
