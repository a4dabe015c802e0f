import { expect, test } from 'vitest';
import { turnFor } from '../../../tests/support/job-clock.ts';
import { ana, clearLedger, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { seededRandom } from '../../../tests/support/seeded-random.ts';
import type { BuyerTerms } from '../../model/rules/buyer-terms.ts';
import { saveBuyer } from '../delivery/index.ts';
import { matchOutcomes, type NewOutcome, readOutcome, takeOutcomes } from './outcomes.ts';
import { decideReturn, listOutcomes } from './returns.ts';

const { pool } = await databaseForTests(async (own) => {
  await clearLedger(own);
  await own.query('truncate money_entries, outcomes, buyers, cost_rates, visit_summaries');
  await saveBuyer(own, 'ingest', terms, 'tester');
});
const now = new Date('2026-11-28T12:00:00Z');

const terms: BuyerTerms = {
  name: 'Smith & Sons',
  isOn: true,
  priority: 1,
  weight: 1,
  sharedBy: 1,
  states: [],
  timeZone: 'America/New_York',
  hours: [],
  caps: [],
  prices: [
    { from: '2026-01-01', amount: 50, owedAt: 'delivery' },
    { from: '2026-01-01', amount: 500, owedAt: 'signed' },
    { from: '2026-01-01', state: 'TX', amount: 700.1, owedAt: 'signed' },
  ],
  returns: { days: 7, mostPercent: 10, reasons: ['bad_contact', 'duplicate'] },
};
/** A listener that gets every event. */
const listeners = [
  { name: 'webhook', events: ['lead.signed', 'lead.returned'], appliesTo: () => true },
] as const;
const ofIngest = { destination: 'ingest', source: 'webhook', actor: 'ingest', listeners } as const;
const take = (outcomes: readonly NewOutcome[], by: Partial<typeof ofIngest> = {}) =>
  takeOutcomes(pool, outcomes, { ...ofIngest, ...by });
const outcome = (
  id: string,
  reference: string,
  more: Record<string, unknown> = {},
): NewOutcome => ({
  id,
  ...readOutcome({ lead_id: reference, outcome: 'signed', ...more }, now),
});
const rows = async (text: string, ...values: unknown[]) => (await pool.query(text, values)).rows;
const ledger = () =>
  rows(
    `select key, kind, amount::text, lead_id, delivery_id, destination, source, reason from money_entries order by key`,
  );
const events = () =>
  rows(
    `select destination, event_key, event from deliveries where event is not null order by event_key`,
  );

/** Stores leads that `ingest` got and paid 50 dollars for. Returns their ids and delivery ids. */
async function soldLeads(count: number, { state = 'TX', isTest = false } = {}) {
  const { rows: leads } = await pool.query<{ id: string; delivery: string }>(
    `with l as (
       insert into leads (id, survey, flow, language, qualified, lead_is_qualified, do_not_send_to_dq, is_test)
       select gen_random_uuid(), '/survey/v4nv', 'v4', 'en', true, true, 'no', $3 from generate_series(1, $1)
       returning id
     ), r as (
       insert into lead_revisions (lead_id, revision, body, fields)
       select id, 1, '{}', json_build_object('state', $2::text) from l
     ), d as (
       insert into deliveries (id, lead_id, destination, state, chosen_at, price, external_id, finished_at)
       select gen_random_uuid(), id, 'ingest', 'delivered', '2026-11-20T12:00Z', 50, 'LP-' || id, '2026-11-20T12:00Z'
       from l returning id, lead_id
     ), m as (
       insert into money_entries (id, key, kind, amount, currency, at, lead_id, delivery_id, destination, source, actor)
       select gen_random_uuid(), 'sale ' || id, 'sale', 50, 'USD', now(), lead_id, id, 'ingest', 'terms', 'delivery'
       from d where not $3
     )
     select lead_id as id, id as delivery from d`,
    [count, state, isTest],
  );
  return leads;
}

test('an outcome is read, or refused by a sentence that does not quote it', () => {
  const read = (more: Record<string, unknown>) =>
    readOutcome({ lead_id: 'LP-1', outcome: 'signed', ...more }, now);
  expect(read({ at: now.toISOString().slice(0, 10) }).at <= now).toBe(true);
  expect(read({ amount: 1250.5, at: '2026-11-20' })).toEqual({
    reference: 'LP-1',
    kind: 'signed',
    reason: '',
    amount: 1250.5,
    at: new Date('2026-11-20T12:00:00Z'),
  });
  expect(
    readOutcome({ external_id: 7, outcome: 'declined', reason: 'at_fault' }, now),
  ).toMatchObject({
    reference: '7',
    reason: 'at_fault',
    at: now,
  });
  for (const [more, word] of [
    [{ lead_id: 'ana@mail.example' }, 'lead_id'],
    [{ lead_id: '512-555-0100' }, 'lead_id'],
    [{ lead_id: {} }, 'lead_id'],
    [{ outcome: 'constructor' }, 'outcome'],
    [{ outcome: 'returned' }, 'reason'],
    [{ reason: 'bored' }, 'reason'],
    [{ amount: '12,5' }, 'amount'],
    [{ amount: -1 }, 'amount'],
    [{ at: '2026-02-30' }, 'at'],
    [{ at: '2026-11-20T25:00:00Z' }, 'at'],
    [{ at: '2026-12-24' }, 'future'],
  ] as const) {
    expect(() => read(more), JSON.stringify(more)).toThrow(word);
  }
  for (const given of [undefined, null, 7, 'signed', [], [[]]]) {
    expect(() => readOutcome(given, now)).toThrow('lead_id');
  }
});

test('a signed lead is a sale by the terms of its state, once, and is told to the listeners', async () => {
  const [texan] = await soldLeads(1);
  const [other] = await soldLeads(1, { state: 'OH' });
  const [tested] = await soldLeads(1, { isTest: true });
  if (!texan || !other || !tested) throw new Error('no leads');
  const messages = [
    outcome('a', texan.id),
    outcome('b', `LP-${other.id}`),
    outcome('c', tested.id),
    outcome('d', texan.id.toUpperCase(), { outcome: 'settled', amount: 90_000 }),
    outcome('e', 'LP-nobody'),
  ];
  expect(await take(messages)).toEqual({ stored: 5, repeated: 0, unknown: 1 });
  expect(await take(messages)).toEqual({ stored: 0, repeated: 5, unknown: 0 });
  expect(await take([outcome('f', texan.id)])).toEqual({ stored: 1, repeated: 0, unknown: 0 });
  const sales = (await ledger()).filter(({ source }) => source === 'outcome');
  expect(sales.map(({ key, amount }) => [key, amount]).sort()).toEqual(
    [
      [`signed ${texan.delivery}`, '700.1000'],
      [`signed ${other.delivery}`, '500.0000'],
    ].sort(),
  );
  const told = await events();
  expect(told.map(({ event }) => event.value).sort()).toEqual([500, 700.1, null]);
  expect(told[0]?.event).toMatchObject({
    type: 'lead.signed',
    destination: 'ingest',
    currency: 'USD',
  });
});

test('a buyer reports only on leads that it got; a dry run stores nothing', async () => {
  const [lead] = await soldLeads(1);
  const open = await seedLead(pool, { deliveries: [{ state: 'waiting', externalId: 'LP-9' }] });
  const messages = [outcome('a', lead?.id ?? ''), outcome('b', open), outcome('c', 'LP-9')];
  const others = { ...ofIngest, destination: 'exchange', listeners: [] };
  expect(await takeOutcomes(pool, messages, others)).toMatchObject({ unknown: 3 });
  expect(await takeOutcomes(pool, messages, { ...ofIngest, isDryRun: true })).toEqual({
    stored: 0,
    repeated: 3,
    unknown: 0,
  });
  const fresh = [outcome('A', lead?.id ?? ''), outcome('B', open)];
  expect(await takeOutcomes(pool, fresh, { ...ofIngest, isDryRun: true })).toEqual({
    stored: 2,
    repeated: 0,
    unknown: 1,
  });
  expect(await rows(`select from outcomes where destination = 'ingest'`)).toEqual([]);
});

test('an unknown outcome is matched once its delivery has ended', async () => {
  const id = await seedLead(pool, {
    revisions: [{ ...ana, state: 'TX' }],
    deliveries: [{ state: 'sending', externalId: 'LP-7' }],
  });
  await take([
    outcome('a', 'LP-7'),
    outcome('b', id, { outcome: 'contacted' }),
    outcome('c', 'LP-8'),
    outcome('d', 'LP-7'),
  ]);
  await pool.query(`update outcomes set received_at = now() - interval '8 days' where id = 'd'`);
  const turn = turnFor(pool, 'outcomes');
  expect(await matchOutcomes(turn, listeners)).toBe(0);
  await pool.query(
    `update deliveries set state = 'delivered', finished_at = now() where lead_id = $1`,
    [id],
  );
  expect(await matchOutcomes(turn, listeners)).toBe(2);
  expect(await matchOutcomes(turn, listeners)).toBe(0);
  expect(await ledger()).toMatchObject([{ amount: '700.1000', lead_id: id }]);
  const { outcomes } = await listOutcomes(pool, 'unknown', { limit: 5 });
  expect(outcomes).toMatchObject([
    { id: 'c', buyer: 'Smith & Sons', reference: 'LP-8', kind: 'signed' },
    { id: 'd' },
  ]);
});

test('a return is compared with the terms, and an accepted one takes back the sale once', async () => {
  const leads = await soldLeads(20);
  const [one, two, three] = leads.map(({ id }) => id);
  if (!one || !two || !three) throw new Error('no leads');
  await pool.query(
    `insert into visit_summaries (lead_id, began_at, survey, language, source)
     select id, created_at, survey, language, 'google' from leads where id = $1`,
    [one],
  );
  const returned = (id: string, lead: string, reason: string, at: string) =>
    outcome(id, lead, { outcome: 'returned', reason, at });
  const byImport = { ...ofIngest, source: 'import' } as const;
  const messages = [
    returned('a', one, 'bad_contact', '2026-11-24T12:00:00Z'),
    returned('b', two, 'other', '2026-11-27T13:00:00Z'),
    returned('c', one, 'duplicate', '2026-11-25'),
  ];
  await takeOutcomes(pool, messages, byImport);
  await take([outcome('d', one)]);
  const open = await listOutcomes(pool, 'open', { limit: 5 });
  expect(open).toMatchObject({ next: null });
  expect(open.outcomes).toMatchObject([
    {
      buyer: 'Smith & Sons',
      leadId: one,
      amount: 750.1,
      source: 'google',
      terms: { isReasonAccepted: true, days: 4, mostDays: 7, percent: 5, mostPercent: 10 },
    },
    { leadId: two, amount: 50, terms: { isReasonAccepted: false, days: 7 } },
    { leadId: one, reason: 'duplicate' },
  ]);
  const by = {
    actor: 'ann',
    reason: 'the number is dead',
    listeners,
    decision: 'accepted',
  } as const;
  // Both messages are about the same lead: one of the two decisions comes too late.
  const decisions = await Promise.allSettled(
    ['a', 'c'].map((id) => decideReturn(pool, { ...by, id, leadId: one })),
  );
  expect(decisions.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await decideReturn(pool, { ...by, id: 'b', leadId: two, decision: 'refused' });
  await expect(decideReturn(pool, { ...by, id: 'b', leadId: two })).rejects.toThrow('decided');
  await expect(decideReturn(pool, { ...by, id: 'd', leadId: one })).rejects.toThrow('no such');
  const back = (await ledger()).filter(({ kind }) => kind === 'return');
  expect(back).toMatchObject([{ amount: '-750.1000', lead_id: one, source: 'operator' }]);
  expect((await events()).map(({ event }) => [event.type, event.value])).toEqual([
    ['lead.returned', 750.1],
    ['lead.signed', 700.1],
  ]);
  const page = await listOutcomes(pool, 'decided', { limit: 1 });
  const rest = await listOutcomes(pool, 'decided', { limit: 5, after: page.next ?? '' });
  expect([...page.outcomes, ...rest.outcomes].map(({ id }) => id)).toEqual(['b', 'c', 'a']);
  expect(rest.outcomes[0]).toMatchObject({
    decision: 'accepted',
    decidedBy: 'ann',
    terms: { percent: 5 },
  });
});

test('only the return of the last buyer of a shared lead takes back the payout of the sale', async () => {
  const [lead] = await soldLeads(1);
  if (!lead) throw new Error('no lead');
  const { rows: copies } = await pool.query<{ id: string }>(
    `with d as (
       insert into deliveries (id, lead_id, destination, state, chosen_at, finished_at)
       values (gen_random_uuid(), $1, 'ingest/smith', 'delivered', now(), now()) returning id, lead_id
     ), paid as (
       insert into money_entries (id, key, kind, amount, currency, at, lead_id, source, actor)
       select gen_random_uuid(), 'rate source ' || per || ' ' || $1, 'payout', -5, 'USD', now(), $1, 'rate', 'counting'
       from unnest('{lead,sale}'::text[]) as per
     ), sold as (
       insert into money_entries (id, key, kind, amount, currency, at, lead_id, delivery_id, destination, source, actor)
       select gen_random_uuid(), 'sale ' || id, 'sale', 80, 'USD', now(), lead_id, id, 'ingest/smith', 'terms', 'delivery' from d
     )
     select id from d`,
    [lead.id],
  );
  expect(copies).toHaveLength(1);
  const message = { outcome: 'returned', reason: 'duplicate' };
  await take([outcome('a', lead.id, message)]);
  await takeOutcomes(pool, [outcome('b', lead.id, message)], {
    ...ofIngest,
    destination: 'ingest/smith',
  });
  const by = {
    leadId: lead.id,
    actor: 'ann',
    reason: 'yes',
    decision: 'accepted',
    listeners,
  } as const;
  const sums = async () =>
    rows(`select kind, sum(amount)::text as sum from money_entries group by kind order by kind`);
  await decideReturn(pool, { ...by, id: 'a' });
  expect(await sums()).toMatchObject([
    { sum: '-10.0000' },
    { sum: '-50.0000' },
    { sum: '130.0000' },
  ]);
  await decideReturn(pool, { ...by, id: 'b' });
  expect(await sums()).toMatchObject([
    { sum: '-5.0000' },
    { sum: '-130.0000' },
    { sum: '130.0000' },
  ]);
  const told = await events();
  expect(told.map(({ event }) => event.is_kept).sort()).toEqual([false, true]);
});

test('1,000 messages in random order, repeated and unknown ones too, give the same ledger each time', async () => {
  const random = seededRandom('outcomes');
  const shuffled = <Item>(items: readonly Item[]) =>
    items
      .map((item) => [random.next(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  const leads = [...(await soldLeads(150)), ...(await soldLeads(150, { state: 'OH' }))];
  // These outcomes come before our worker has stored that the buyer took the lead.
  const early = leads.slice(0, 25).map(({ delivery }) => delivery);
  const messages = leads.flatMap(({ id }, index) => {
    const reference = index % 2 ? id : `LP-${id}`;
    const second =
      index % 3 ? { outcome: 'signed' } : { outcome: 'returned', reason: 'bad_contact' };
    const third = index % 6 ? { outcome: 'settled', amount: index } : {};
    return [
      outcome(`${index} 0`, reference, { outcome: 'contacted' }),
      outcome(`${index} 1`, reference, second),
      outcome(`${index} 2`, index % 6 ? reference : 'LP-unknown', third),
    ];
  });
  expect(messages.filter(({ reference }) => reference === 'LP-unknown')).toHaveLength(50);
  const before = await ledger();
  const seen: unknown[] = [];
  for (let run = 0; run < 3; run += 1) {
    await pool.query(`truncate outcomes`);
    await pool.query(`delete from money_entries where source in ('outcome', 'operator')`);
    await pool.query(`delete from deliveries where event is not null`);
    await pool.query(`update deliveries set state = 'sending' where id = any($1)`, [early]);
    const sent = shuffled([...messages, ...shuffled(messages).slice(0, 100)]);
    expect(sent).toHaveLength(1_000);
    const parts: NewOutcome[][] = [];
    while (sent.length > 0) parts.push(sent.splice(0, random.integer(1, 100)));
    const half = Math.floor(parts.length / 2);
    await Promise.all(parts.slice(0, half).map((part) => take(part)));
    await pool.query(`update deliveries set state = 'delivered' where id = any($1)`, [early]);
    const match = () => matchOutcomes(turnFor(pool, 'outcomes'), listeners);
    await Promise.all([match(), ...parts.slice(half).map((part) => take(part))]);
    await match();
    const { outcomes: returns } = await listOutcomes(pool, 'open', { limit: 200 });
    expect(returns).toHaveLength(100);
    const by = { actor: 'ann', reason: 'yes', listeners, decision: 'accepted' } as const;
    // Each is accepted twice, as by two operators at once.
    const asked = shuffled([...returns, ...returns]);
    await Promise.allSettled(
      asked.map(({ id, leadId }) => decideReturn(pool, { ...by, id, leadId })),
    );
    const { rows: unknown } = await pool.query('select from outcomes where lead_id is null');
    expect(unknown).toHaveLength(50);
    const told = (await events()).map(({ event_key, event }) => [event_key, event.value]);
    seen.push({ ledger: await ledger(), told });
  }
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
  const of = (prefix: string, amount: string, chosen: typeof leads) =>
    chosen.map(({ delivery }) => ({ key: `${prefix} ${delivery}`, amount }));
  const isSigned = (_: unknown, index: number) => index % 3 !== 0;
  const texans = leads.slice(0, 150).filter(isSigned);
  const others = leads.slice(150).filter(isSigned);
  const expected = [
    ...before.map(({ key, amount }) => ({ key, amount })),
    ...of('signed', '700.1000', texans),
    ...of('signed', '500.0000', others),
    ...of(
      'return',
      '-50.0000',
      leads.filter((_, index) => index % 3 === 0),
    ),
  ];
  const made = (await ledger()).map(({ key, amount }) => ({ key, amount }));
  expect(made).toEqual(expected.sort((a, b) => (a.key < b.key ? -1 : 1)));
});
