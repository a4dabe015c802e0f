import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { basicBreach } from '../requests.ts';
import {
  type Answer,
  type Exchange,
  filledText,
  matching,
  refuse,
  reply,
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
  verify: v.optional(v.looseObject({})),
});

const pageQuery = v.strictObject({ roles: filledText });

/** Returns whether Verify finds one-to-one consent in a submitted page with these consent tags. */
function isVerified(roles: readonly string[]): boolean {
  const isWhole = ['offer', 'consent-language', 'submit'].every((role) => roles.includes(role));
  const opted = (kind: string) =>
    roles.flatMap((role) => role.split(`consent-opted-advertiser-${kind}-`)[1] ?? []).join();
  const isNamed = roles.includes('consent-advertiser-name');
  return isWhole && isNamed === (opted('name') === '') && opted('name') === opted('input');
}

/**
 * Returns a script that writes the certificate's URL into the hidden field of every form, and
 * reports the page's consent tags when the visitor presses the tagged button.
 */
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
  document.addEventListener('click', function (event) {
    if (!event.target.closest('[data-tf-element-role=submit]')) return;
    var tagged = document.querySelectorAll('[data-tf-element-role]');
    var roles = Array.prototype.map.call(tagged, function (each) { return each.dataset.tfElementRole; });
    navigator.sendBeacon(url + '/page?roles=' + roles.join(','));
  }, true);
})();
`;

const apiKey = 'sandbox-trustedform-key';
const isOurs = (_user: string, password: string) => password === apiKey;

const RETAINED_FOR_MS = 5 * 365 * 24 * 3_600_000;

function failed(status: number, reason: string): Answer {
  return { status, body: { outcome: 'error', reason } };
}

/** The certificates, each with the consent tags of its page. */
const issued = ({ memory }: Exchange) => memory<readonly string[]>('certificates');

const issue = takes('query', scriptQuery, ({ field }, exchange) => {
  const certificate = randomBytes(20).toString('hex');
  issued(exchange).set(certificate, []);
  return script(pageScript(field, certificate));
});

const retain = takes(
  'json',
  retainSchema,
  ({ match_lead, retain: asked, verify }, exchange) => {
    const { certificate = '' } = exchange.params;
    const { email = '', phone = '' } = match_lead;
    const roles = issued(exchange).get(certificate);
    if (!roles) return refuse('certificate: never issued', failed(404, 'certificate not found'));
    const one_to_one = isVerified(roles);
    const detail = { email, phone, ...asked, verify: one_to_one ? 'success' : 'failure' };
    const isNew = exchange.effect({ keys: [certificate], detail });
    const expires_at = new Date(exchange.now().getTime() + RETAINED_FOR_MS).toISOString();
    const body = {
      outcome: 'success',
      reason: null,
      match_lead: { result: { success: true } },
      retain: { results: { expires_at, previously_retained: !isNew } },
      ...(verify && { verify: { result: { one_to_one } } }),
    };
    return reply(body, certificate);
  },
  (violations) => failed(422, violations.join('; ')),
);

const seePage = takes('query', pageQuery, ({ roles }, exchange) => {
  const { certificate = '' } = exchange.params;
  const certificates = issued(exchange);
  if (certificates.has(certificate)) certificates.set(certificate, roles.split(','));
  return { status: 204, body: '', key: certificate };
});

/** The stand-in for TrustedForm, which issues and retains consent certificates. */
export const standIns: readonly StandIn[] = [
  {
    name: 'trustedform',
    settings: (url) => ({ TRUSTEDFORM_API_KEY: apiKey, TRUSTEDFORM_ORIGINS: url }),
    scripts: (url) => ({ TRUSTEDFORM_SCRIPT_URL: `${url}/trustedform.js` }),
    failureBodies: {
      '500': failed(500, 'internal error').body,
      '429': failed(429, 'rate limited').body,
      '410': failed(410, 'certificate expired').body,
    },
    routes: {
      'GET /trustedform.js': issue,
      'POST /:certificate(^[0-9a-f]{40}$)/page': seePage,
      'POST /:certificate(^[0-9a-f]{40}$)'(exchange) {
        const { headers } = exchange;
        const breach = basicBreach(headers, isOurs);
        if (breach) return refuse(breach, failed(401, 'unauthorized'));
        return headers['api-version'] === '4.0'
          ? retain(exchange)
          : refuse('api-version: expected 4.0', failed(400, 'unsupported api version'));
      },
    },
  },
];
