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

const bodySchema = v.strictObject({
  email: v.string(),
  timeout: v.optional(v.pipe(v.string(), v.regex(/^([1-9]|[1-5]\d|60)$/, 'expected 1 to 60'))),
  fast: v.optional(v.picklist(['true', 'false'])),
  abuse_strictness: v.optional(v.picklist(['0', '1', '2'])),
  strictness: v.optional(v.picklist(['0', '1', '2'])),
});

const failure = (message: string) => ({ success: false, message, request_id: randomUUID() });

const disposableDomains = new Set(['mailinator.com', 'guerrillamail.com', 'disposable.example']);

function result(email: string) {
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
 * IPQualityScore e-mail validation: `POST /api/json/email`, form-encoded, key in the header `IPQS-KEY`; the
 * address is never in the URL. The part before the @ (up to a +) selects a special case: `invalid`, `nodns`,
 * `disposable`, `slow` (timed_out), `fraud` (score 95). A `.invalid` domain has no DNS entry; mailinator.com,
 * guerrillamail.com and disposable.example are disposable.
 */
export function emailService(context: SandboxContext): Service {
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
    const { email } = body.value;
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
      return no('email: expected an address', 'Invalid email address.');
    }
    return reply({ status: 200, body: result(email) });
  }

  return {
    name: 'email',
    title: 'E-mail check (IPQualityScore)',
    failureBodies: { '429': failure('You have exceeded your request quota.') },
    routes: [{ method: 'POST', path: '/api/json/email', handle: judge }],
  };
}
