/** The site's forms, from a post without scripts to what an operator sees. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { currentConsent } from '../../content/consent/index.ts';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { markedPlaces } from '../../src/contract/form-marks.ts';
import type { PageEntry } from '../../src/contract/page-manifest.ts';
import { findLead } from '../../src/server/operators/find-lead.ts';
import { readStory } from '../../src/server/operators/story.ts';
import type { PageDocument } from '../../src/server/routes/page-document.ts';
import { pagesPlugin } from '../../src/server/routes/pages.ts';
import { createSiteForms } from '../../src/server/routes/site-forms.ts';
import { sandboxForTests } from '../support/sandbox-http.ts';
import { freshLead, serverForTests } from '../support/server.ts';

const { text, whether } = markedPlaces;
/** Replaces the built pages: each shows its address, and placeholders where the page has them. */
const marked = `${text('lead_id')}|${text('lead_secret')}|${text('email')}|${whether('email:wrong', 'wrong')}|${whether('done', 'done')}|${text('reference')} ${text('given')}|${whether('email:doubt', 'told')}|${text('email:meant')}|${text('asked')}`;
const render = async (url: string): Promise<PageDocument> => {
  const identity = Buffer.from(url.includes('_marks') ? `${url}|${marked}` : url);
  const status = url.startsWith('/404') ? 404 : 200;
  return { status, headers: { etag: '"x"' }, identity, gzip: identity, br: identity };
};
const entry = (source: string, more: Partial<PageEntry> = {}): PageEntry => ({
  source,
  at: [source],
  query: {},
  headers: {},
  ...more,
});
const manifest = [
  entry('/404/', { at: 'not-found' }),
  entry('/'),
  entry('/contact/', { query: { sent: ['1'] }, form: { name: 'contact', language: 'en' } }),
  entry('/do-not-sell/', { saysSignal: true, form: { name: 'do-not-sell', language: 'en' } }),
];

const outside = sandboxForTests();
const site = serverForTests(
  () => ({
    ...sandboxEnvironment(outside.sandbox.url),
    DELIVERY_CONCURRENCY: undefined,
    // A delivery waits this long for a verification that never comes.
    VERIFICATION_TIMEOUT_MS: '3000',
  }),
  {
    pagesOf:
      () =>
      (app, { useCases }) =>
        pagesPlugin(app, {
          pages: { render, clientDir: import.meta.dirname, close: () => undefined },
          manifest,
          surveys: [],
          today: () => '2026-11-20',
          hasPreview: false,
          experiments: [],
          publicUrl: undefined,
          formsPerMinute: 1000,
          forms: createSiteForms(useCases),
        }),
  },
);

const postForm = (
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  fetch(site.server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual',
  });

async function postLead(lead: Record<string, unknown>, headers: Record<string, string> = {}) {
  expect((await site.post('/post-lead', lead, null, headers)).status).toBe(200);
  return String(lead.lead_id);
}

async function storyOf(id: string) {
  const { db, pool } = site.database;
  return readStory(db, await findLead(pool, id));
}

/** Returns the state of one delivery once it is no longer in progress. */
async function stateOf(id: string, destination: string) {
  const read = async () =>
    (await storyOf(id)).deliveries.find((each) => each.destination === destination);
  await expect.poll(async () => (await read())?.state).not.toMatch(/^(waiting|sending|retrying)$/);
  return read();
}

async function newestLead() {
  const [lead] = await site.database.db
    .selectFrom('leads')
    .select(['id', 'survey', 'flow', 'state'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .execute();
  if (!lead) throw new Error('there is no lead');
  return lead;
}

const contactForm = (changes: Record<string, string> = {}) => ({
  typeOfAccident: 'Truck Accident',
  firstName: 'Maria',
  lastName: 'Sandoval',
  email: `${randomUUID()}@mail.example`,
  phoneNumber: `(212) 555-${String(Math.floor(1_000 + Math.random() * 9_000))}`,
  message: 'Who pays for my car?',
  consent_version: currentConsent('en', 'Your Claim Guide').version,
  ...changes,
});

describe('the contact form without a script', () => {
  test('is stored, sent with the form’s campaign, and answered with its page', async () => {
    const form = contactForm();
    const answer = await postForm('/contact/', form);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/contact/?sent=1#form']);
    const { id, ...lead } = await newestLead();
    expect(lead).toMatchObject({ survey: '/contact/', flow: 'contact', state: 'accepted' });
    expect(await stateOf(id, 'contact')).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(outside.sandbox.violations()).toEqual([]);
    const [sent] = outside.sandbox.received('contact');
    expect(sent?.body).toMatchObject({
      lp_campaign_id: outside.sandbox.credentials.contactCampaignId,
      type_of_accident: 'Truck Accident',
      first_name: 'Maria',
      phone: form.phoneNumber.replace(/\D/g, ''),
      message: form.message,
    });
    expect(outside.sandbox.received('ingest')).toEqual([]);
    // Pressing the button twice makes one lead.
    expect((await postForm('/contact/', form)).status).toBe(303);
    expect((await newestLead()).id).toBe(id);
    expect((await storyOf(id)).revisions).toHaveLength(1);
  });

  test('returns with the typed values if it is invalid, and its correction is the same lead', async () => {
    const form = contactForm();
    const refused = await postForm('/contact/', { ...form, email: 'maria"at' });
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([422, 'no-store']);
    expect(refused.headers.get('etag')).toBeNull();
    const [, lead_id = '', lead_secret = '', email, wrong] = (await refused.text()).split('|');
    expect([email, wrong]).toEqual(['maria&quot;at', ' wrong']);
    expect((await storyOf(lead_id)).lead.state).toBe('held');
    expect((await postForm('/contact/', { ...form, lead_id, lead_secret })).status).toBe(303);
    const { lead, revisions, deliveries } = await storyOf(lead_id);
    expect([lead.state, revisions.length]).toEqual(['accepted', 2]);
    expect(deliveries.map(({ destination }) => destination)).toContain('contact');
    expect(await stateOf(lead_id, 'contact')).toMatchObject({ state: 'delivered' });
  });
});

test.each(['/contact/', '/do-not-sell/'])(
  'a form for %s is refused and stored nowhere if it is empty or comes from another site',
  async (path) => {
    const stored = async () => {
      const { rows } = await site.database.pool.query(
        'select id::text from leads union all select id::text from opt_out_requests order by 1',
      );
      return rows;
    };
    const before = await stored();
    expect((await postForm(path, {})).status).toBe(422);
    const foreign = { 'sec-fetch-site': 'cross-site' };
    expect((await postForm(path, contactForm(), foreign)).status).toBe(403);
    expect(await stored()).toEqual(before);
  },
);

test('a do-not-sell request is confirmed and recorded, stops what is unsent, and keeps back a later lead', async () => {
  const who = {
    email: `${randomUUID()}@mail.example`,
    phone: `212555${Math.floor(1_000 + Math.random() * 9_000)}`,
  };
  outside.sandbox.fail({ service: 'ingest', mode: '429', retry_after: 600 });
  const earlier = await postLead(freshLead(who));
  const stateNow = async () =>
    (await storyOf(earlier)).deliveries.find(({ destination }) => destination === 'ingest')?.state;
  await expect.poll(stateNow).toBe('retrying');
  const form = { email: who.email, name: 'Ann', state: 'CA' };
  const answer = await postForm('/do-not-sell/', form, { 'sec-gpc': '1' });
  expect(answer.status).toBe(200);
  // It confirms what was given, and nothing else.
  const page = (await answer.text()).split('|');
  const confirmed = new RegExp(`^[\\dA-F]{12} ${who.email}$`);
  expect(page.slice(4, 7)).toEqual(['', ' done', expect.stringMatching(confirmed)]);
  const { rows } = await site.database.pool.query('select * from opt_out_requests');
  expect(rows).toMatchObject([{ ...form, phone: '', leads: 1, sec_gpc: true }]);
  expect(await stateOf(earlier, 'ingest')).toMatchObject({ state: 'suppressed' });
  expect((await storyOf(earlier)).events).toMatchObject([
    {
      kind: 'suppressed',
      actor: expect.stringMatching(/^a do-not-sell request \([\dA-F]{12}\)$/),
    },
  ]);
  const later = await postLead(freshLead(who));
  expect(await stateOf(later, 'ingest')).toMatchObject({
    state: 'suppressed',
    attempts: 0,
    end_reason: 'listed',
  });
  expect((await storyOf(later)).is_suppressed).toBe(true);
});

test('the opt-out signal withholds nothing from the firms and stays with its lead', async () => {
  const who = { email: `${randomUUID()}@mail.example`, phone: '2125550188' };
  const first = await postLead(freshLead(who), { 'sec-gpc': '1' });
  const later = await postLead(freshLead(who));
  for (const id of [first, later]) {
    expect(await stateOf(id, 'ingest')).toMatchObject({ attempts: 1 });
  }
  const sent = JSON.stringify(outside.sandbox.received('ingest'));
  for (const id of [first, later]) expect(sent).toContain(id);
  expect((await storyOf(first)).lead.sec_gpc).toBe(true);
  expect((await storyOf(later)).lead.sec_gpc).toBe(false);
});
