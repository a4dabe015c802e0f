/**
 * Tells five ad platforms about 10,000 sales and 300 returns, while the platforms fail in every
 * documented way. One event in a hundred is wrong.
 */
import { expect, test } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import type { FailureMode } from '../../sandbox/failures.ts';
import { planLeadEvents } from '../../src/server/delivery/lead-events.ts';
import { parseSettings } from '../../src/server/settings/settings.ts';
import { pass, type TestLead } from '../support/delivery.ts';
import { deliveryForTests } from '../support/delivery-site.ts';

const { pool, sandbox, http, worker, insertMany } = await deliveryForTests();

const platforms = ['google', 'microsoft', 'meta', 'tiktok', 'everflow'] as const;
type Platform = (typeof platforms)[number];
const withReturns: readonly Platform[] = ['google', 'microsoft', 'everflow'];
const LEADS = 2_000;
/** Leads whose click ids the platforms refuse. Everflow refuses none. */
const POISONED = 20;
/** Leads of a state that forbids telling ad platforms. */
const FORBIDDEN = 4;
const RETURNED = 100;

const anyAnswer: readonly FailureMode[] = ['garbage', 'too_large'];
const modes: readonly FailureMode[] = [
  ...(['timeout', 'reset', '500', '429', 'credentials', 'account_closed', 'cap_reached'] as const),
  ...(['redirect', 'accept_then_hang', 'accept_then_reset'] as const),
  ...anyAnswer,
];

/** Matches every personal value of the leads, their browser and their page. */
const CANARY = /canary|kanarienvogel|5550147|203\.0\.113\.147|survey|injur|truck/i;
const personal = {
  first_name: 'Kanarienvogel',
  email: 'canary@mail.example',
  phone: '2125550147',
  ip_address: '203.0.113.147',
  user_agent: 'CanaryBrowser/1.0',
  landing_page: 'https://claims.example/survey/v4nv?injury=canary',
  case_description: 'A truck hit the canary',
};

const settings = parseSettings({
  ...sandboxEnvironment(sandbox.url),
  CONVERSIONS_TIMEOUT_MS: '600',
});
const destinations = settings.destinations
  .filter(({ definition: { name } }) => platforms.some((each) => each === name))
  .map(({ definition, values }) => definition.connect(values!, http));

/** Writes leads that came from a click of every platform. */
async function leadsOfAds(): Promise<TestLead[]> {
  const leads = await insertMany(LEADS);
  const rows = leads.map(({ leadId }, index) => {
    const start = index < POISONED ? 'poisoned-invalid_gclid' : 'click';
    const id = `${start}-${index}`;
    const states = index >= POISONED && index < POISONED + FORBIDDEN ? 'WA' : 'TX';
    return {
      id: leadId,
      body: { ...personal, gclid: id, msclkid: id, fbclid: id, ttclid: id, ef_transaction_id: id },
      decisions: [{ rule: 'state_rule', inputs: { states }, result: 'allowed' }],
    };
  });
  await pool.query(
    `update lead_revisions r set body = new.body, fields = new.body, decisions = new.decisions
     from jsonb_to_recordset($1::jsonb) as new(id uuid, body json, decisions json) where lead_id = new.id`,
    [JSON.stringify(rows)],
  );
  return leads;
}

const plan = (leads: readonly TestLead[], type: 'lead.sold' | 'lead.returned') =>
  planLeadEvents(
    pool,
    leads.map(({ leadId, deliveryId }, index) => ({
      leadId,
      event: {
        type,
        delivery_id: deliveryId,
        destination: 'ingest',
        value: 50 + index / 100,
        currency: 'USD',
      },
    })),
    destinations,
  );

/** Makes every open delivery and every trial due, without a change of the events' times. */
const hurry = async () => {
  await pool.query(
    `update deliveries set due_at = now() where destination = any($1) and due_at > now()
    and state in ('waiting', 'retrying')`,
    [platforms],
  );
  await pool.query(`update destination_health set trial_at = now() - interval '1 minute'
    where trial_at is not null`);
};

async function countOpen(): Promise<number> {
  const { rows } = await pool.query<{ open: number }>(
    `select count(*)::int as open from deliveries where destination = any($1) and finished_at is null`,
    [platforms],
  );
  return rows[0]?.open ?? 0;
}

/** Returns how the deliveries of an event ended, each with the number of deliveries. */
async function endsOf(type: string): Promise<Record<string, Record<string, number>>> {
  const { rows } = await pool.query<{ destination: Platform; said: string; count: number }>(
    `select destination, count(*)::int as count, state || coalesce(': ' || case
         when state = 'suppressed' then end_reason
         when last_message ~ 'WA.ad_platforms' then 'forbidden' when state = 'rejected' then 'refused there' end, '') as said
     from deliveries where destination = any($1) and event->>'type' = $2 group by 1, 3`,
    [platforms, type],
  );
  const ends: Record<string, Record<string, number>> = {};
  for (const { destination, said, count } of rows) {
    ends[destination] = { ...ends[destination], [said]: count };
  }
  return ends;
}

test('each good event counts once, each bad one is named, and no request has a personal value', async () => {
  const leads = await leadsOfAds();
  const returned = leads.slice(0, RETURNED);
  expect(await plan(leads, 'lead.sold')).toBe(5 * LEADS);
  // Planned before any sale is confirmed.
  expect(await plan(returned, 'lead.returned')).toBe(3 * RETURNED);

  // Microsoft knows a click only after an hour.
  await pool.query(
    `update deliveries set created_at = now() - interval '2 hours' where destination = any($1)`,
    [platforms],
  );

  const each = worker(destinations, { concurrency: 100 });
  for (let turn = 0; turn < 2 * modes.length; turn += 1) {
    // A platform answers as usual in every second turn, which ends its pause.
    for (const [index, service] of turn % 2 === 0 ? platforms.entries() : []) {
      const mode = modes[(turn / 2 + index) % modes.length] as FailureMode;
      // Everflow's postback takes any 2xx, so that it has no unreadable answer.
      if (service === 'everflow' && anyAnswer.includes(mode)) continue;
      sandbox.fail({ service, mode, times: 20 });
    }
    await pass(each);
    sandbox.recover();
    await hurry();
  }
  while ((await countOpen()) > 0) {
    await pass(each);
    await hurry();
  }

  const good = LEADS - POISONED - FORBIDDEN;
  const refused = { 'rejected: forbidden': FORBIDDEN, 'rejected: refused there': POISONED };
  const some = { delivered: good, ...refused };
  expect(await endsOf('lead.sold')).toEqual({
    google: some,
    microsoft: some,
    meta: some,
    tiktok: some,
    everflow: { delivered: good + POISONED, 'rejected: forbidden': FORBIDDEN },
  });
  const dropped = POISONED + FORBIDDEN;
  const told = { delivered: RETURNED - dropped, 'suppressed: not_reported': dropped };
  const byEverflow = { delivered: RETURNED - FORBIDDEN, 'suppressed: not_reported': FORBIDDEN };
  expect(await endsOf('lead.returned')).toEqual({
    google: told,
    microsoft: told,
    everflow: byEverflow,
  });

  for (const service of platforms) {
    const effects = sandbox.effects(service);
    const ends = service === 'everflow' ? byEverflow : told;
    const sold = service === 'everflow' ? good + POISONED : good;
    const expected = sold + (withReturns.includes(service) ? ends.delivered : 0);
    expect([service, effects.length]).toEqual([service, expected]);
    expect(effects.filter(({ count }) => count !== 1)).toEqual([]);
  }
  expect(sandbox.violations()).toEqual([]);
  const telling = sandbox.received().filter((each) => CANARY.test(JSON.stringify(each)));
  expect(telling.slice(0, 1)).toEqual([]);
  const { rows } =
    await pool.query(`select count(*)::int as attempts, count(distinct outcome)::int as outcomes
    from delivery_attempts`);
  expect(rows[0].outcomes).toBeGreaterThanOrEqual(6);
});
