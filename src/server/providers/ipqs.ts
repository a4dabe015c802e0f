/**
 * The phone and the e-mail check of IPQualityScore: `GET {base}/api/json/phone/{phone}` and
 * `…/email/{email}`, the key in the header `IPQS-KEY` and never in the address. A failure comes as HTTP
 * 200 with `success: false` and a `message`. Every call costs a credit.
 */
import * as v from 'valibot';
import { INVALID_NUMBER_MESSAGE } from '../leads/check-contact.ts';
import type { Ask, EmailReport, PhoneReport } from '../leads/ports.ts';
import { readJson, type Service } from './service.ts';

const score = v.pipe(v.number(), v.minValue(0), v.maxValue(100));

/** Longest message and line type that is looked at. */
const WORDS = 300;
const words = v.pipe(v.string(), v.maxLength(WORDS));

const phoneSchema = v.variant('success', [
  v.object({
    success: v.literal(true),
    message: v.optional(words, ''),
    valid: v.boolean(),
    active: v.nullish(v.boolean()),
    fraud_score: score,
    line_type: v.optional(words, 'Unknown'),
  }),
  v.object({ success: v.literal(false), message: words }),
]);

const invalidNumber: PhoneReport = {
  success: false,
  message: INVALID_NUMBER_MESSAGE,
  valid: false,
  active: false,
  fraud_score: 0,
  line_type: 'Unknown',
};

/**
 * Asks about a number of ten digits. The message that means an invalid number is looked for before the
 * failure that it comes as (docs/specification.md#phone-check).
 */
export function createPhoneService(service: Service, key: string): Ask<string, PhoneReport> {
  const read = readJson(phoneSchema);
  return (digits) =>
    service.ask(
      {
        method: 'GET',
        path: `/api/json/phone/${encodeURIComponent(digits)}?country%5B%5D=US`,
        headers: { 'ipqs-key': key },
      },
      (answer): PhoneReport | undefined => {
        const said = read(answer);
        if (said?.message === INVALID_NUMBER_MESSAGE) return invalidNumber;
        if (said?.success !== true) return undefined;
        return { ...said, active: said.active ?? null };
      },
    );
}

const emailSchema = v.variant('success', [
  v.object({
    success: v.literal(true),
    valid: v.boolean(),
    disposable: v.boolean(),
    fraud_score: score,
    timed_out: v.optional(v.boolean(), false),
  }),
  v.object({ success: v.literal(false) }),
]);

/** What is left of our own time-out for the way there and back, when the service asks mail servers. */
const WAY_MS = 500;

/**
 * Asks about an address. Where the mail server did not answer the service (`timed_out`), "not valid"
 * says nothing: the address counts as valid.
 */
export function createEmailService(service: Service, key: string): Ask<string, EmailReport> {
  const read = readJson(emailSchema);
  const seconds = Math.min(60, Math.max(1, Math.floor((service.timeoutMs - WAY_MS) / 1000)));
  return (email) =>
    service.ask(
      {
        method: 'GET',
        path: `/api/json/email/${encodeURIComponent(email)}?timeout=${seconds}`,
        headers: { 'ipqs-key': key },
      },
      (answer): EmailReport | undefined => {
        const said = read(answer);
        if (said?.success !== true) return undefined;
        const { valid, disposable, fraud_score, timed_out } = said;
        return { valid: valid || timed_out, disposable, fraud_score, timed_out };
      },
    );
}
