/** Tests POST /post-lead and POST /api/save-data with a real database. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { publishedTcpa } from '../support/consent.ts';
import { personKey } from '../support/person-keys.ts';
import { freshLead, freshProgress, serverForTests } from '../support/server.ts';

const lines: string[] = [];
const site = serverForTests(undefined, {
  log: pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }),
});
const { post } = site;

async function rowsOf(id: unknown) {
  const rows = await site.leadOf(id);
  const due = rows.deliveries.filter(({ state, due_at }) => state === 'waiting' && due_at !== null);
  return { ...rows, due: due.length };
}

describe('a posted lead', () => {
  it('is stored completely before the server answers', async () => {
    const body = freshLead();
    expect(await post('/post-lead', body)).toMatchObject({
      status: 200,
      body: { lead_id: body.lead_id, revision: 1, qualified: 'yes', dq_reason: '' },
    });
    const rows = await rowsOf(body.lead_id);
    expect(rows.lead).toMatchObject({
      survey: '/survey/v4nv',
      flow: 'v4',
      state: 'accepted',
      revision: 1,
      qualified: true,
      sec_gpc: false,
      claims_id: null,
      ip: '127.0.0.1',
      user_agent: 'TestBrowser/1.0',
    });
    expect(rows.revisions).toMatchObject([
      {
        revision: 1,
        body,
        merged: null,
        problems: [],
        fields: { state: 'NY', phone: '2125550123', ip_address: '127.0.0.1' },
        email_key: personKey('email', 'maria.sandoval@mail.example'),
        phone_key: personKey('phone', '2125550123'),
      },
    ]);
    expect(rows.consents).toMatchObject([
      {
        text: publishedTcpa().tcpa,
        version: publishedTcpa().consent_version,
        language: 'en',
        text_sha256: expect.any(String),
        shown_at: expect.any(Date),
        given_at: expect.any(Date),
        ip: '127.0.0.1',
      },
    ]);
    expect(rows.clicks).toMatchObject([{ id: body.ef_transaction_id, params: { gclid: 'x' } }]);
    expect(rows.deliveries).toMatchObject([{ destination: 'ingest', state: 'waiting' }]);
    expect(rows.due).toBe(1);
  });

  it('has one delivery, even if the lead is posted many times', async () => {
    for (let round = 0; round < 3; round += 1) {
      const body = freshLead();
      const answers = await Promise.all(Array.from({ length: 12 }, () => post('/post-lead', body)));
      // A repeated post may change only the time of the visit's last contact.
      const { visits: _, ...rows } = await site.everythingOf(body.lead_id);
      answers.push(await post('/post-lead', body));
      expect(new Set(answers.map((each) => JSON.stringify([each.status, each.body]))).size).toBe(1);
      expect(await site.everythingOf(body.lead_id)).toMatchObject(rows);
      expect([rows.lead_revisions?.length, rows.deliveries?.length]).toEqual([1, 1]);
    }
  });

  it('gets one revision for each different body that is posted concurrently', async () => {
    const id = randomUUID();
    const bodies = Array.from({ length: 8 }, (_, n) =>
      freshLead({ lead_id: id, sub_id2: `tab-${n}` }),
    );
    const posts = [...bodies, ...bodies].map((body) => post('/post-lead', body));
    const answers = await Promise.all(posts);
    expect(answers.map((answer) => answer.status)).toEqual(posts.map(() => 200));
    const rows = await rowsOf(id);
    expect(rows.revisions.map((row) => row.revision)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(rows.lead?.revision).toBe(8);
    expect([rows.deliveries.length, rows.due]).toEqual([1, 1]);
  });

  it('is merged with a later post of the same lead id', async () => {
    const body = freshLead();
    await post('/post-lead', body);
    await site.database.pool.query(
      `update deliveries set state = 'delivered', attempts = 1, due_at = null where lead_id = $1`,
      [body.lead_id],
    );
    const later = {
      lead_id: body.lead_id,
      email: 'other@mail.example',
      phone: '',
      with_Lawyer: 'yes',
      interested_in_psf: 'no',
    };
    expect(await post('/post-lead', later)).toMatchObject({
      status: 200,
      body: { revision: 2, qualified: 'no', dq_reason: 'have_attorney|yes' },
    });
    const rows = await rowsOf(body.lead_id);
    expect(rows.lead).toMatchObject({ revision: 2, survey: '/survey/v4nv' });
    expect(rows.last).toMatchObject({
      revision: 2,
      email_key: personKey('email', 'other@mail.example'),
      fields: { email: 'other@mail.example', phone: '2125550123' },
    });
    expect(rows.revisions).toMatchObject([{ body }, { body: later }]);
    expect(rows.consents).toHaveLength(1);
    expect(rows.deliveries).toMatchObject([{ state: 'delivered' }]);
    expect(rows.due).toBe(0);
  });
});

describe('saved progress', () => {
  const session = (leadId: string, more = {}) => freshProgress(leadId, more).session;
  const entry = (seq: number) => ({ ...freshProgress('').data[0], seq, step: `Step${seq}` });
  const bothTrue = { userBackupStatus: true, userProgressionStatus: true };

  it('is stored once, even if the browser sends the same steps many times', async () => {
    const id = randomUUID();
    const body = { session: session(id), data: [entry(1), entry(2), { seq: 'bad' }] };
    const answers = await Promise.all([1, 2, 3].map(() => post('/api/save-data', body)));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: bothTrue });
    await post('/api/save-data', { session: session(id), data: [entry(2), entry(3)] });
    const { progress, clicks } = await rowsOf(id);
    expect(progress.map((row) => [row.seq, row.step]).sort()).toEqual([
      [1, 'Step1'],
      [2, 'Step2'],
      [3, 'Step3'],
    ]);
    expect(clicks).toMatchObject([{ params: { s1: 'abc' } }]);
  });

  it('adds the ad click’s parameters to a lead that was posted before', async () => {
    const id = randomUUID();
    await post(
      '/post-lead',
      freshLead({ lead_id: id, ef_transaction_id: '', landing_page: '', gclid: 'x' }),
    );
    await post('/api/save-data', { session: session(id), data: [] });
    const { clicks } = await rowsOf(id);
    expect(clicks).toMatchObject([
      {
        landing_page: 'https://claims.example.com/survey/v4nv',
        params: { gclid: 'x', s1: 'abc' },
      },
    ]);
  });
});
