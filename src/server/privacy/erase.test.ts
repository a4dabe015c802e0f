import { describe, expect, test } from 'vitest';
import { purgeOnce } from '../../../tests/support/job-clock.ts';
import { testVisitor } from '../../../tests/support/leads.ts';
import {
  ana,
  anasBrowser,
  anasNumberAsked,
  blockedBy,
  clearLedger,
  dumpOf,
  emailKey,
  keepDays,
  phoneKey,
  seedLead,
  seedVisit,
} from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { people, personKey } from '../../../tests/support/person-keys.ts';
import type { FormVisit } from '../../model/visit/form-visit.ts';
import { createFormVisitStore } from '../leads/form-visits.ts';
import { readHistory } from '../leads/lead-history.ts';
import { erase } from './erase.ts';
import { createTakeOptOut } from './opt-out.ts';

const { pool } = await databaseForTests(clearLedger);

const other = { ...ana, first_name: 'Bea', email: 'bea@mail.example', phone: '7375550199' };
/** All spellings of the personal data of Ana, whose leads the tests erase. */
const traces = [
  ...Object.values(ana),
  '(512) 555-0123',
  '512-555-0123',
  '+15125550123',
  ...Object.values(anasBrowser),
  'https://example.com/?',
];

describe('An erasure', () => {
  test('by e-mail address removes every personal value from all tables', async () => {
    const delivered = { state: 'delivered', revision: 1, externalId: 'LP-1' };
    const id = await seedLead(pool, {
      revisions: [ana, { ...ana, phone: '5125550123', city: 'Dripping Springs' }],
      deliveries: [delivered, { destination: 'other', state: 'waiting' }],
      account: { campaignId: 'c', supplierId: 's', key: 'secret' },
    });
    const changed = await seedLead(pool, {
      revisions: [ana, { email: 'new@mail.example' }],
      deliveries: [{ state: 'uncertain', revision: 1, mayHaveArrived: true }],
    });
    const visit = await seedVisit(pool, { email: ` ${ana.email.toUpperCase()} ` });
    expect(await dumpOf(pool)).toContain(ana.address);
    const [posted] = (await readHistory(pool, id)).revisions;

    const erased = await erase(people(pool), ` ${ana.email.toLowerCase()} `, 'tester');
    expect(new Set(erased.leads)).toEqual(new Set([id, changed]));
    expect(erased.visits).toEqual([visit]);
    const told = erased.receipts.filter(({ destination }) => destination === 'ingest');
    expect(told).toMatchObject([
      { lead_id: id, external_id: 'LP-1' },
      { lead_id: changed, state: 'uncertain' },
    ]);
    const asked = erased.receipts.filter(({ destination }) => destination === 'phone');
    expect(new Set(asked.map(({ lead_id }) => lead_id))).toEqual(new Set([id, changed, visit]));
    const dump = (await dumpOf(pool)).toLowerCase();
    for (const value of [...traces, anasNumberAsked, 'new@mail.example', 'secret']) {
      expect(dump, value).not.toContain(value.toLowerCase());
    }
    for (const key of [emailKey(ana.email), phoneKey(ana.phone)]) {
      expect(dump).not.toContain(key.toLowerCase());
    }

    const history = await readHistory(pool, id);
    expect(history.lead).toMatchObject({ state: 'erased', erased_at: expect.any(Date) });
    expect(history.deliveries).toMatchObject([
      { destination: 'ingest', state: 'delivered', external_id: 'LP-1' },
      { destination: 'other', state: 'suppressed', due_at: null },
    ]);
    expect(history.deliveries[0]?.log[0]).toMatchObject({
      sent_sha256: null,
      outcome: 'delivered',
    });
    const [first] = history.revisions;
    expect(first).toMatchObject({
      body: {},
      body_sha256: '',
      change: { answer: { qualified: 'yes' }, fields: [] },
    });
    // If a post to an erased lead is repeated, the server recognizes it by this keyed hash.
    expect(dump).toContain(personKey('post', posted?.body_sha256 ?? '').toLowerCase());
    expect(history.consents[0]).toMatchObject({ text_sha256: 'hash-of-the-text', text: '' });
    expect(history.events).toMatchObject([
      {
        kind: 'erased',
        actor: 'tester',
        detail: {
          revisions: [{ revision: 1 }, { revision: 2 }],
          deliveries: [
            { destination: 'ingest', state: 'delivered', external_id: 'LP-1' },
            { destination: 'other', state: 'waiting' },
          ],
        },
      },
    ]);
    await expect(erase(people(pool), ana.email, 'tester')).rejects.toThrow(
      'no lead, visit or request',
    );
  });

  test.each([
    ['anadiaz+claims@googlemail.com', 'Ana.Diaz@gmail.com'],
    [ana.email, `\u200e${ana.email}\u202c`],
    [ana.email, `${ana.email}\u00a0\ufeff`],
  ])('includes a visit whose e-mail address is spelled differently', async (asked, answered) => {
    const visit = await seedVisit(pool, { email: answered });
    expect(await erase(people(pool), asked, 'tester')).toMatchObject({ visits: [visit] });
  });

  const { save } = createFormVisitStore(pool, personKey);
  const keepForm = (leadId: string, form: object) =>
    save({ leadId, secretSha256: 'secret' }, {
      visit: { session: { survey: '/survey/v4nv' } },
      seq: 0,
      ...form,
    } as unknown as FormVisit);
  test('includes visits whose saved form contains the person’s e-mail address or phone number', async () => {
    const forms = [
      { state: { drafts: { NameAndEmail: { email: ` ${ana.email.toUpperCase()}` } } } },
      { state: { errors: {}, drafts: {}, given: { NameAndEmail: { email: ana.email } } } },
      { state: {}, more: { email: ana.email } },
      { state: { drafts: { PhoneAndZip: { phone: '(512) 555-0123' } } }, more: {} },
      { state: { drafts: { A: { email: 'someone.else@mail.example' } } } },
    ];
    const ids: string[] = [];
    for (const form of forms) {
      const id = await seedVisit(pool, {});
      ids.push(id);
      await pool.query(`update visits set secret_sha256 = 'secret' where lead_id = $1`, [id]);
      await keepForm(id, form);
    }
    const { visits } = await erase(people(pool), ana.email, 'tester');
    expect(new Set(visits)).toEqual(new Set(ids.slice(0, 3)));
    expect(await erase(people(pool), '512 555 0123', 'tester')).toMatchObject({ visits: [ids[3]] });
    const { rows } = await pool.query(
      'select lead_id, form_keys from visits where form is not null or form_keys is not null',
    );
    expect(rows).toEqual([{ lead_id: ids[4], form_keys: [emailKey('someone.else@mail.example')] }]);
    await expect(erase(people(pool), ana.email, 'tester')).rejects.toThrow('no lead, visit');
  });

  test('removes the personal data of a do-not-sell request without a lead or visit', async () => {
    const limits = { perAddressPerHour: 0, alertPerHour: 0 };
    const take = createTakeOptOut(people(pool), limits, () => undefined);
    await take({ email: ana.email, name: 'Ana' }, 'en', testVisitor);
    const erasing = () => erase(people(pool), ana.email, 'tester');
    expect(await erasing()).toMatchObject({ leads: [], visits: [], requests: 1 });
    await expect(erasing()).rejects.toThrow('no lead, visit or request');
    const { rows } = await pool.query(
      'select name, email, state, ip, email_key from opt_out_requests',
    );
    expect(rows).toEqual([{ name: '', email: '', state: '', ip: null, email_key: null }]);
  });

  test('removes personal data that was posted as survey, language or consent version', async () => {
    const id = await seedLead(pool);
    for (const change of [
      'update visits set survey = $2 where lead_id = $1',
      `update leads set survey = $2, language = $2, flow = '' where id = $1`,
      'update consents set version = $2, language = $2 where lead_id = $1',
    ]) {
      await pool.query(change, [id, ana.address]);
    }
    await erase(people(pool), ana.email, 'tester');
    expect(await dumpOf(pool)).not.toContain(ana.address);
  });

  test.each(['5125550123', '+1 512-555-0123'])(
    'by the phone number %s includes the lead',
    async (written) => {
      const id = await seedLead(pool);
      const left = await seedLead(pool, { revisions: [other] });
      const visits = [
        await seedVisit(pool, { phone: '(512) 555-0123' }),
        await seedVisit(pool, { phoneNumber: '+1 512 555 0123' }),
      ];
      const visitLeft = await seedVisit(pool, { phone: '(737) 555-0199' });
      const erased = await erase(people(pool), written, 'tester');
      expect(erased.leads).toEqual([id]);
      expect(new Set(erased.visits)).toEqual(new Set(visits));
      const { rows } = await pool.query('select lead_id from visits where erased_at is null');
      expect(new Set(rows.map((row) => row.lead_id))).toEqual(new Set([left, visitLeft]));
    },
  );

  test('by lead id includes separate leads from posts without the lead’s secret', async () => {
    const id = await seedLead(pool);
    const unauthorized = await seedLead(pool, { claimsId: id, state: 'held' });
    const foreign = await seedLead(pool, { claimsId: id, state: 'held', revisions: [other] });
    const another = await seedLead(pool, { revisions: [{ ...other, phone: ana.phone }] });
    const erased = await erase(people(pool), id.slice(0, 18), 'tester');
    expect(new Set(erased.leads)).toEqual(new Set([id, unauthorized]));
    expect(erased.others).toEqual([another]);
    const { rows } = await pool.query(`select id from leads where state <> 'erased'`);
    expect(new Set(rows.map((row) => row.id))).toEqual(new Set([foreign, another]));
  });

  test('by e-mail address includes a lead whose saved step contains the e-mail address', async () => {
    const id = await seedLead(pool, { revisions: [other] });
    const left = await seedLead(pool, { revisions: [other] });
    await pool.query(
      'update progress set answers = answers || $2, contact_keys = $3 where lead_id = $1',
      [id, JSON.stringify({ email: ana.email }), [emailKey(ana.email)]],
    );
    const erased = await erase(people(pool), ana.email, 'tester');
    expect(erased).toMatchObject({ leads: [id], visits: [], others: [left] });
    expect(await dumpOf(pool)).not.toContain(ana.email);
  });

  test('removes the consents of a lead whose retention period has ended', async () => {
    const id = await seedLead(pool, { createdAt: '2026-01-01T00:00:00Z' });
    const keep = { ...keepDays, visits: 1, leads: 1, clicks: 1, attempts: 1 };
    await purgeOnce(pool, keep, new Date('2026-02-01T00:00:00Z'));
    expect(await dumpOf(pool)).toContain(ana.last_name);
    expect(await erase(people(pool), ana.email, 'tester')).toMatchObject({ leads: [id] });
    const dump = await dumpOf(pool);
    for (const value of traces) expect(dump, value).not.toContain(value);
  });

  const eraseAna = () => erase(people(pool), ana.email, 'tester');

  test('includes a visit that becomes a lead while the erasure waits for a lock', async () => {
    const visit = await seedVisit(pool, { email: ana.email });
    const erased = await blockedBy(pool, eraseAna, [
      ['update visits set seen_at = now() where lead_id = $1', [visit]],
      [
        `insert into leads (id, survey, flow, language, qualified, lead_is_qualified, do_not_send_to_dq,
           user_agent)
         values ($1, '/survey/v4nv', 'v4', 'en', true, true, 'no', $2)`,
        [visit, anasBrowser.userAgent],
      ],
    ]);
    expect(erased).toMatchObject({ leads: [visit], visits: [] });
    expect(await dumpOf(pool)).not.toContain(anasBrowser.userAgent);
  });

  const DELIVER = `update deliveries set state = 'delivered', due_at = null, finished_at = now()`;

  test('lists a destination that receives the lead while the erasure waits for a lock', async () => {
    const id = await seedLead(pool, { deliveries: [{ state: 'waiting' }] });
    const { receipts } = await blockedBy(pool, eraseAna, [[DELIVER]]);
    expect(receipts).toContainEqual(
      expect.objectContaining({ lead_id: id, destination: 'ingest', state: 'delivered' }),
    );
  });

  test('lists all recipients of the lead', async () => {
    const id = await seedLead(pool, { deliveries: [{ state: 'delivered', revision: 1 }] });
    const visit = await seedVisit(pool, { email: ana.email });
    await pool.query('update visits set mirrored_at = now()');
    await pool.query(
      `insert into deliveries (id, lead_id, destination, state, event_key, event)
       values (gen_random_uuid(), $1, 'webhook', 'delivered', 'delivery.delivered 1', '{}')`,
      [id],
    );
    const { receipts } = await erase(people(pool), ana.email, 'tester');
    const named = receipts.map(({ lead_id, destination, is_personal }) =>
      [destination, lead_id === visit ? 'visit' : 'lead', is_personal].join(' '),
    );
    expect(new Set(named)).toEqual(
      new Set([
        'ingest lead true',
        'phone lead true',
        'phone visit true',
        'save_data lead true',
        'save_data visit true',
        'webhook lead false',
      ]),
    );
  });

  test('is refused while a delivery of the lead is being sent', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const id = await seedLead(pool, {
      deliveries: [{ state: 'sending', revision: 1, dueAt: soon }],
    });
    await expect(erase(people(pool), id, 'tester')).rejects.toThrow('try again in a minute');
    await pool.query(`update deliveries set due_at = now() - interval '1 s'`);
    await erase(people(pool), id, 'tester');
    const { rows } = await pool.query('select state, may_have_arrived from deliveries');
    expect(rows).toEqual([{ state: 'suppressed', may_have_arrived: true }]);
  });
});
