/** Tests how third parties check a visitor's data, and how a posted lead uses the results. */

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { askedKey, checkedDescription } from '../../src/model/lead/context.ts';
import { leadIdHeader, leadSecretHeader } from '../../src/model/messages/lead.ts';
import { isGibberish } from '../../src/model/rules/gibberish.ts';
import { readHistory } from '../../src/server/leads/lead-history.ts';
import type { LeadCheckRow } from '../../src/server/platform/database/schema.ts';
import { expectProven, timelineOf } from '../support/lead-history.ts';
import { strangersSecret, testSecret } from '../support/leads.ts';
import { freshLead, freshProgress, serverForTests } from '../support/server.ts';

const sandbox = await startSandbox();
afterAll(() => sandbox.close());
afterEach(() => sandbox.recover());
const environment = {
  ...sandboxEnvironment(sandbox.url),
  DELIVERY_CONCURRENCY: '10',
  CIRCUIT_PAUSE_MS: '300',
};
const services = [
  'PHONE_CHECK',
  'EMAIL_CHECK',
  'GIBBERISH',
  'ZIP',
  'MAPPING',
  'BUYERS',
  'ESTIMATE',
];
/** A server whose time-outs are long enough for a busy machine. */
const web = serverForTests(() => ({
  ...environment,
  ...Object.fromEntries(
    [...services, 'PREFILL', 'VERIFICATION'].map((name) => [`${name}_TIMEOUT_MS`, '10000']),
  ),
}));

async function checkZip(leadId: unknown, zip: string, secret = testSecret) {
  const answer = await fetch(`${web.server.url}/us/${zip}`, {
    headers: { [leadIdHeader]: String(leadId), [leadSecretHeader]: secret },
  });
  return (await answer.json()) as Record<string, string>;
}

const ingestOf = async (leadId: unknown) => {
  const { deliveries } = await web.leadOf(leadId);
  return deliveries.find(({ destination }) => destination === 'ingest');
};
const checksOf = async (leadId: unknown) => {
  const checks = 'select * from lead_checks where lead_id = $1 order by at';
  return (await web.database.pool.query<LeadCheckRow>(checks, [leadId])).rows;
};

const digits = () => `212555${String(1000 + Math.floor(Math.random() * 8_000))}`;

/** Requests the checks that a page requests during a survey. */
async function walk(lead: Record<string, unknown>, secret = testSecret) {
  const { lead_id, phone, email, case_description: text, survey, zip_code } = lead;
  return {
    phone: (await web.post('/api/check/phone', { phone, survey, lead_id }, secret)).body,
    email: (await web.post('/api/check/email', { email, lead_id }, secret)).body,
    text: (await web.post('/api/check/text', { text, lead_id }, secret)).body,
    place: await checkZip(lead_id, String(zip_code), secret),
  };
}

async function historyOf(leadId: unknown) {
  const { pool } = web.database;
  return readHistory(pool, String(leadId));
}

/** Makes all checks of another visit. Afterwards all earlier checks are stored. */
async function walkAnother(lead: Record<string, unknown>): Promise<void> {
  const other = { ...lead, lead_id: randomUUID() };
  await web.post('/api/save-data', freshProgress(other.lead_id));
  await walk(other);
  await vi.waitFor(async () => expect(await checksOf(other.lead_id)).toHaveLength(4));
}

describe('a server with every third-party check', () => {
  const lead = freshLead({
    phone: digits(),
    email: `${randomUUID()}@mail.example`,
    case_description: `Another car hit me from behind at a red light ${randomUUID().slice(0, 4)}`,
  });

  it('records all checks of a lead in order of time', async () => {
    await web.post('/api/save-data', freshProgress(lead.lead_id));
    expect(await walk(lead)).toMatchObject({
      phone: { valid: true, active: true },
      email: { blocked: false },
      text: { is_gibberish: 'no' },
      place: { city: 'New York', state: 'NY', county: 'New York' },
    });
    await vi.waitFor(async () => expect(await checksOf(lead.lead_id)).toHaveLength(4));
    expect((await web.post('/post-lead', lead)).status).toBe(200);

    await vi.waitFor(async () => {
      const ingest = await ingestOf(lead.lead_id);
      expect(ingest?.state).toBe('delivered');
    });
    const checks = await checksOf(lead.lead_id);
    expect(
      checks.map(({ service, outcome, said, revision }) => [service, outcome, said, revision]),
    ).toEqual([
      [
        'phone',
        'answered',
        { valid: true, active: true, fraud_score: 0, line_type: 'Wireless' },
        null,
      ],
      [
        'email',
        'answered',
        { valid: true, disposable: false, fraud_score: 0, dns_valid: true },
        null,
      ],
      ['gibberish', 'answered', { is_gibberish: 'no' }, null],
      ['zip', 'answered', { known: true }, null],
      ['verification', 'answered', { status: 'ok' }, 1],
    ]);
    const { last } = await web.leadOf(lead.lead_id);
    expect(last?.given).toEqual({
      gibberish: { [askedKey('gibberish', String(lead.case_description))]: 'no' },
      places: { 10001: expect.objectContaining({ state: 'NY' }) },
    });
    const history = await historyOf(lead.lead_id);
    const shown = timelineOf(history);
    const order = [
      'Phone check: answered',
      'Email check: answered',
      'Gibberish check: answered',
      'Zip check: answered',
      'The lead was posted',
      'Verification check of revision 1: answered',
      'Lead Prosper: delivered',
    ];
    const places = order.map((line) => shown.indexOf(line));
    expect(places, shown).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(shown).toContain('Wireless');
    expect(sandbox.violations()).toEqual([]);
  });

  it('sends the verification service’s answer with the lead', async () => {
    const sent = sandbox.received('ingest').find(({ key }) => key === lead.lead_id);
    expect(sent?.body).toMatchObject({ verification: '{"status":"ok"}' });
    expect(sandbox.received('verification').at(-1)?.body).toEqual({
      zip_code: '10001',
      ip_address: '127.0.0.1',
      user_agent: 'TestBrowser/1.0',
      trusted_form_cert_id: '',
      leadid_token: '',
    });
    const from = { settings: web.settings.destinations, client: web.database.pool };
    await expectProven(await historyOf(lead.lead_id), from);
  });

  it('does not record a check if the request has a wrong secret', async () => {
    const before = await checksOf(lead.lead_id);
    await walk(lead, strangersSecret);
    await walkAnother(lead);
    expect(await checksOf(lead.lead_id)).toEqual(before);
  });
});

describe('a text that the gibberish service has called gibberish', () => {
  // The text is gibberish for the sandbox, but not for the server's own rule.
  const text = 'The car hit me, brrr, grrr, pfft, hmmm, tsktsk, psst';

  it('disqualifies the lead even after a later post without the text', async () => {
    const lead = freshLead({ case_description: text, phone: digits() });
    expect(isGibberish(text)).toBe(false);
    const { body } = await web.post('/api/check/text', { text, lead_id: lead.lead_id });
    expect(body).toMatchObject({ is_gibberish: 'yes' });
    const { status, body: answer } = await web.post('/post-lead', lead);
    expect(status).toBe(200);
    const first = (await web.leadOf(lead.lead_id)).last;
    expect(first?.fields.is_gibberish).toBe('yes');
    expect(answer).toMatchObject({ qualified: 'no', dq_reason: 'is_gibberish|yes' });
    const later = await web.post('/post-lead', {
      lead_id: lead.lead_id,
      survey: lead.survey,
      address: '1 Main Street',
    });
    expect(later.body).toMatchObject({ revision: 2, dq_reason: answer.dq_reason });
    const { last } = await web.leadOf(lead.lead_id);
    expect(last?.fields.is_gibberish).toBe('yes');
    expect(last?.given).toEqual(first?.given);
  });
});

it('a process uses a check result that another process has stored in the database', async () => {
  const text = `Myth, hymn, Lynn and Byrd ${randomUUID().replace(/[aeiou]/g, 'x')}`;
  const lead = freshLead({ case_description: text, phone: digits() });
  const asked = askedKey('gibberish', checkedDescription(text));
  await web.database.pool.query(
    `insert into check_answers values ('gibberish', $1, '"yes"', now() + interval '1 day')`,
    [asked],
  );
  const before = sandbox.received('gibberish').length;
  await web.post('/post-lead', lead);
  const { last } = await web.leadOf(lead.lead_id);
  expect(last?.given).toMatchObject({ gibberish: { [asked]: 'yes' } });
  expect(last?.fields.is_gibberish).toBe('yes');
  expect(sandbox.received('gibberish')).toHaveLength(before);
});
