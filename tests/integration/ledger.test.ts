/** Revisions are immutable; a lead has limits; some leads are held. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { surveys as surveyRows } from '../../src/flows/surveys.ts';
import { bodySha256 } from '../../src/intake/body-hash.ts';
import { loadSurveyTable } from '../../src/intake/survey-table.ts';
import { resendDelivery } from '../../src/server/delivery/changes.ts';
import { release } from '../../src/server/operators/release.ts';
import { readRulesVersion } from '../../src/server/wiring/rules-version.ts';
import { publishedTcpa } from '../support/consent.ts';
import { strangersSecret, testSecret } from '../support/leads.ts';
import { freshLead as lead, serverForTests, type TestAnswer } from '../support/server.ts';

const site = serverForTests();
const { post, everythingOf, leadOf } = site;

const unknownFields = (count: number, prefix = 'unknown') =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}_${n}`, 'x']));

function expectPutOff(answer: TestAnswer, reason: string): void {
  expect(answer).toMatchObject({ status: 429, body: { status: 429, reason } });
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe('a revision', () => {
  it('is never changed by a later one, and is complete by itself', async () => {
    const first = lead({ favourite_colour: 'red', sub_id2: 'one' });
    const { lead_id } = first;
    const second = { lead_id, email: 'two@mail.example', phone: '', with_Lawyer: 'yes' };
    const third = { lead_id, interested_in_psf: 'no', email: null, sub_id2: 'three', extra: ['a'] };
    const before: string[][] = [];
    for (const body of [first, second, third]) {
      expect((await post('/post-lead', body)).body.revision).toBe(before.length + 1);
      before.push((await everythingOf(lead_id)).lead_revisions ?? []);
    }
    const after = new Set(before[2]);
    for (const row of [...(before[0] ?? []), ...(before[1] ?? [])]) {
      expect(after.has(row)).toBe(true);
    }

    const { revisions, lead: summary } = await leadOf(lead_id);
    const [one, two, three] = revisions;
    expect(revisions.map(({ body }) => body)).toEqual([first, second, third]);
    expect(revisions.map((each) => each.body_sha256)).toEqual(
      [first, second, third].map((body) => bodySha256(body)),
    );
    expect(one?.merged).toBeNull();
    const merged = { ...first, email: 'two@mail.example', with_Lawyer: 'yes' };
    expect(two?.merged).toEqual(merged);
    expect(three?.merged).toEqual({
      ...merged,
      interested_in_psf: 'no',
      sub_id2: 'three',
      extra: ['a'],
    });
    expect(revisions.map((each) => each.fields.email)).toEqual([
      'Maria.Sandoval@mail.example',
      'two@mail.example',
      'two@mail.example',
    ]);
    // Each revision has its own decision and its own changes.
    const decisionsOf = revisions.map((each) => JSON.stringify(each.decisions));
    expect(new Set(decisionsOf).size).toBe(3);
    expect(revisions.map((each) => each.answers.with_Lawyer)).toEqual(['no', 'yes', 'yes']);
    expect(revisions.map((each) => each.change)).toEqual([
      { answer: { qualified: 'yes', dq_reason: '' }, fields: [] },
      {
        answer: { qualified: 'no', dq_reason: 'have_attorney|yes' },
        fields: ['email', 'with_Lawyer'],
      },
      {
        answer: { qualified: 'no', dq_reason: 'have_attorney|yes' },
        fields: ['extra', 'interested_in_psf', 'sub_id2'],
      },
    ]);
    expect(one?.email_key).not.toBe(two?.email_key);
    // The lead row shows the newest revision.
    expect(summary).toMatchObject({
      revision: 3,
      qualified: false,
      dq_reason: 'have_attorney|yes',
      email_key: three?.email_key,
      phone_key: three?.phone_key,
    });
  });

  it('names the rules and the flow that decided', async () => {
    const body = lead();
    await post('/post-lead', body);
    await post('/post-lead', { ...body, sub_id2: 'x' });
    const { revisions } = await leadOf(body.lead_id);
    const table = await loadSurveyTable(surveyRows);
    const { rows } = await site.database.pool.query('select * from rule_versions');
    expect(rows).toHaveLength(1);
    expect(rows[0].files).toEqual((await readRulesVersion({})).files);
    expect(rows[0].settings).toMatchObject({
      dateOfBirthStates: ['AL', 'NE'],
      limitation: 'coded',
      timeZone: 'America/New_York',
      companyName: 'Your Claim Guide',
      formerCompanyNames: [],
      surveys: expect.arrayContaining([expect.objectContaining({ path: '/survey/v4nv' })]),
    });
    for (const each of revisions) {
      expect(each.rules_version).toBe(rows[0].version);
      expect(each.flow_version).toBe(table('/survey/v4nv')?.flowVersion);
    }
    const unknown = lead({ survey: '/survey/none' });
    await post('/post-lead', unknown);
    expect((await leadOf(unknown.lead_id)).last).toMatchObject({
      rules_version: rows[0].version,
      flow_version: '',
    });
  });
});

describe('beyond the limits of one lead', () => {
  it('the 21st revision is refused; the 20th is still answered as before', async () => {
    const body = lead();
    const bodyOf = (n: number) => ({ ...body, sub_id2: `post-${n}` });
    const answers = [];
    for (let n = 1; n <= 20; n += 1) answers.push(await post('/post-lead', bodyOf(n)));
    expect(answers.map((answer) => answer.body.revision)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    );
    const before = await everythingOf(body.lead_id);
    expectPutOff(await post('/post-lead', bodyOf(21)), 'too_many_posts');
    for (const n of [20, 1]) {
      expect(await post('/post-lead', bodyOf(n))).toMatchObject({
        status: 200,
        body: answers[n - 1]?.body,
      });
    }
    const { visits: _, ...after } = await everythingOf(body.lead_id);
    expect({ ...after, visits: before.visits }).toEqual(before);
  });

  it('racing posts add no revision over the limit', async () => {
    const body = lead();
    const answers = await Promise.all(
      Array.from({ length: 26 }, (_, n) => post('/post-lead', { ...body, sub_id2: `post-${n}` })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
    expect((await leadOf(body.lead_id)).revisions).toHaveLength(20);
  });

  it('201 unknown fields in one body are refused, 200 are not', async () => {
    const body = lead(unknownFields(200));
    expect((await post('/post-lead', body)).status).toBe(200);
    expect((await leadOf(body.lead_id)).last?.body).toEqual(body);
    const more = lead(unknownFields(201));
    expectPutOff(await post('/post-lead', more), 'too_many_fields');
    expect(await everythingOf(more.lead_id)).toMatchObject({ visits: [], leads: [] });
  });

  it('201 unknown fields in the merged bodies are refused', async () => {
    const body = lead(unknownFields(150));
    await post('/post-lead', body);
    const { lead_id } = body;
    const before = await everythingOf(lead_id);
    const answer = await post('/post-lead', { lead_id, ...unknownFields(51, 'other') });
    expectPutOff(answer, 'too_many_fields');
    expect((await everythingOf(lead_id)).lead_revisions).toEqual(before.lead_revisions);
    const fits = { lead_id, ...unknownFields(50, 'other'), ...unknownFields(150) };
    expect((await post('/post-lead', fits)).body.revision).toBe(2);
  });

  it('a buyer list for an 11th zip code is refused; a known zip code is not', async () => {
    const lead_id = randomUUID();
    const listBuyers = (zip: number, secret: string | null = testSecret) =>
      post('/api/buyers', { lead_id, survey: '/survey/v6', zip_code: String(zip) }, secret);
    for (let zip = 10001; zip <= 10010; zip += 1) expect((await listBuyers(zip)).status).toBe(200);
    const before = (await leadOf(lead_id)).visit?.offers;
    expect(Object.keys(before ?? {})).toHaveLength(10);
    expectPutOff(await listBuyers(10011), 'too_many_offers');
    expect(await listBuyers(10003)).toMatchObject({ status: 200, body: { consent: 'yes' } });
    expect((await leadOf(lead_id)).visit?.offers).toEqual(before);
    // A stranger cannot tell how many buyer lists there are.
    expect(await listBuyers(10011, strangersSecret)).toMatchObject({
      status: 200,
      body: { consent: 'no', buyers: [] },
    });
  });

  it('the 31st post in a minute of one id and secret is refused', async () => {
    const body = lead();
    const statuses = [];
    for (let n = 0; n < 30; n += 1) statuses.push((await post('/post-lead', body)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await post('/post-lead', body);
    expectPutOff(refused, 'too_many_posts');
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    // Strangers under the same id, and the same browser's next lead, are counted separately.
    expect((await post('/post-lead', body, strangersSecret)).status).toBe(200);
    expect((await post('/post-lead', lead())).status).toBe(200);
  });
});

/** Invalid consents by the mark that they get. */
const badConsents: readonly (readonly [string, Record<string, unknown>])[] = [
  ['consent_unknown_version', { consent_version: '2020-01-01' }],
  ['consent_unknown_version', { consent_version: '' }],
  ['consent_other_text', { tcpa: 'By pressing the button I agree.' }],
  ['consent_other_text', publishedTcpa('abbreviated')],
  ['consent_before_text', { consent_shown_at: '2026-11-01T12:00:00Z' }],
  ['consent_in_future', { consent_shown_at: '2099-11-01T12:00:00Z' }],
];

describe('an invalid consent', () => {
  it.each(badConsents)('holds the lead: %s %o', async (reason, given) => {
    const body = lead(given);
    expect((await post('/post-lead', body)).status).toBe(200);
    const held = await leadOf(body.lead_id);
    expect(held.lead?.state).toBe('held');
    expect(held.last?.problems).toContainEqual({ problem: 'held', reason });
    expect(held.deliveries).toMatchObject([{ state: 'held', due_at: null }]);
    const consent = await site.database.db
      .selectFrom('consents')
      .selectAll()
      .where('lead_id', '=', String(body.lead_id))
      .executeTakeFirstOrThrow();
    expect([consent.text, consent.version]).toEqual([body.tcpa, body.consent_version]);

    await post('/post-lead', { ...lead(), lead_id: body.lead_id });
    const freed = await leadOf(body.lead_id);
    expect(freed.lead).toMatchObject({ state: 'accepted', revision: 2 });
    expect(freed.deliveries).toMatchObject([{ state: 'waiting', due_at: expect.any(Date) }]);
    expect(freed.deliveries[0]?.id).toBe(held.deliveries[0]?.id);
  });

  it('holds an accepted lead whose delivery is unclaimed, until a valid consent comes', async () => {
    const body = lead();
    const { lead_id } = body;
    await post('/post-lead', body);
    const [delivery] = (await leadOf(lead_id)).deliveries;
    expect(delivery).toMatchObject({ state: 'waiting', due_at: expect.any(Date) });
    await post('/post-lead', { lead_id, tcpa: 'I agree to everything.' });
    const held = await leadOf(lead_id);
    expect(held.lead).toMatchObject({ state: 'held', revision: 2 });
    expect(held.deliveries).toMatchObject([{ id: delivery?.id, state: 'held', due_at: null }]);
    await post('/post-lead', { lead_id, ...publishedTcpa() });
    const freed = await leadOf(lead_id);
    expect(freed.lead).toMatchObject({ state: 'accepted', revision: 3 });
    expect(freed.deliveries).toMatchObject([
      { id: delivery?.id, state: 'waiting', due_at: expect.any(Date) },
    ]);
  });

  it('holds a resent lead and judges it by its newest revision', async () => {
    const { pool } = site.database;
    const body = lead();
    const { lead_id } = body;
    await post('/post-lead', body);
    const { rows } = await pool.query<{ id: string }>(
      `update deliveries set state = 'dead', attempts = 20, revision = 1 where lead_id = $1 returning id`,
      [lead_id],
    );
    await resendDelivery(pool, String(rows[0]?.id));
    await post('/post-lead', { lead_id, tcpa: 'I agree to everything.' });
    expect((await leadOf(lead_id)).deliveries).toMatchObject([{ state: 'held', due_at: null }]);
    await post('/post-lead', { lead_id, ...publishedTcpa() });
    expect((await leadOf(lead_id)).deliveries).toMatchObject([{ state: 'waiting' }]);
  });

  it.each([
    ['sending', 1],
    ['retrying', 1],
    ['delivered', 1],
    ['dead', 1],
    // An operator has resent it.
    ['waiting', 1],
    ['no_destination', 0],
    ['suppressed', 0],
  ])('does not move a delivery that is %s with %i attempts', async (state, attempts) => {
    const body = lead();
    const { lead_id } = body;
    await post('/post-lead', body);
    await site.database.pool.query(
      'update deliveries set state = $2, attempts = $3, revision = $4 where lead_id = $1',
      [lead_id, state, attempts, attempts || null],
    );
    const before = (await everythingOf(lead_id)).deliveries;
    await post('/post-lead', { lead_id, tcpa: 'I agree to everything.' });
    await post('/post-lead', { lead_id, ...publishedTcpa() });
    expect((await everythingOf(lead_id)).deliveries).toEqual(before);
  });
});

describe('a held lead that an operator released', () => {
  const reasonsOf = (last: { problems: unknown } | undefined) =>
    ((last?.problems ?? []) as { problem: string; reason: string }[]).flatMap(
      ({ problem, reason }) => (problem === 'held' ? [reason] : []),
    );

  it('stays released and marked, but is held again for a new reason', async () => {
    const body = lead({ phone: '' });
    const { lead_id } = body;
    await post('/post-lead', body);
    expect((await leadOf(lead_id)).lead?.state).toBe('held');
    const { pool } = site.database;
    expect(await release(pool, String(lead_id), 'tester')).toEqual({
      revision: 1,
      reasons: ['no_usable_phone'],
      deliveries: 1,
    });
    await post('/post-lead', { lead_id, sub_id2: 'x' });
    const same = await leadOf(lead_id);
    expect(same.lead).toMatchObject({ state: 'accepted', revision: 2 });
    expect(reasonsOf(same.last)).toEqual(['no_usable_phone']);
    expect(same.deliveries).toMatchObject([{ state: 'waiting', due_at: expect.any(Date) }]);

    await post('/post-lead', { lead_id, tcpa: 'I agree to everything.' });
    await post('/post-lead', { lead_id, sub_id2: 'y' });
    const invented = await leadOf(lead_id);
    expect(invented.lead).toMatchObject({ state: 'held', revision: 4 });
    expect(reasonsOf(invented.last)).toEqual([
      'no_usable_phone',
      expect.stringMatching(/^consent_/),
    ]);
    expect(invented.deliveries).toMatchObject([{ state: 'held', due_at: null }]);
    await expect(release(pool, String(lead_id), 'tester', 1)).rejects.toThrow('look at it');
  });
});
