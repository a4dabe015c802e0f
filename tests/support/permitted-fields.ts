/** The personal fields that each third party may receive. */
import type { ReceivedRequest } from '../../sandbox/journal.ts';
import { destinations } from '../../src/server/delivery/destinations/index.ts';

type Permitted = {
  /** Matches paths that may contain a personal value. */
  readonly path?: RegExp;
  /** The names of fields in the body that may contain a personal value. */
  readonly body: readonly string[] | 'all';
};

/** The names of destinations that may receive every field of a lead. */
const whole = destinations.filter(({ getsNoContact }) => !getsNoContact).map(({ name }) => name);

/** Maps a third party to its permitted fields (docs/specification.md#calls-of-the-server). */
const permitted: Readonly<Record<string, Permitted>> = {
  ...Object.fromEntries(whole.map((name) => [name, { body: 'all' }])),
  exchange: { body: ['zipCode', 'ipAddress', 'userAgent'] },
  trustedform: { body: ['match_lead'] },
  phone: { body: ['phone'] },
  email: { body: ['email'] },
  sms: { body: ['To'] },
  zip: { path: /^\/us\/\d{5}$/, body: [] },
  gibberish: { body: ['text'] },
  buyers: { body: ['case_description', 'zip_code', 'city', 'county'] },
  verification: {
    body: ['zip_code', 'ip_address', 'user_agent', 'trusted_form_cert_id', 'leadid_token'],
  },
  'save-data': { body: ['data'] },
};

function withoutFields(body: unknown): unknown {
  const { data, ...rest } = body as { data: Record<string, unknown> };
  return [rest, { ...data, fields: undefined }];
}

/** Returns a request as text, without the personal fields that the third party may receive. */
export function withoutPermitted(request: ReceivedRequest): string {
  const { service, path, query, headers, body } = request;
  const { path: own, body: names = [] } = permitted[service] ?? {};
  const mayReceiveAll = names === 'all' || (typeof body === 'string' && names.includes('text'));
  let rest = body;
  if (service === 'webhook') rest = withoutFields(body);
  else if (mayReceiveAll) rest = undefined;
  else if (typeof body === 'object') {
    rest = Object.entries(body ?? {}).filter(([name]) => !names.includes(name));
  }
  return JSON.stringify([own?.test(path) ? '' : path, query, headers, rest]);
}
