/** Tests the forms of the site's pages in a browser without scripts. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { readHistory } from '../../src/server/leads/lead-history.ts';
import type { LeadRow } from '../../src/server/platform/database/schema.ts';
import { builtSiteForTests } from '../support/built-site.ts';
import { PlainBrowser } from '../support/plain-browser.ts';
import { sandboxForTests } from '../support/sandbox-http.ts';
import { freshLead } from '../support/server.ts';

const outside = sandboxForTests();
const site = builtSiteForTests(() => ({
  ...sandboxEnvironment(outside.sandbox.url),
  VERIFICATION_URL: undefined,
  DELIVERY_CONCURRENCY: undefined,
}));

async function browserAt(path: string): Promise<PlainBrowser> {
  const browser = new PlainBrowser();
  await browser.get(site.server.url + path);
  return browser;
}

async function postLead(lead: Record<string, unknown>, headers: Record<string, string> = {}) {
  expect((await site.post('/post-lead', lead, null, headers)).status).toBe(200);
  return String(lead.lead_id);
}

async function historyOf(id: string) {
  const { pool } = site.database;
  return readHistory(pool, id);
}

/** Waits until a delivery is not in progress, and returns the delivery's state. */
async function stateOf(id: string, destination: string) {
  const read = async () =>
    (await historyOf(id)).deliveries.find((each) => each.destination === destination);
  await expect.poll(async () => (await read())?.state).not.toMatch(/^(waiting|sending|retrying)$/);
  return read();
}

async function newestLead() {
  const { rows } = await site.database.pool.query<
    Pick<LeadRow, 'id' | 'survey' | 'flow' | 'state'>
  >('select id, survey, flow, state from leads order by created_at desc limit 1');
  const [lead] = rows;
  if (!lead) throw new Error('there is no lead');
  return lead;
}

const contactForm = () => ({
  typeOfAccident: 'Truck Accident',
  firstName: 'Maria',
  lastName: 'Sandoval',
  email: `${randomUUID()}@mail.example`,
  phoneNumber: `(212) 555-${String(Math.floor(1_000 + Math.random() * 9_000))}`,
  message: 'Who pays for my car?',
});

test('a posted contact form is sent once to the contact destination', async () => {
  const form = contactForm();
  const browser = await browserAt('/contact/');
  const fields = browser.fields(form);
  expect((await browser.post(fields)).url).toBe(`${site.server.url}/contact/?sent=1#form`);
  const { id, ...lead } = await newestLead();
  expect(lead).toMatchObject({ survey: '/contact/', flow: 'contact', state: 'accepted' });
  expect(await stateOf(id, 'contact')).toMatchObject({ state: 'delivered', attempts: 1 });
  expect(outside.sandbox.violations()).toEqual([]);
  const [sent] = outside.sandbox.received('contact');
  expect(sent?.body).toMatchObject({
    lp_campaign_id: '10002',
    type_of_accident: 'Truck Accident',
    first_name: 'Maria',
    phone: form.phoneNumber.replace(/\D/g, ''),
    message: form.message,
  });
  expect(outside.sandbox.received('ingest')).toEqual([]);
  await browser.get('/contact/');
  await browser.post(fields);
  expect((await newestLead()).id).toBe(id);
  expect((await historyOf(id)).revisions).toHaveLength(1);
});

test('the server shows an invalid contact form again with the values that the visitor typed', async () => {
  const form = contactForm();
  const browser = await browserAt('/contact/');
  const { status, headers } = await browser.press(undefined, { ...form, email: 'maria"at' });
  expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([
    ...[422, 'no-store', null],
  ]);
  expect([browser.value('email'), browser.value('message')]).toEqual(['maria"at', form.message]);
  expect(browser.html).toMatch(/id="email"[^>]*aria-invalid="true"/);
  const id = browser.value('lead_id') ?? '';
  expect((await historyOf(id)).lead.state).toBe('held');
  const { url } = await browser.press(undefined, { email: form.email });
  expect(url).toContain('/contact/?sent=1');
  const { lead, revisions } = await historyOf(id);
  expect([lead.state, revisions.length]).toEqual(['accepted', 2]);
  expect(await stateOf(id, 'contact')).toMatchObject({ state: 'delivered' });
});

test.each(['/contact/', '/do-not-sell-my-information/'])(
  'the form at %s is refused without values',
  async (path) => {
    const stored = async () => {
      const { rows } = await site.database.pool.query(
        'select id::text from leads union all select id::text from opt_out_requests order by 1',
      );
      return rows;
    };
    const before = await stored();
    const browser = await browserAt(path);
    const names = browser.fields().map(([name]) => name);
    expect((await browser.post(names.map((name) => [name, '']))).status).toBe(422);
    const typed = names.map((name) => [name, 'ann@mail.example'] as const);
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await browser.post(typed, foreign)).status).toBe(403);
    expect(await stored()).toEqual(before);
  },
);

test('a do-not-sell request stops later deliveries of the same person', async () => {
  const who = {
    email: `${randomUUID()}@mail.example`,
    phone: `212555${Math.floor(1_000 + Math.random() * 9_000)}`,
  };
  outside.sandbox.fail({ service: 'ingest', mode: '429', retry_after: 600 });
  const earlier = await postLead(freshLead(who));
  const stateNow = async () =>
    (await historyOf(earlier)).deliveries.find(({ destination }) => destination === 'ingest')
      ?.state;
  await expect.poll(stateNow).toBe('retrying');
  const form = { email: who.email, name: 'Ann', state: 'CA' };
  const browser = await browserAt('/do-not-sell-my-information/');
  const answer = await browser.press(undefined, form, { headers: { 'sec-gpc': '1' } });
  expect(answer.status).toBe(200);
  expect(browser.text('.sent')).toMatch(
    new RegExp(`reference is [\\dA-F]{12}: .*On our list now: ${form.email}\\.`, 's'),
  );
  const { rows } = await site.database.pool.query('select * from opt_out_requests');
  expect(rows).toMatchObject([{ ...form, phone: '', leads: 1, sec_gpc: true }]);
  expect(await stateOf(earlier, 'ingest')).toMatchObject({ state: 'suppressed' });
  expect((await historyOf(earlier)).events).toMatchObject([
    { kind: 'suppressed', actor: expect.stringMatching(/^a do-not-sell request \([\dA-F]{12}\)$/) },
  ]);
  const later = await postLead(freshLead(who));
  expect(await stateOf(later, 'ingest')).toMatchObject({
    state: 'suppressed',
    attempts: 0,
    end_reason: 'listed',
  });
  expect((await historyOf(later)).is_suppressed).toBe(true);
});
