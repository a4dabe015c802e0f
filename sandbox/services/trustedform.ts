import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import {
  type Answer,
  act,
  type Exchange,
  judge,
  judgeJson,
  refuse,
  reply,
  type SandboxContext,
  type Service,
  type StandIn,
  scriptAnswer,
} from '../service.ts';
import { basicCredentials, readQuery } from '../strict-body.ts';

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
  var url = new URL(document.currentScript.src).origin + '/${certificate}';
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
 * Imitates TrustedForm: `GET /trustedform.js?field=&use_tagged_consent=true&l=` issues a
 * certificate and fills the hidden field with its URL. `POST {certificate URL}` retains it: Basic
 * with the API key as password, header `api-version: 4.0`, JSON `match_lead` (email, phone) and
 * `retain` (reference, vendor). An unknown certificate is 404, and another person's is not
 * retained. A second retain changes nothing and says so.
 */
function trustedformService(context: SandboxContext): Service {
  const issued = new Set<string>();

  const issue = judge(
    (exchange) => readQuery(scriptQuery, exchange),
    ({ field }) =>
      act(() => {
        const certificate = randomBytes(20).toString('hex');
        issued.add(certificate);
        return { effect: true, answer: scriptAnswer(script(field, certificate)) };
      }),
    (violations) => ({ status: 400, body: violations.join('; ') }),
  );

  const retain = judgeJson(
    retainSchema,
    ({ match_lead: lead, retain: kept }, { params: { certificate = '' } }) => {
      if (!issued.has(certificate)) {
        return refuse('certificate: never issued', failed(404, 'certificate not found'));
      }
      if (lead.email?.startsWith(STRANGER)) {
        return reply({
          outcome: 'failure',
          reason: 'the lead does not match the certificate',
          match_lead: { result: { success: false, email_match: false, phone_match: true } },
        });
      }
      return act(() => {
        const effect = context.effect({
          service: 'trustedform',
          keys: [certificate],
          detail: { email: lead.email ?? '', phone: lead.phone ?? '', ...kept },
          recognise: true,
        });
        const result = {
          success: true,
          email_match: lead.email !== undefined,
          phone_match: lead.phone !== undefined,
        };
        const results = {
          expires_at: new Date(context.now().getTime() + retainedForMs).toISOString(),
          masked_cert_url: null,
          previously_retained: !effect,
        };
        const body = {
          outcome: 'success',
          reason: null,
          match_lead: { result },
          retain: { results },
        };
        return { effect, answer: { status: 200, body } };
      }, certificate);
    },
    (violations) => failed(422, violations.join('; ')),
  );

  function authorizedRetain(exchange: Exchange) {
    const basic = basicCredentials(exchange.headers);
    if (basic?.password !== context.credentials.trustedFormApiKey) {
      const breach = basic ? 'authorization: wrong' : 'authorization: missing, expected Basic';
      return refuse(breach, failed(401, 'unauthorized'));
    }
    if (exchange.headers['api-version'] !== '4.0') {
      return refuse('api-version: expected 4.0', failed(400, 'unsupported api version'));
    }
    return retain(exchange);
  }

  return {
    name: 'trustedform',
    title: 'Consent certificates (TrustedForm)',
    settings: (url) => ({
      TRUSTEDFORM_API_KEY: context.credentials.trustedFormApiKey,
      TRUSTEDFORM_ORIGINS: url,
    }),
    scripts: (url) => ({ TRUSTEDFORM_SCRIPT_URL: `${url}/trustedform.js` }),
    calledFromPages: true,
    failureBodies: {
      '500': failed(500, 'internal error').body,
      '429': failed(429, 'rate limited').body,
      '410': failed(410, 'certificate expired').body,
    },
    routes: [
      { method: 'GET', path: '/trustedform.js', handle: issue },
      { method: 'POST', path: '/:certificate(^[0-9a-f]{40}$)', handle: authorizedRetain },
    ],
    reset: () => issued.clear(),
  };
}

export const standIns: readonly StandIn[] = [trustedformService];
