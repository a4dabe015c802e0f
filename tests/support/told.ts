/**
 * What each third party is told of a person, in one table, for the tests that plant canaries in every
 * personal field (tests/faults/canary.test.ts, tests/e2e/demo.spec.ts).
 */
import type { ReceivedRequest } from '../../sandbox/journal.ts';

type Told = {
  /** Where the path carries the value itself. */
  readonly path?: RegExp;
  /** Names of the body. */
  readonly body: readonly string[] | 'all';
};

/**
 * By each one's own specification (docs/specification.md#calls-of-the-server). Whoever is not in it hears
 * nothing of a person.
 */
export const told: Readonly<Record<string, Told>> = {
  ingest: { body: 'all' },
  automation: { body: 'all' },
  exchange: { body: ['zipCode', 'ipAddress', 'userAgent'] },
  trustedform: { body: ['match_lead'] },
  phone: { body: ['phone'] },
  email: { body: ['email'] },
  sms: { body: ['To'] },
  zip: { path: /^\/us\/\d{5}$/, body: [] },
  gibberish: { body: ['text'] },
  // What happened is an answer (docs/specification.md#buyers).
  buyers: { body: ['case_description', 'zip_code', 'city', 'county'] },
  verification: {
    body: ['zip_code', 'ip_address', 'user_agent', 'trusted_form_cert_id', 'leadid_token'],
  },
  // A copy of everything that a visitor answered.
  'save-data': { body: ['data'] },
};

/** Events of leads have the lead; those of deliveries have nobody in them. */
function withoutFields(body: unknown): unknown {
  const { data, ...rest } = body as { data: Record<string, unknown> };
  return [rest, { ...data, fields: undefined }];
}

/** What a third party received, as text, but for what it is told by its specification. */
export function heardBesides(request: ReceivedRequest): string {
  const { service, path, query, headers, body } = request;
  const { path: own, body: names = [] } = told[service] ?? {};
  const isToldAll = names === 'all' || (typeof body === 'string' && names.includes('text'));
  let rest = body;
  if (isToldAll) rest = undefined;
  else if (service === 'webhook') rest = withoutFields(body);
  else if (typeof body === 'object') {
    rest = Object.entries(body ?? {}).filter(([name]) => !names.includes(name));
  }
  return JSON.stringify([own?.test(path) ? '' : path, query, headers, rest]);
}
