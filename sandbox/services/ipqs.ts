/** IPQualityScore's phone and e-mail validation. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { refuse, reply, type SandboxContext, type Service, type StandIn } from '../service.ts';
import { readForm } from '../strict-body.ts';

const failure = (message: string) => ({ success: false, message, request_id: randomUUID() });

/** Returns a service that checks a form-encoded body; every failure is HTTP 200 with `success: false`. */
function ipqsService<S extends v.GenericSchema>(
  context: SandboxContext,
  name: 'phone' | 'email',
  title: string,
  schema: S,
  check: {
    /** Returns the breach of the value's form and the vendor's message for it, if any. */
    refusal(body: v.InferOutput<S>): readonly [violation: string, message: string] | undefined;
    answer(body: v.InferOutput<S>): object;
  },
): Service {
  const path = `/api/json/${name}`;
  const no = (violations: string | readonly string[], message: string) =>
    refuse(violations, { status: 200, body: failure(message) });
  return {
    name,
    title,
    settings: (url) => ({
      [`${name.toUpperCase()}_CHECK_URL`]: url,
      [`${name.toUpperCase()}_CHECK_KEY`]: context.credentials.ipqsKey,
    }),
    failureBodies: { '429': failure('You have exceeded your request quota.') },
    routes: [
      {
        method: 'POST',
        path,
        handle(exchange) {
          const key = exchange.headers['ipqs-key'];
          if (key !== context.credentials.ipqsKey) {
            const breach = key === undefined ? 'IPQS-KEY: missing' : 'IPQS-KEY: wrong';
            return no(
              breach,
              'Invalid or unauthorized key. Please check the API key and try again.',
            );
          }
          const query = [...exchange.query.keys()].map((each) => `query ${each}: unknown field`);
          if (query.length > 0) return no(query, 'Invalid parameter.');
          const body = readForm(schema, exchange);
          if (!body.ok) return no(body.violations, 'Invalid parameter.');
          const refusal = check.refusal(body.value);
          return refusal ? no(...refusal) : reply(check.answer(body.value));
        },
      },
    ],
  };
}

/**
 * The one message that the product must distinguish from other failures (docs/specification.md#phone-check).
 */
export const invalidNumberMessage =
  'Invalid/nonexistent phone number or country specified is not possible.';

const tollFreeCodes = new Set(['800', '833', '844', '855', '866', '877', '888']);

const phoneSchema = v.strictObject({
  phone: v.string(),
  'country[]': v.optional(v.literal('US')),
  strictness: v.optional(v.picklist(['0', '1', '2'])),
  timeout: v.optional(v.pipe(v.string(), v.regex(/^\d{1,2}$/, 'expected seconds'))),
});

function phoneReport(digits: string, changed: Record<string, unknown>) {
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
function phoneAnswer(digits: string): object {
  const last = digits.slice(6);
  if (/^[01]|^...[01]/.test(digits) || last === '0001') return failure(invalidNumberMessage);
  switch (last) {
    case '0002':
      return phoneReport(digits, { active: false });
    case '0003':
      return phoneReport(digits, { active: null });
    case '0004':
      return failure('You have insufficient credits to make this query.');
    case '0005':
      return phoneReport(digits, { VOIP: true, line_type: 'VOIP' });
    case '0006':
      return phoneReport(digits, { line_type: 'Landline' });
    case '0085':
    case '0086':
    case '0090':
      return phoneReport(digits, { fraud_score: Number(last), risky: true });
    default:
      return phoneReport(digits, {});
  }
}

/**
 * Imitates IPQualityScore's phone validation: `POST /api/json/phone`, form-encoded, key in the
 * header `IPQS-KEY`; the number is never in the address. Failures are HTTP 200 with `success:
 * false` and `message`. The phone is 10 digits, because the product sends only digits
 * (docs/specification.md#phone-check).
 */
function phoneService(context: SandboxContext): Service {
  return ipqsService(context, 'phone', 'Phone check (IPQualityScore)', phoneSchema, {
    refusal: ({ phone }) =>
      /^\d{10}$/.test(phone) ? undefined : ['phone: expected 10 digits', invalidNumberMessage],
    answer: ({ phone }) => phoneAnswer(phone),
  });
}

const emailSchema = v.strictObject({
  email: v.string(),
  timeout: v.optional(v.pipe(v.string(), v.regex(/^([1-9]|[1-5]\d|60)$/, 'expected 1 to 60'))),
  fast: v.optional(v.picklist(['true', 'false'])),
  abuse_strictness: v.optional(v.picklist(['0', '1', '2'])),
  strictness: v.optional(v.picklist(['0', '1', '2'])),
});

const disposableDomains = new Set(['mailinator.com', 'guerrillamail.com', 'disposable.example']);

function emailReport(email: string) {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const [mailbox = ''] = local.split('+');
  const dnsValid = mailbox !== 'nodns' && !domain.endsWith('.invalid');
  const valid = dnsValid && mailbox !== 'invalid';
  const disposable = disposableDomains.has(domain) || mailbox === 'disposable';
  const timedOut = mailbox === 'slow';
  const fraudScore = mailbox === 'fraud' ? 95 : disposable ? 80 : 0;
  return {
    message: 'Success.',
    success: true,
    valid: valid && !timedOut,
    disposable,
    smtp_score: valid ? 3 : 0,
    overall_score: valid ? 4 : 0,
    first_name: 'Unknown',
    generic: ['info', 'admin', 'sales'].includes(mailbox),
    common: ['gmail.com', 'yahoo.com', 'outlook.com'].includes(domain),
    dns_valid: dnsValid,
    honeypot: false,
    deliverability: valid ? 'high' : 'low',
    frequent_complainer: false,
    spam_trap_score: 'none',
    catch_all: false,
    timed_out: timedOut,
    suspect: timedOut,
    recent_abuse: false,
    fraud_score: fraudScore,
    suggested_domain: 'N/A',
    leaked: false,
    sanitized_email: `${mailbox}@${domain}`,
    request_id: randomUUID(),
  };
}

/**
 * Imitates IPQualityScore's e-mail validation: `POST /api/json/email`, form-encoded, key in the
 * header `IPQS-KEY`; the address is never in the URL. The part before the @ (up to a +) selects a
 * special case: `invalid`, `nodns`, `disposable`, `slow` (timed_out), `fraud` (score 95). A
 * `.invalid` domain has no DNS entry; mailinator.com, guerrillamail.com and disposable.example are
 * disposable.
 */
function emailService(context: SandboxContext): Service {
  return ipqsService(context, 'email', 'E-mail check (IPQualityScore)', emailSchema, {
    refusal: ({ email }) =>
      /^[^\s@]+@[^\s@]+$/.test(email)
        ? undefined
        : ['email: expected an address', 'Invalid email address.'],
    answer: ({ email }) => emailReport(email),
  });
}

export const standIns: readonly StandIn[] = [phoneService, emailService];
