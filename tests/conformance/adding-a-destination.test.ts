/**
 * Adds a destination at run time. It has two files: a definition, listed in src/server/delivery/destinations/index.ts,
 * and a strict stand-in in sandbox/services/. src/server/delivery/destinations/contract.test.ts tests the answers of
 * every destination.
 */
import { expect, test } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { destinations } from '../../src/server/delivery/destinations/index.ts';
import { parseSettings } from '../../src/server/settings/settings.ts';
import { sandboxForTests } from '../support/sandbox-http.ts';
import { freshLead, serverForTests } from '../support/server.ts';
import { caseDesk } from './example/case-desk.ts';
import { caseDeskStandIn } from './example/case-desk-stand-in.ts';

const definitions = [...destinations, caseDesk];
const url = 'https://desk.example.com/api';

test.each([
  [{ EXAMPLE_DESK_URL: 'ftp://desk.example.com' }, /EXAMPLE_DESK_URL is "ftp:.*expected the http/],
  [{ EXAMPLE_DESK_TOKEN: 'short' }, /EXAMPLE_DESK_TOKEN is secret and not shown; .*the token of/],
  [{ EXAMPLE_DESK_URL: url }, /EXAMPLE_DESK_TOKEN is missing: the case desk in New York needs/],
  [
    { SURVEY_OVERRIDES: '{"/survey/v4nv":{"destinations":["case-desks"]}}' },
    /"destinations.0" is "case-desks"; expected .*"case-desk"/,
  ],
])('a new destination reads the settings that it declares: %j', (environment, says) => {
  expect(() => parseSettings(environment, definitions)).toThrow(says);
  expect(() => parseSettings(environment, definitions)).not.toThrow(/"short/);
});

const outside = sandboxForTests({ more: [caseDeskStandIn] });
const site = serverForTests(
  () => {
    const { url } = outside.sandbox;
    const all = Object.entries(sandboxEnvironment(url, [caseDeskStandIn]));
    return {
      ...Object.fromEntries(all.filter(([name]) => /^(INGEST|EXAMPLE|OUTGOING)_/.test(name))),
      DELIVERY_CONCURRENCY: undefined,
      SURVEY_OVERRIDES: JSON.stringify({ '/survey/v7': { destinations: ['case-desk'] } }),
    };
  },
  { definitions },
);

/** Posts a lead, and waits until each of its deliveries has ended. */
async function post(changes: Record<string, unknown> = {}) {
  const lead = freshLead(changes);
  expect((await site.post('/post-lead', lead)).status).toBe(200);
  const deliveries = async () =>
    (await site.leadOf(lead.lead_id)).deliveries.map(({ destination, state }) => [
      destination,
      state,
    ]);
  await expect
    .poll(async () => (await deliveries()).join())
    .not.toMatch(/waiting|sending|retrying/);
  return { key: lead.lead_id, deliveries: (await deliveries()).toSorted() };
}

test('a lead that a new destination accepts goes to it and to the ingest service', async () => {
  const { key, deliveries } = await post();
  expect(deliveries).toEqual([
    ['case-desk', 'delivered'],
    ['ingest', 'delivered'],
  ]);
  for (const service of ['ingest', 'case-desk']) {
    expect(outside.sandbox.effects(service)).toMatchObject([{ key, count: 1 }]);
  }
  expect(outside.sandbox.violations()).toEqual([]);
});

test('a survey that lists only this destination sends leads to no other; its stand-in can fail', async () => {
  outside.sandbox.fail({ service: 'case-desk', mode: 'credentials', times: 1 });
  const { key, deliveries } = await post({ survey: '/survey/v7' });
  expect(deliveries).toEqual([['case-desk', 'dead']]);
  expect(outside.sandbox.received('case-desk')).toMatchObject([{ key, failure: 'credentials' }]);
  expect(outside.sandbox.received('ingest')).toEqual([]);
});
