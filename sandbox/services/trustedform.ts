import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import {
  type Answer,
  act,
  type Exchange,
  refuse,
  reply,
  type SandboxContext,
  type Service,
  type Verdict,
} from '../service.ts';
import { basicCredentials, readJson, readQuery } from '../strict-body.ts';

const scriptQuery = v.strictObject({
  field: v.pipe(v.string(), v.regex(/^[A-Za-z]\w*$/, 'expected the name of a field')),
  use_tagged_consent: v.literal('true'),
  /** Time and random digits that defeat caches. */
  l: v.pipe(v.string(), v.regex(/^[\d.]{10,}$/, 'expected time and random digits')),
});

const filledText = v.pipe(v.string(), v.nonEmpty('empty'));
const retainSchema = v.strictObject({
  match_lead: v.pipe(
    v.strictObject({
      email: v.optional(v.pipe(v.string(), v.email('expected an e-mail address'))),
      phone: v.optional(v.pipe(v.string(), v.regex(/^\+?1?\d{10}$/, 'expected a US number'))),
    }),
    v.check((lead) => Boolean(lead.email ?? lead.phone), 'expected email or phone'),
  ),
  retain: v.strictObject({
    reference: v.optional(filledText),
    vendor: v.optional(filledText),
  }),
});

/** Fills the hidden field of every form present when the script runs; it does not wait for one. */
const script = (field: string, certificate: string) => `(function () {
  var url = new URL(document.currentScript.src).origin + '/certificates/${certificate}';
  Array.prototype.forEach.call(document.forms, function (form, index) {
    var input = form.querySelector('input[name="${field}"]');
    if (!input) {
      input = document.createElement('input');
      input.type = 'hidden';
      input.name = '${field}';
      input.id = '${field}_' + index;
      form.appendChild(input);
    }
    input.value = url;
  });
})();
`;

/** An e-mail address with this prefix does not match the certificate's person. */
const STRANGER = 'stranger';

const retainedForMs = 5 * 365 * 24 * 3_600_000;

function failed(status: number, reason: string): Answer {
  return { status, body: { outcome: 'error', reason } };
}

/**
 * TrustedForm: `GET /trustedform.js?field=&use_tagged_consent=true&l=` issues a certificate and fills the
 * hidden field with its URL. `POST {certificate URL}` retains it: Basic with the API key as password, header
 * `api-version: 4.0`, JSON `match_lead` (email, phone) and `retain` (reference, vendor). An unknown
 * certificate is 404, and another person's is not retained. A second retain changes nothing and says so.
 */
export function trustedformService(context: SandboxContext): Service {
  const issued = new Set<string>();

  function judgeScript(exchange: Exchange): Verdict {
    const query = readQuery(scriptQuery, exchange);
    if (!query.ok) {
      return refuse(query.violations, { status: 400, body: query.violations.join('; ') });
    }
    return act(() => {
      const certificate = randomBytes(20).toString('hex');
      issued.add(certificate);
      return {
        effect: true,
        answer: {
          status: 200,
          headers: {
            'content-type': 'text/javascript; charset=utf-8',
            'cache-control': 'no-store',
          },
          body: script(query.value.field, certificate),
        },
      };
    });
  }

  function judgeRetain(exchange: Exchange): Verdict {
    const basic = basicCredentials(exchange.headers);
    if (basic?.password !== context.credentials.trustedFormApiKey) {
      const breach = basic ? 'authorization: wrong' : 'authorization: missing, expected Basic';
      return refuse([breach], failed(401, 'unauthorized'));
    }
    if (exchange.headers['api-version'] !== '4.0') {
      return refuse(['api-version: expected 4.0'], failed(400, 'unsupported api version'));
    }
    const read = readJson(retainSchema, exchange);
    if (!read.ok) return refuse(read.violations, failed(422, read.violations.join('; ')));
    const certificate = exchange.params.certificate ?? '';
    if (!issued.has(certificate)) {
      return refuse(['certificate: never issued'], failed(404, 'certificate not found'));
    }
    const { match_lead: lead, retain } = read.value;
    if (lead.email?.startsWith(STRANGER)) {
      return reply({
        status: 200,
        body: {
          outcome: 'failure',
          reason: 'the lead does not match the certificate',
          match_lead: { result: { success: false, email_match: false, phone_match: true } },
        },
      });
    }
    return act(() => {
      const at = context.now();
      const { duplicate } = context.effects.apply({
        service: 'trustedform',
        keys: [certificate],
        detail: { email: lead.email ?? '', phone: lead.phone ?? '', ...retain },
        at: at.toISOString(),
        recognise: true,
      });
      return {
        effect: !duplicate,
        answer: {
          status: 200,
          body: {
            outcome: 'success',
            reason: null,
            match_lead: {
              result: {
                success: true,
                email_match: lead.email !== undefined,
                phone_match: lead.phone !== undefined,
              },
            },
            retain: {
              results: {
                expires_at: new Date(at.getTime() + retainedForMs).toISOString(),
                masked_cert_url: null,
                previously_retained: duplicate,
              },
            },
          },
        },
      };
    }, certificate);
  }

  return {
    name: 'trustedform',
    title: 'Consent certificates (TrustedForm)',
    calledFromPages: true,
    failureBodies: {
      '500': failed(500, 'internal error').body,
      '429': failed(429, 'rate limited').body,
      '410': failed(410, 'certificate expired').body,
    },
    routes: [
      { method: 'GET', path: '/trustedform.js', handle: judgeScript },
      { method: 'POST', path: '/certificates/:certificate', handle: judgeRetain },
      // As at the vendor, whose certificates are at the root.
      { method: 'POST', path: '/:certificate(^[0-9a-f]{40}$)', handle: judgeRetain },
    ],
    reset: () => issued.clear(),
  };
}
