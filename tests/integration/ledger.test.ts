import { describe, expect, it } from 'vitest';
import { bodySha256 } from '../../src/model/lead/body.ts';
import { publishedTcpa } from '../support/consent.ts';
import { resendDelivery } from '../support/delivery.ts';
import { freshLead as lead, serverForTests } from '../support/server.ts';

const site = serverForTests();
const { post, everythingOf, leadOf } = site;

it('a new revision has the merged fields of all earlier posts', async () => {
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
  const decisionsOf = revisions.map((each) => JSON.stringify(each.decisions));
  expect(new Set(decisionsOf).size).toBe(3);
  expect(revisions.map(({ merged, body }) => (merged ?? body).with_Lawyer)).toEqual([
    'no',
    'yes',
    'yes',
  ]);
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
  expect(summary).toMatchObject({ revision: 3, qualified: false, dq_reason: 'have_attorney|yes' });
});

it('concurrent posts create at most twenty revisions of a lead', async () => {
  const body = lead();
  const answers = await Promise.all(
    Array.from({ length: 26 }, (_, n) => post('/post-lead', { ...body, sub_id2: `post-${n}` })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(20).fill(200), ...Array(6).fill(429)]);
  const { revisions } = await leadOf(body.lead_id);
  expect(revisions).toHaveLength(20);
  const again = await post('/post-lead', revisions[19]?.body ?? {});
  expect(again).toMatchObject({ status: 200, body: { revision: 20 } });
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body).toMatchObject({ status: 429, reason: 'too_many_posts' });
  expect(refused?.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
});

describe('an invalid consent', () => {
  it('holds a lead until a valid consent is posted', async () => {
    const body = lead({ tcpa: 'By pressing the button I agree.' });
    const { lead_id } = body;
    expect((await post('/post-lead', body)).status).toBe(200);
    const held = await leadOf(lead_id);
    expect(held.lead?.state).toBe('held');
    expect(held.last?.problems).toContainEqual({ problem: 'held', reason: 'consent_other_text' });
    expect(held.deliveries).toMatchObject([{ state: 'held', due_at: null }]);
    const { rows } = await site.database.pool.query(
      'select text, version from consents where lead_id = $1',
      [lead_id],
    );
    expect(rows).toEqual([{ text: body.tcpa, version: body.consent_version }]);

    await post('/post-lead', { ...lead(), lead_id });
    const freed = await leadOf(lead_id);
    expect(freed.lead).toMatchObject({ state: 'accepted', revision: 2 });
    const waiting = { id: held.deliveries[0]?.id, state: 'waiting', due_at: expect.any(Date) };
    expect(freed.deliveries).toMatchObject([waiting]);

    // An invalid consent must hold a delivery that no worker has leased yet.
    await post('/post-lead', { lead_id, tcpa: 'I agree to everything.' });
    const again = await leadOf(lead_id);
    expect(again.lead).toMatchObject({ state: 'held', revision: 3 });
    expect(again.deliveries).toMatchObject([{ id: waiting.id, state: 'held', due_at: null }]);
  });

  it('holds a lead even if an operator has resent the lead', async () => {
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
});
