/** Tests deliveries to all destinations with a whole server. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { destinations } from '../../src/server/delivery/destinations/index.ts';
import { answerOf } from '../../src/server/insight/lead-page.ts';
import { readHistory } from '../../src/server/leads/lead-history.ts';
import { issuedCertificate } from '../support/certificate.ts';
import { expectProven, viewOf } from '../support/lead-history.ts';
import { testSecret } from '../support/leads.ts';
import { sandboxForTests } from '../support/sandbox-http.ts';
import { freshLead, serverForTests } from '../support/server.ts';

const outside = sandboxForTests();
const site = serverForTests(async ({ pool }) => {
  // Postpones retries by an hour, so that each delivery has only one attempt.
  await pool.query(`create function postpone() returns trigger language plpgsql as
    $$ begin new.due_at = now() + interval '1 hour'; return new; end $$`);
  await pool.query(`create trigger postpone before update on deliveries for each row
    when (old.state <> 'retrying' and new.state = 'retrying') execute function postpone()`);
  return { ...sandboxEnvironment(outside.sandbox.url), DELIVERY_CONCURRENCY: undefined };
});

/** The names of the third parties that receive leads. */
const thirdParties = destinations.flatMap(({ name, events }) =>
  events || name === 'contact' ? [] : [name],
);

/** Returns a lead of a new person that every destination accepts. */
async function leadForAll(changes: Record<string, unknown> = {}) {
  return freshLead({
    phone: `212555${Math.floor(1_000 + Math.random() * 9_000)}`,
    email: `${randomUUID()}@mail.example`,
    case_description: 'It was a hit and run, and my neck hurts since then.',
    trustedform_cert_url: await issuedCertificate(outside.sandbox),
    ...changes,
  });
}

async function post(lead: Record<string, unknown>, headers: Record<string, string> = {}) {
  expect((await site.post('/post-lead', lead, testSecret, headers)).status).toBe(200);
}

async function historyOf({ lead_id }: Record<string, unknown>) {
  return readHistory(site.database.pool, String(lead_id));
}

/** Waits until no delivery is in progress. Returns the state of each delivery. */
async function statesOf(lead: Record<string, unknown>): Promise<Record<string, string>> {
  const read = async () =>
    Object.fromEntries(
      (await historyOf(lead)).deliveries.map(({ destination, event, state }) => {
        const { type = '', destination: about = '' } = (event ?? {}) as Record<string, string>;
        return [[destination, type, about].filter(Boolean).join(' '), state];
      }),
    );
  await expect
    .poll(async () => Object.values(await read()))
    .not.toEqual(expect.arrayContaining([expect.stringMatching(/^(waiting|sending)$/)]));
  return read();
}

test('a lead is delivered exactly once to every destination', async () => {
  const lead = await leadForAll();
  await post(lead);
  expect(await statesOf(lead)).toEqual({
    ...Object.fromEntries(thirdParties.map((name) => [name, 'delivered'])),
    'webhook lead.accepted': 'delivered',
    ...Object.fromEntries(
      thirdParties.map((name) => [`webhook delivery.delivered ${name}`, 'delivered']),
    ),
  });
  for (const name of thirdParties) {
    expect(outside.sandbox.effects(name)).toMatchObject([{ count: 1, duplicates: 0 }]);
  }
  const heard = outside.sandbox.effects('webhook').map(({ detail }) => detail);
  expect(heard).toHaveLength(1 + thirdParties.length);
  for (const each of heard) expect(each.lead_id).toBe(lead.lead_id);
  const ofIngest = heard.find(({ destination }) => destination === 'ingest');
  expect(ofIngest).toMatchObject({ type: 'delivery.delivered', revision: 1, attempt: 1 });
  expect(ofIngest?.external_id).not.toBe('');
  expect(outside.sandbox.violations()).toEqual([]);

  const history = await historyOf(lead);
  const { story: entries } = answerOf(history, new Map(), viewOf(true), 'admin');
  const times = entries.map(({ at }) => at);
  expect(times).toEqual([...times].sort());
  const attempts = entries.filter(({ kind }) => kind === 'attempt');
  expect(attempts).toHaveLength(1 + 2 * thirdParties.length);
  const from = { settings: site.settings.destinations, client: site.database.pool };
  await expectProven(history, from);
});

test('a later revision of a lead that the buyers have received is sent only to the webhook', async () => {
  const lead = await leadForAll();
  await post(lead);
  await statesOf(lead);
  await post({ ...lead, first_name: 'Mary' });
  expect(await statesOf(lead)).toMatchObject({ 'webhook lead.revised': 'delivered' });
  const bodies = outside.sandbox.received('webhook').map(({ body }) => body as { type: string });
  expect(bodies.find(({ type }) => type === 'lead.revised')).toMatchObject({
    data: { lead_id: lead.lead_id, revision: 2, fields: { first_name: 'Mary' } },
  });
  const ofLead = outside.sandbox.effects('ingest').filter(({ key }) => key === lead.lead_id);
  expect(ofLead).toMatchObject([{ count: 1, duplicates: 0 }]);
});

/** Returns the requests that a third party received for this lead. */
const heardOf = (
  service: Parameters<typeof outside.sandbox.received>[0],
  { lead_id }: Record<string, unknown>,
) =>
  outside.sandbox
    .received(service)
    .filter(({ body }) => JSON.stringify(body).includes(String(lead_id)));

test('a lead with the opt-out signal is not sent to destinations that stop at the signal', async () => {
  const lead = await leadForAll();
  await post(lead, { 'sec-gpc': '1' });
  const withheld = site.settings.destinations.flatMap(({ definition, values = {} }) => {
    const { name, permission } = definition.connect(values, outside.http);
    return permission.stopsAtOptOut && thirdParties.includes(name) ? [name] : [];
  });
  expect(withheld).toEqual(expect.arrayContaining(['exchange', 'trustedform']));
  expect(await statesOf(lead)).toMatchObject(
    Object.fromEntries(
      thirdParties.map((name) => [name, withheld.includes(name) ? 'suppressed' : 'delivered']),
    ),
  );
  for (const name of withheld) expect(heardOf(name, lead)).toEqual([]);
  expect(heardOf('ingest', lead)).toHaveLength(1);
  const { deliveries } = await historyOf(lead);
  const kept = deliveries.find(({ destination }) => destination === 'exchange');
  expect(kept).toMatchObject({ attempts: 0, end_reason: 'opted_out' });
});

test('the Slack message about a failed delivery contains no personal data', async () => {
  const lead = await leadForAll();
  outside.sandbox.fail({ service: 'ingest', mode: '410' });
  await post(lead);
  expect((await statesOf(lead)).ingest).toBe('dead');
  const texts = () =>
    outside.sandbox
      .received('slack')
      .map(({ body }) => (body as { text: string }).text)
      .join('\n');
  await expect
    .poll(texts)
    .toMatch(/A lead to ingest: the destination's answer \(HTTP 410\) is final/);
  const { email, phone, first_name } = lead;
  for (const value of [email, phone, first_name]) expect(texts()).not.toContain(String(value));
});
