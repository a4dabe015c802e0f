/** The stand-in for the phone and e-mail validation of IPQualityScore. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { read } from '../requests.ts';
import { matching, refuse, reply, type StandIn } from '../service.ts';

const { ipqsKey } = credentials;
const failure = (message: string) => ({ success: false, message, request_id: randomUUID() });
const invalidParameter = 'Invalid parameter.';
const wrongKey = 'Invalid or unauthorized key. Please check the API key and try again.';

function validation(
  name: 'phone' | 'email',
  schema: v.GenericSchema<unknown, Record<string, string | undefined>>,
  answer: (value: string) => object,
): StandIn {
  const refused = (violations: string | readonly string[], message: string) =>
    refuse(violations, { status: 200, body: failure(message) });
  return {
    name,
    settings: (url) => ({
      [`${name.toUpperCase()}_CHECK_URL`]: url,
      [`${name.toUpperCase()}_CHECK_KEY`]: ipqsKey,
    }),
    failureBodies: { '429': failure('You have exceeded your request quota.') },
    routes: {
      [`POST /api/json/${name}`](exchange) {
        const key = exchange.headers['ipqs-key'];
        if (key === undefined) return refused('IPQS-KEY: missing', wrongKey);
        if (key !== ipqsKey) return refused('IPQS-KEY: wrong', wrongKey);
        if (exchange.query.size > 0) return refused('query: expected none', invalidParameter);
        const fields = read('form', schema, exchange);
        return fields.ok
          ? reply(answer(fields.value[name] ?? ''))
          : refused(fields.violations, invalidParameter);
      },
    },
  };
}

/** The only failure message for which the server has a rule (docs/specification.md#phone-check). */
export const invalidNumberMessage =
  'Invalid/nonexistent phone number or country specified is not possible.';

const tollFreeCodes = new Set(['800', '833', '844', '855', '866', '877', '888']);

const phoneSchema = v.strictObject({
  phone: matching(/^\d{10}$/, '10 digits'),
  'country[]': v.optional(v.literal('US')),
  strictness: v.optional(v.picklist(['0', '1', '2'])),
  timeout: v.optional(matching(/^\d{1,2}$/, 'seconds')),
});

/** Maps the last four digits of a phone number to a special answer. */
const specialNumbers: Readonly<Record<string, object>> = {
  '0001': failure(invalidNumberMessage),
  '0002': { active: false },
  '0086': { fraud_score: 86 },
  '0090': { fraud_score: 90 },
};

function phoneAnswer(digits: string): object {
  const area = digits.slice(0, 3);
  if (/^[01]|^...[01]/.test(digits)) return failure(invalidNumberMessage);
  return {
    success: true,
    message: 'Phone is valid.',
    valid: true,
    active: true,
    fraud_score: 0,
    line_type: tollFreeCodes.has(area) ? 'Toll Free' : 'Wireless',
    request_id: randomUUID(),
    ...specialNumbers[digits.slice(6)],
  };
}

const emailSchema = v.strictObject({
  email: matching(/^[^\s@]+@[^\s@]+$/, 'an address'),
  timeout: v.optional(matching(/^([1-9]|[1-5]\d|60)$/, '1 to 60')),
  fast: v.optional(v.picklist(['true', 'false'])),
  abuse_strictness: v.optional(v.picklist(['0', '1', '2'])),
  strictness: v.optional(v.picklist(['0', '1', '2'])),
});

/** Maps the part before or after the @ of an e-mail address to a special answer. */
const specialAddresses: Readonly<Record<string, object>> = {
  invalid: { valid: false },
  'mailinator.com': { disposable: true, fraud_score: 80 },
};

function emailAnswer(email: string): object {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  return {
    message: 'Success.',
    success: true,
    valid: true,
    disposable: false,
    dns_valid: true,
    timed_out: false,
    fraud_score: 0,
    request_id: randomUUID(),
    ...specialAddresses[domain],
    ...specialAddresses[local.split('+')[0] ?? ''],
  };
}

export const standIns: readonly StandIn[] = [
  validation('phone', phoneSchema, phoneAnswer),
  validation('email', emailSchema, emailAnswer),
];
