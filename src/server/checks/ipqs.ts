/** The phone and e-mail checks of IPQualityScore. */
import * as v from 'valibot';
import { readJson, withoutPersons } from '../platform/outgoing-answer.ts';
import type { RecordedCheck } from './check.ts';
import type { EmailReport, PhoneReport } from './check-contact.ts';
import { AccountRefusedError, type ServiceRequest } from './service.ts';

function form(path: string, key: string, fields: Record<string, string>): ServiceRequest {
  return {
    method: 'POST',
    path,
    headers: { 'ipqs-key': key, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

const score = v.pipe(v.number(), v.minValue(0), v.maxValue(100));

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

/** Matches messages about our account, such as a wrong key or an exhausted quota. */
const ACCOUNT = /\b(key|credits?|quota|account|subscription)\b/i;

/** @throws AccountRefusedError if the message is about our account */
function failure(message: string): undefined {
  if (ACCOUNT.test(withoutPersons(message))) throw new AccountRefusedError();
}

/** The only message of the service that means that the phone number itself is invalid. */
const INVALID_NUMBER_MESSAGE =
  'Invalid/nonexistent phone number or country specified is not possible.';
const invalidNumber: PhoneReport = {
  valid: false,
  active: false,
  fraud_score: 0,
  line_type: 'Unknown',
};

const readPhone = readJson(phoneSchema);

/** Returns the check of a ten-digit number (docs/specification.md#phone-check). */
export const phoneCheck = (key: string): RecordedCheck<string, PhoneReport> => ({
  name: 'phone',
  paidAbout: 'phone',
  textOf: String,
  request: (digits) => form('/api/json/phone', key, { phone: digits, 'country[]': 'US' }),
  read(answer) {
    const said = readPhone(answer);
    if (said?.message === INVALID_NUMBER_MESSAGE) return invalidNumber;
    if (said?.success !== true) return said && failure(said.message);
    const { valid, active = null, fraud_score, line_type } = said;
    return { valid, active, fraud_score, line_type };
  },
  isCached: () => true,
  summary: (report) => report,
});

const emailSchema = v.variant('success', [
  v.object({
    success: v.literal(true),
    valid: v.boolean(),
    disposable: v.boolean(),
    fraud_score: score,
    dns_valid: v.nullish(v.boolean()),
    timed_out: v.optional(v.boolean(), false),
  }),
  v.object({ success: v.literal(false), message: v.optional(words, '') }),
]);

/** The time-out that the service gets is this many milliseconds shorter than ours. */
const WAY_MS = 500;

const readEmail = readJson(emailSchema);

/** Returns the check of an e-mail address (docs/specification.md#e-mail-check). */
export function emailCheck(key: string, timeoutMs: number): RecordedCheck<string, EmailReport> {
  const seconds = Math.min(60, Math.max(1, Math.floor((timeoutMs - WAY_MS) / 1000)));
  return {
    name: 'email',
    paidAbout: 'email',
    textOf: String,
    request: (email) => form('/api/json/email', key, { email, timeout: String(seconds) }),
    read(answer) {
      const said = readEmail(answer);
      if (said?.success !== true) return said && failure(said.message);
      const { valid, disposable, fraud_score, dns_valid, timed_out } = said;
      return {
        valid: valid || timed_out,
        disposable,
        fraud_score,
        timed_out,
        ...(typeof dns_valid === 'boolean' && { dns_valid }),
      };
    },
    // Does not cache the answer after a time-out, because the next call may succeed.
    isCached: ({ timed_out = false }) => !timed_out,
    summary: ({ timed_out, ...report }) => ({ ...report, ...(timed_out && { timed_out }) }),
  };
}
