import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import {
  type Exchange,
  refuse,
  reply,
  type SandboxContext,
  type Service,
  type Verdict,
} from '../service.ts';
import { readForm } from '../strict-body.ts';

/**
 * The one message that the product must distinguish from other failures (docs/specification.md#phone-check).
 */
export const invalidNumberMessage =
  'Invalid/nonexistent phone number or country specified is not possible.';

const tollFreeCodes = new Set(['800', '833', '844', '855', '866', '877', '888']);

const bodySchema = v.strictObject({
  phone: v.string(),
  'country[]': v.optional(v.literal('US')),
  strictness: v.optional(v.picklist(['0', '1', '2'])),
  timeout: v.optional(v.pipe(v.string(), v.regex(/^\d{1,2}$/, 'expected seconds'))),
});

const failure = (message: string) => ({
  success: false,
  message,
  request_id: randomUUID(),
});

function result(digits: string, changed: Record<string, unknown>) {
  const area = digits.slice(0, 3);
  const tollFree = tollFreeCodes.has(area);
  return {
    success: true,
    message: 'Phone is valid.',
    formatted: `+1${digits}`,
    local_format: `(${area}) ${digits.slice(3, 6)}-${digits.slice(6)}`,
    valid: true,
    active: true,
    fraud_score: 0,
    recent_abuse: false,
    VOIP: false,
    prepaid: false,
    risky: false,
    name: 'N/A',
    carrier: 'Sandbox Wireless',
    line_type: tollFree ? 'Toll Free' : 'Wireless',
    country: 'US',
    region: 'N/A',
    city: 'N/A',
    zip_code: 'N/A',
    timezone: 'America/New_York',
    dialing_code: 1,
    do_not_call: false,
    leaked: false,
    spammer: false,
    request_id: randomUUID(),
    ...changed,
  };
}

/**
 * Returns the answer for a number. The area code decides whether it exists and is toll-free. The last four
 * digits select special cases, outside the fictional 555-01XX range: 0001 does not exist; 0002 not active;
 * 0003 activity unknown (`active: null`); 0004 no credits left; 0005 VOIP; 0006 landline; 0085, 0086, 0090
 * have that fraud score.
 */
function answerFor(digits: string): object {
  const last = digits.slice(6);
  if (/^[01]|^...[01]/.test(digits) || last === '0001') return failure(invalidNumberMessage);
  switch (last) {
    case '0002':
      return result(digits, { active: false });
    case '0003':
      return result(digits, { active: null });
    case '0004':
      return failure('You have insufficient credits to make this query.');
    case '0005':
      return result(digits, { VOIP: true, line_type: 'VOIP' });
    case '0006':
      return result(digits, { line_type: 'Landline' });
    case '0085':
    case '0086':
    case '0090':
      return result(digits, { fraud_score: Number(last), risky: true });
    default:
      return result(digits, {});
  }
}

/**
 * IPQualityScore phone validation: `POST /api/json/phone`, form-encoded, key in the header `IPQS-KEY`; the
 * number is never in the address. Failures are HTTP 200 with `success: false` and `message`. The phone is 10
 * digits, because the product sends only digits (docs/specification.md#phone-check).
 */
export function phoneService(context: SandboxContext): Service {
  function judge(exchange: Exchange): Verdict {
    const no = (violation: string | string[], message: string) =>
      refuse([violation].flat(), { status: 200, body: failure(message) });
    const key = exchange.headers['ipqs-key'];
    if (key !== context.credentials.ipqsKey) {
      const breach = key === undefined ? 'IPQS-KEY: missing' : 'IPQS-KEY: wrong';
      return no(breach, 'Invalid or unauthorized key. Please check the API key and try again.');
    }
    const query = [...exchange.query.keys()].map((name) => `query ${name}: unknown field`);
    if (query.length > 0) return no(query, 'Invalid parameter.');
    const body = readForm(bodySchema, exchange);
    if (!body.ok) return no(body.violations, 'Invalid parameter.');
    const digits = body.value.phone;
    if (!/^\d{10}$/.test(digits)) return no('phone: expected 10 digits', invalidNumberMessage);
    return reply({ status: 200, body: answerFor(digits) });
  }

  return {
    name: 'phone',
    title: 'Phone check (IPQualityScore)',
    failureBodies: { '429': failure('You have exceeded your request quota.') },
    routes: [{ method: 'POST', path: '/api/json/phone', handle: judge }],
  };
}
