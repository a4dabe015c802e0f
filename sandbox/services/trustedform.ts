import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { basicBreach } from '../requests.ts';
import {
  type Answer,
  act,
  filledText,
  matching,
  refuse,
  type StandIn,
  script,
  takes,
} from '../service.ts';

const scriptQuery = v.strictObject({
  field: matching(/^[A-Za-z]\w*$/, 'the name of a field'),
  use_tagged_consent: v.literal('true'),
  l: matching(/^[\d.]{10,}$/, 'time and random digits'),
});

const retainSchema = v.strictObject({
  match_lead: v.pipe(
    v.strictObject({
      email: v.optional(v.pipe(v.string(), v.email('expected an e-mail address'))),
      phone: v.optional(matching(/^\+?1?\d{10}$/, 'a US number')),
    }),
    v.check((lead) => Boolean(lead.email ?? lead.phone), 'expected email or phone'),
  ),
  retain: v.strictObject({
    reference: v.optional(filledText),
    vendor: v.optional(filledText),
  }),
});

/** Returns a script that writes the certificate's URL into the hidden field of every form. */
const pageScript = (field: string, certificate: string) => `(function () {
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

const RETAINED_FOR_MS = 5 * 365 * 24 * 3_600_000;

function failed(status: number, reason: string): Answer {
  return { status, body: { outcome: 'error', reason } };
}

/** The stand-in for TrustedForm, which issues and retains consent certificates. */
export const standIns: readonly StandIn[] = [
  ({ now, effect, memory }) => {
    const issued = memory<true>();

    const issue = takes('query', scriptQuery, ({ field }) => {
      const certificate = randomBytes(20).toString('hex');
      const loaded = script(pageScript(field, certificate));
      return act(() => {
        issued.set(certificate, true);
        return loaded.serve();
      });
    });

    const retain = takes(
      'json',
      retainSchema,
      ({ match_lead: { email, phone }, retain: asked }, { params: { certificate = '' } }) => {
        if (!issued.has(certificate)) {
          return refuse('certificate: never issued', failed(404, 'certificate not found'));
        }
        return act(() => {
          const detail = { email: email ?? '', phone: phone ?? '', ...asked };
          const isNew = effect({ service: 'trustedform', keys: [certificate], detail });
          const expires_at = new Date(now().getTime() + RETAINED_FOR_MS).toISOString();
          const body = {
            outcome: 'success',
            reason: null,
            match_lead: { result: { success: true } },
            retain: { results: { expires_at, previously_retained: !isNew } },
          };
          return { status: 200, body, effect: isNew };
        }, certificate);
      },
      (violations) => failed(422, violations.join('; ')),
    );

    return {
      name: 'trustedform',
      settings: (url) => ({
        TRUSTEDFORM_API_KEY: credentials.trustedFormApiKey,
        TRUSTEDFORM_ORIGINS: url,
      }),
      scripts: (url) => ({ TRUSTEDFORM_SCRIPT_URL: `${url}/trustedform.js` }),
      failureBodies: {
        '500': failed(500, 'internal error').body,
        '429': failed(429, 'rate limited').body,
        '410': failed(410, 'certificate expired').body,
      },
      routes: {
        'GET /trustedform.js': issue,
        'POST /:certificate(^[0-9a-f]{40}$)'(exchange) {
          const { headers } = exchange;
          const breach = basicBreach(
            headers,
            (_user, password) => password === credentials.trustedFormApiKey,
          );
          if (breach) return refuse(breach, failed(401, 'unauthorized'));
          return headers['api-version'] === '4.0'
            ? retain(exchange)
            : refuse('api-version: expected 4.0', failed(400, 'unsupported api version'));
        },
      },
    };
  },
];
