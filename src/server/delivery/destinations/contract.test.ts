/** Tests, against stand-ins over HTTP, how every destination reads each kind of answer. */
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sandboxEnvironment } from '../../../../sandbox/environment.ts';
import type { FailureMode } from '../../../../sandbox/failures.ts';
import { issuedCertificate } from '../../../../tests/support/certificate.ts';
import { sandboxForTests } from '../../../../tests/support/sandbox-http.ts';
import { prepared } from '../../../../tests/support/send-request.ts';
import { parseSettings } from '../../settings/settings.ts';
import type {
  ConnectedDestination,
  PreparedSend,
  SendOutcome,
  SendRequest,
} from './destination.ts';
import { destinations } from './index.ts';

const outside = sandboxForTests();

const timeoutNames = destinations
  .flatMap(({ variables }) => Object.keys(variables))
  .filter((name) => name.endsWith('_TIMEOUT_MS'));
/** Time limit for a stand-in that answers, long enough for a busy machine. */
const PATIENT_MS = 60_000;
/** Time limit for a stand-in that never answers. */
const SHORT_MS = 300;

const names = destinations.map(({ name }) => name);
type Name = (typeof names)[number];

function connected(
  name: Name,
  url = outside.sandbox.url,
  timeoutMs = PATIENT_MS,
): ConnectedDestination {
  const timeouts = Object.fromEntries(timeoutNames.map((each) => [each, `${timeoutMs}`]));
  const environment = sandboxEnvironment(url);
  const settings = parseSettings({ ...environment, ...timeouts });
  const setting = settings.destinations.find(({ definition }) => definition.name === name);
  if (!setting?.values) {
    const missing = setting?.definition.needs.filter((each) => !environment[each]).join(', ');
    throw new Error(
      `No stand-in sets ${missing}: add one for ${name} to sandbox/services/ (docs/adding-a-destination.md)`,
    );
  }
  return setting.definition.connect(setting.values, outside.http);
}

const HOUR_MS = 3_600_000;
/** Click ids of all ad platforms. */
const clickIds = {
  gclid: 'a-gclid',
  msclkid: 'a-msclkid',
  fbclid: 'IwAR2F4-x',
  ttclid: 'E.C.P.abc',
  ef_transaction_id: 'a1b2c3d4e5',
};

const surveyFields = {
  first_name: 'Ana',
  last_name: 'Diaz',
  email: 'ana@mail.example',
  phone: '5125550123',
  zip_code: '78620',
  state: 'TX',
  ip_address: '203.0.113.77',
  user_agent: 'AnasBrowser/7.1',
  bad_words: 'yes',
  case_description: 'It was a hit and run, and my neck hurts since then.',
};

const { first_name, last_name, email, phone, ip_address, user_agent } = surveyFields;
const contactFormFields = {
  first_name,
  last_name,
  email,
  phone,
  ip_address,
  user_agent,
  type_of_accident: 'Truck Accident',
  message: 'Who pays for my car?\nIt cannot be repaired.',
};

/** Returns the fields of a lead that the destination accepts. */
const fieldsOf = (name: Name, trustedform_cert_url: string): Record<string, string> =>
  name === 'contact' ? contactFormFields : { ...surveyFields, trustedform_cert_url };

/** Prepares the request for a complete lead, or for an event if the destination is a listener. */
async function ready(
  name: Name,
  { url, certificate, timeoutMs }: { url?: string; certificate?: string; timeoutMs?: number } = {},
): Promise<PreparedSend> {
  const destination = connected(name, url, timeoutMs);
  const trustedform_cert_url = certificate ?? (await issuedCertificate(outside.sandbox));
  const { account } = destination;
  const fields = fieldsOf(name, trustedform_cert_url);
  const event = eventFor(destination);
  return prepared(destination, { account, event, fields, ad: { clickIds, states: ['TX'] } });
}

/** Returns an event that the listener wants; null for a destination of leads. */
function eventFor({ events }: ConnectedDestination): SendRequest['event'] {
  if (events === undefined) return null;
  const at = new Date(Date.now() - 2 * HOUR_MS).toISOString();
  if (events.includes('lead.accepted')) return { type: 'lead.accepted', revision: 1, at };
  const sold = { delivery_id: '0193bbbb-3333-7333-8333-333333333333', destination: 'ingest' };
  return { type: 'lead.sold', ...sold, value: 90, currency: 'USD', at };
}

const all = (outcome: SendOutcome): Readonly<Record<Name, SendOutcome>> =>
  Object.fromEntries(names.map((name) => [name, outcome]));

/** Destinations whose answers have only a status that counts. */
const onlyStatus = {
  automation: 'delivered',
  everflow: 'delivered',
  exchange: 'delivered',
  webhook: 'delivered',
} as const;

const failures: readonly (readonly [FailureMode, Readonly<Record<Name, SendOutcome>>])[] = [
  ['500', { ...all('server_error'), automation: 'retry', microsoft: 'retry', meta: 'retry' }],
  ['429', all('retry')],
  ['credentials', { ...all('account'), exchange: 'failed', webhook: 'retry' }],
  ['410', { ...all('failed'), trustedform: 'rejected' }],
  ['garbage', { ...all('unknown'), ...onlyStatus }],
  ['too_large', { ...all('unknown'), ...onlyStatus }],
  ['timeout', all('unknown')],
  ['reset', all('unknown')],
  ['accept_then_hang', all('unknown')],
  ['redirect', all('retry')],
];

describe.each(destinations)('the destination $name', ({ name, variables }) => {
  const effects = () => outside.sandbox.effects(name);

  it('sends a lead or event that the stand-in accepts', async () => {
    const result = await (await ready(name)).send();
    // Google says the result later.
    expect(result).toMatchObject({ outcome: name === 'google' ? 'later' : 'delivered' });
    expect(effects()).toMatchObject([{ count: 1 }]);
    expect(outside.sandbox.violations()).toEqual([]);
  });

  it('sends secrets only in headers that the sandbox does not record', async () => {
    await (await ready(name)).send();
    const recorded = JSON.stringify(outside.sandbox.received(name));
    for (const [setting, value] of Object.entries(sandboxEnvironment(outside.sandbox.url))) {
      if (!variables[setting]?.secret) continue;
      const message = `Add the header with ${setting} to \`secretNames\` in sandbox/journal.ts`;
      expect(recorded.includes(String(value)), message).toBe(false);
    }
  });

  it.each(failures)(
    'returns the outcome that `failures` lists for the failure %s',
    async (mode, outcomes) => {
      const isSilent = mode === 'timeout' || mode === 'accept_then_hang';
      const toSend = await ready(name, { timeoutMs: isSilent ? SHORT_MS : PATIENT_MS });
      outside.sandbox.fail({ service: name, mode, retry_after: 7 });
      const result = await toSend.send();
      const message = `If ${name} has another outcome, add the outcome to \`failures\` in this file`;
      expect(result.outcome, message).toBe(outcomes[name]);
      expect(result.retryAfterMs).toBe(mode === '429' ? 7_000 : undefined);
      // Polls, because in `accept_then_hang` the stand-in may store the lead after our time limit.
      await expect.poll(effects).toHaveLength(mode === 'accept_then_hang' ? 1 : 0);
      expect(outside.sandbox.received('unknown')).toEqual([]);
      expect(outside.sandbox.violations()).toEqual([]);
      expect((result.response ?? '').length).toBeLessThan(3_000);
    },
  );

  it('returns the outcome "retry" if the connection is refused', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise((resolve) => closed.close(resolve));
    const result = await (
      await ready(name, { url, certificate: `${url}/${'0'.repeat(40)}` })
    ).send();
    expect(result).toMatchObject({
      outcome: 'retry',
      error: expect.stringMatching(/ECONNREFUSED/),
    });
  });
});
