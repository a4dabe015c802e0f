/** Tests that only the browser with a lead's secret can change the lead. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { LeadProblem } from '../../src/model/lead/lead-record.ts';
import { erase } from '../../src/server/privacy/erase.ts';
import { publishedTcpa } from '../support/consent.ts';
import { hashOfSecret, strangersSecret, testSecret } from '../support/leads.ts';
import { people } from '../support/person-keys.ts';
import { sandboxForTests } from '../support/sandbox-http.ts';
import { freshLead, freshProgress, serverForTests, type TestAnswer } from '../support/server.ts';

const outside = sandboxForTests();
const site = serverForTests(() => ({
  MAPPING_URL: outside.sandbox.url,
  BUYERS_URL: outside.sandbox.url,
  OUTGOING_PRIVATE_NETWORKS: 'allow',
}));
const { post, everythingOf, leadOf } = site;

const survey = '/survey/v6';
const lead = (overrides: Record<string, unknown> = {}) =>
  freshLead({ survey, ...publishedTcpa('abbreviated'), ...overrides });

type Secret = string | null;
type Contact = (id: string, secret: Secret) => Promise<TestAnswer>;

/** Maps a short name to a call with which a browser can begin a visit. */
const contacts: Readonly<Record<string, Contact>> = {
  save: (id, secret) => post('/api/save-data', freshProgress(id, { survey }), secret),
  mapping: (id, secret) =>
    post('/api/mapping', { lead_id: id, survey, affid: 1, oid: 160 }, secret),
  buyers: (id, secret) => {
    const click = { ef_transaction_id: '0123456789abcdef0123456789abcdef' };
    return post('/api/buyers', { ...click, lead_id: id, survey, zip_code: '10001' }, secret);
  },
  post: (id, secret) => post('/post-lead', lead({ lead_id: id, first_name: 'Owner' }), secret),
};
const names = Object.keys(contacts);
const others: readonly (readonly [string, Secret])[] = [
  ['another secret', strangersSecret],
  ['no secret', null],
  ['an empty secret', ''],
];

/** Returns the server's answer to this body if no other lead exists. */
async function asFirstPost(body: Record<string, unknown>): Promise<TestAnswer['body']> {
  const answer = await post('/post-lead', { ...body, lead_id: randomUUID() });
  return { ...answer.body, lead_id: body.lead_id };
}

describe.each(names)('a lead whose visit begins with the call %s', (first) => {
  it('belongs to the browser that made that call', async () => {
    const id = randomUUID();
    expect((await contacts[first]?.(id, testSecret))?.status).toBe(200);
    const { visit } = await leadOf(id);
    expect(visit?.secret_sha256).toBe(hashOfSecret(testSecret));
    expect(JSON.stringify(await everythingOf(id))).not.toContain(testSecret);

    expect((await contacts.save?.(id, testSecret))?.body.userProgressionStatus).toBe(true);
    expect((await contacts.mapping?.(id, testSecret))?.body).toEqual({ mapped: true });
    expect((await contacts.buyers?.(id, testSecret))?.body).toMatchObject({ consent: 'yes' });
    const own = lead({ lead_id: id, ...publishedTcpa('buyers'), sub_id2: 'own' });
    const answer = await post('/post-lead', own);
    expect(answer.body).toMatchObject({ lead_id: id, revision: first === 'post' ? 2 : 1 });
    const stored = await leadOf(id);
    expect(stored.lead).toMatchObject({ claims_id: null, state: 'accepted' });
    expect(stored.last).toMatchObject({
      body: { sub_id2: 'own' },
      fields: { '1_to_1_consent': 'yes', displayed_buyers: expect.stringContaining('Sandbox') },
    });
    expect(stored.visit?.account).toMatchObject({ key: outside.sandbox.credentials.lpKey });
    expect(Object.keys(stored.visit?.offers ?? {})).toEqual(['10001']);
    expect((await everythingOf(id)).progress).toHaveLength(1);
    expect(stored.claims).toEqual([]);
  });

  it.each(others)(
    'cannot be changed by a caller without the secret of the visit',
    async (_, secret) => {
      const id = randomUUID();
      await contacts[first]?.(id, testSecret);
      const { lead_checks: _checks, ...before } = await everythingOf(id);
      const saved = await post('/api/save-data', freshProgress(id, { referer: 'x' }), secret);
      expect(saved).toMatchObject({
        status: 200,
        body: { userBackupStatus: true, userProgressionStatus: true },
      });
      expect((await contacts.mapping?.(id, secret))?.body).toEqual({ mapped: false });
      expect((await contacts.buyers?.(id, secret))?.body).toEqual({
        consent: 'no',
        timeout: 'no',
        buyers: [],
      });
      const body = lead({ lead_id: id, first_name: 'Stranger', at_Fault: 'yes' });
      const answer = await post('/post-lead', body, secret);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(await asFirstPost(body));
      const { lead_checks: checks = [], ...after } = await everythingOf(id);
      expect(after).toEqual(before);
      // A check must not be recorded if a caller without the right secret requested the check.
      const ownChecks = first === 'mapping' || first === 'buyers' ? 1 : 0;
      expect(checks.length).toBeLessThanOrEqual(ownChecks);

      const { claims } = await leadOf(id);
      expect(claims).toMatchObject([
        { state: 'held', revision: 1, claims_id: id, qualified: false },
      ]);
      const claim = await leadOf(claims[0]?.id);
      expect(claim.lead?.id).not.toBe(id);
      expect(claim.visit?.secret_sha256).toBeNull();
      expect(claim.visit?.account).toBeNull();
      expect(claim.revisions).toMatchObject([
        { body, merged: null, fields: { first_name: 'Stranger', '1_to_1_consent': 'no' } },
      ]);
      const holds = claim.last?.problems.filter((each) => (each as LeadProblem).problem === 'held');
      expect(holds).toEqual([{ problem: 'held', reason: 'unproven_claim' }]);
      expect(claim.deliveries).toMatchObject([{ state: 'held', due_at: null }]);
    },
  );
});

describe('an unauthorized post', () => {
  it('gets the same answer as the first post of a lead', async () => {
    const body = lead();
    await post('/post-lead', body);
    await post('/post-lead', { ...body, sub_id2: 'again' });
    const bodies = [
      { lead_id: body.lead_id },
      { lead_id: body.lead_id, with_Lawyer: 'yes', interested_in_psf: 'no' },
      body,
      { ...body, at_Fault: 'yes' },
      { ...body, survey: '/survey/none' },
    ];
    for (const each of bodies) {
      const answer = await post('/post-lead', each, strangersSecret);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(await asFirstPost(each));
      expect(answer.body.revision).toBe(1);
    }
    expect((await leadOf(body.lead_id)).claims).toHaveLength(5);
  });

  it('is stored only once if the post is repeated', async () => {
    const body = lead();
    await post('/post-lead', body);
    const claim = { ...body, first_name: 'Stranger' };
    const first = await post('/post-lead', claim, strangersSecret);
    const { claims } = await leadOf(body.lead_id);
    const before = await everythingOf(claims[0]?.id);
    const shuffled = Object.fromEntries(Object.entries(claim).reverse());
    const again = await Promise.all([
      post('/post-lead', claim, strangersSecret),
      post('/post-lead', shuffled, strangersSecret),
      post('/post-lead', claim, null),
    ]);
    for (const answer of again) expect(answer.body).toEqual(first.body);
    expect((await leadOf(body.lead_id)).claims).toEqual(claims);
    expect(await everythingOf(claims[0]?.id)).toEqual(before);
  });

  it('is refused after twenty unauthorized posts to the same lead', async () => {
    const body = lead();
    await post('/post-lead', body);
    const before = await everythingOf(body.lead_id);
    const answers = await Promise.all(
      Array.from({ length: 28 }, (_, n) =>
        post('/post-lead', { ...body, sub_id2: `claim-${n}` }, strangersSecret),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(8);
    for (const each of refused) {
      expect(each).toMatchObject({ status: 429, body: { reason: 'too_many_posts' } });
    }
    expect((await leadOf(body.lead_id)).claims).toHaveLength(20);
    expect(await everythingOf(body.lead_id)).toEqual(before);
    expect((await post('/post-lead', { ...body, sub_id2: 'own' })).body.revision).toBe(2);
  });
});

it.each(['save', 'mapping', 'buyers'])(
  'a visit that began without a secret never gets an owner (first call: %s)',
  async (first) => {
    const id = randomUUID();
    await contacts[first]?.(id, null);
    expect((await leadOf(id)).visit?.secret_sha256).toBeNull();
    const body = lead({ lead_id: id });
    expect((await post('/post-lead', body)).body).toEqual(await asFirstPost(body));
    const stored = await leadOf(id);
    expect(stored.lead).toBeUndefined();
    expect(stored.visit?.secret_sha256).toBeNull();
    expect(stored.claims).toMatchObject([{ state: 'held' }]);
    await post('/post-lead', lead({ lead_id: id, first_name: 'Partner' }), null);
    expect((await leadOf(id)).revisions).toMatchObject([{ body: { first_name: 'Partner' } }]);
  },
);

describe('a partner’s system that posts without a secret', () => {
  it('gets the same answer to a repeated post', async () => {
    const body = lead();
    const first = await post('/post-lead', body, null);
    expect(first).toMatchObject({ status: 200, body: { revision: 1 } });
    const { lead: stored, visit } = await leadOf(body.lead_id);
    expect(stored).toMatchObject({ state: 'accepted', claims_id: null });
    expect(visit?.secret_sha256).toBeNull();
    const before = await everythingOf(body.lead_id);
    expect((await post('/post-lead', body, null)).body).toEqual(first.body);
    const after = await everythingOf(body.lead_id);
    expect({ ...after, visits: before.visits }).toEqual(before);
    expect((await leadOf(body.lead_id)).claims).toEqual([]);
  });

  it.each<[string, Secret]>([
    ['without a secret', null],
    ['with a secret', testSecret],
  ])('cannot change a posted lead with another post %s', async (_, secret) => {
    const body = lead();
    await post('/post-lead', body, null);
    const before = await everythingOf(body.lead_id);
    const later = { ...body, phone: '2125550199' };
    expect((await post('/post-lead', later, secret)).body).toEqual(await asFirstPost(later));
    expect((await leadOf(body.lead_id)).claims).toMatchObject([{ state: 'held' }]);
    await contacts.save?.(String(body.lead_id), testSecret);
    expect((await contacts.mapping?.(String(body.lead_id), testSecret))?.body.mapped).toBe(false);
    // The second post may change only the time of the visit's last contact.
    const after = await everythingOf(body.lead_id);
    expect({ ...after, visits: before.visits }).toEqual(before);
    expect((await leadOf(body.lead_id)).visit).toMatchObject({
      secret_sha256: null,
      account: null,
    });
  });
});

it('a post to an erased lead is held as a separate lead', async () => {
  const body = lead();
  const { lead_id } = body;
  const first = await post('/post-lead', body);
  await erase(people(site.database.pool), String(lead_id), 'tester');
  const before = await everythingOf(lead_id);
  const later = { ...body, sub_id2: 'later' };
  expect((await post('/post-lead', later)).body).toEqual(await asFirstPost(later));
  expect((await post('/post-lead', body)).body).toEqual(first.body);
  expect((await leadOf(lead_id)).claims).toMatchObject([{ state: 'held' }]);
  expect(await everythingOf(lead_id)).toEqual(before);
});

it('two browsers that concurrently post the same lead id never write to the same lead', async () => {
  for (let round = 0; round < 3; round += 1) {
    const id = randomUUID();
    const bodies = Array.from({ length: 12 }, (_, n) =>
      lead({ lead_id: id, first_name: n % 2 === 0 ? 'Owner' : 'Stranger', sub_id2: `post-${n}` }),
    );
    const answers = await Promise.all(
      bodies.map((body, n) => post('/post-lead', body, n % 2 === 0 ? testSecret : strangersSecret)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { visit, revisions, claims, deliveries } = await leadOf(id);
    const isOwners = visit?.secret_sha256 === hashOfSecret(testSecret);
    expect(visit?.secret_sha256).toBe(hashOfSecret(isOwners ? testSecret : strangersSecret));
    const winner = isOwners ? 'Owner' : 'Stranger';
    expect(revisions.map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const { body, merged } of revisions) {
      expect(body.first_name).toBe(winner);
      expect((merged ?? body).first_name).toBe(winner);
    }
    expect(deliveries).toMatchObject([{ state: 'waiting' }]);
    expect(claims).toHaveLength(6);
    expect(new Set(claims.map(({ state }) => state))).toEqual(new Set(['held']));
    const { rows } = await site.database.pool.query<{ first_name: string }>(
      `select r.body->>'first_name' as first_name from lead_revisions r
       join leads l on l.id = r.lead_id where l.claims_id = $1`,
      [id],
    );
    expect(new Set(rows.map((row) => row.first_name))).toEqual(
      new Set([isOwners ? 'Stranger' : 'Owner']),
    );
  }
});
