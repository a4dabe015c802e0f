/** Tests conversions whose platform answers in two steps, or changes a sale, with stand-ins. */
import { expect, test } from 'vitest';
import { settingsOf } from '../../sandbox/environment.ts';
import { planLeadEvents } from '../../src/server/delivery/lead-events.ts';
import { parseSettings } from '../../src/server/settings/settings.ts';
import { pass, type TestLead } from '../support/delivery.ts';
import { deliveryForTests, MINUTE_MS } from '../support/delivery-site.ts';

const site = await deliveryForTests();
const { pool, sandbox, advance } = site;

const names = ['google', 'microsoft'] as const;
const settings = parseSettings(
  Object.assign({}, ...names.map((name) => settingsOf(name, sandbox.url))),
);
const platforms = settings.destinations.flatMap(({ definition, values }) =>
  values && names.some((name) => name === definition.name)
    ? [definition.connect(values, site.http)]
    : [],
);

/** Writes a lead that came by an ad of each platform. The click ids begin with `kind`. */
async function leadOf(kind: string): Promise<TestLead> {
  const lead = await site.insert({ state: 'delivered' });
  const posted = { gclid: `${kind}-gclid-${lead.leadId}`, msclkid: `${kind}-${lead.leadId}` };
  await pool.query('update lead_revisions set body = $2 where lead_id = $1', [
    lead.leadId,
    JSON.stringify(posted),
  ]);
  return lead;
}

async function plan(type: 'lead.sold' | 'lead.returned', leads: readonly TestLead[]) {
  const events = leads.map(({ leadId, deliveryId: delivery_id }) => {
    const sale = { delivery_id, destination: 'ingest', value: 90.5, currency: 'USD' } as const;
    return { leadId, event: { type, ...sale } };
  });
  return planLeadEvents(pool, events, platforms);
}

const statesOf = async ({ leadId }: TestLead) => {
  const { rows } = await pool.query(
    `select destination || ' ' || split_part(event_key, ' ', 1) as name, state, answer_code as code
     from deliveries where lead_id = $1 and event_key <> ''`,
    [leadId],
  );
  return Object.fromEntries(
    rows.map(({ name, state, code }) => [name, code ? `${state} ${code}` : state]),
  );
};

test('a sale counts once, a poisoned one is named, and a return changes the sale', async () => {
  const worker = site.worker(platforms);
  /** Makes all open deliveries due and sends them, several times. Events keep their times. */
  const workOff = async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      await pool.query(
        `update deliveries set due_at = now() where state in ('waiting', 'retrying')`,
      );
      await pass(worker);
    }
  };
  const good = await leadOf('good');
  const flaky = await leadOf('flaky');
  const poisoned = await leadOf('poison');
  const leads = [good, flaky, poisoned];
  expect(await plan('lead.sold', leads)).toBe(6);
  expect(await plan('lead.sold', leads)).toBe(0);
  // Both wait: Google for the result, Microsoft until it knows the click.
  await pass(worker);
  expect(await statesOf(good)).toEqual({
    'google lead.sold': 'retrying',
    'microsoft lead.sold': 'retrying',
  });
  await advance(61 * MINUTE_MS);
  await workOff();
  const sold = { 'google lead.sold': 'delivered', 'microsoft lead.sold': 'delivered' };
  expect(await statesOf(good)).toEqual(sold);
  expect(await statesOf(flaky)).toEqual(sold);
  const refused = {
    'google lead.sold': 'rejected INVALID_GCLID',
    'microsoft lead.sold': 'rejected OfflineConversionMicrosoftClickIdInvalid',
  };
  expect(await statesOf(poisoned)).toEqual(refused);
  for (const name of names) expect(sandbox.effects(name)).toHaveLength(2);

  expect(await plan('lead.returned', leads)).toBe(6);
  await workOff();
  for (const lead of [good, flaky]) {
    expect(await statesOf(lead)).toEqual({
      ...sold,
      'google lead.returned': 'delivered',
      'microsoft lead.returned': 'delivered',
    });
  }
  expect(await statesOf(poisoned)).toEqual({
    ...refused,
    'google lead.returned': 'suppressed',
    'microsoft lead.returned': 'suppressed',
  });
  const effects = names.flatMap((name) => sandbox.effects(name));
  expect(effects).toHaveLength(8);
  for (const { count, duplicates } of effects) expect([count, duplicates]).toEqual([1, 0]);
  expect(effects.filter(({ detail }) => detail.isRestated && detail.value === 0)).toHaveLength(2);
  expect(effects.filter(({ detail }) => detail.isKnown)).toHaveLength(2);
  expect(sandbox.violations()).toEqual([]);
  const requests = JSON.stringify(names.flatMap((name) => sandbox.received(name)));
  for (const value of leads.flatMap(({ fields }) => Object.values(fields))) {
    if (value.length > 3) expect(requests).not.toContain(value);
  }
});

test('a destination without a token waits, and sends when it gets one', async () => {
  const worker = site.worker(platforms.filter(({ name }) => name === 'google'));
  const lead = await leadOf('good');
  await plan('lead.sold', [lead]);
  sandbox.fail({ service: 'oauth', mode: '410', times: 1 });
  await pass(worker);
  expect(await statesOf(lead)).toMatchObject({ 'google lead.sold': 'retrying' });
  await advance(MINUTE_MS);
  await pass(worker);
  await advance(40 * MINUTE_MS);
  await pass(worker);
  expect(await statesOf(lead)).toMatchObject({ 'google lead.sold': 'delivered' });
});
