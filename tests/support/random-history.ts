/** Makes random histories of visits and leads through the real writers. */
import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import { exchange } from '../../src/server/destinations/exchange.ts';
import { ingest } from '../../src/server/destinations/ingest.ts';
import { webhook } from '../../src/server/destinations/webhook.ts';
import { erase } from '../../src/server/operators/erase.ts';
import { OperatorError } from '../../src/server/operators/operator-error.ts';
import { release } from '../../src/server/operators/release.ts';
import { resend } from '../../src/server/operators/resend.ts';
import { suppress } from '../../src/server/operators/suppress.ts';
import { createProgressStore } from '../../src/server/storage/leads-progress.ts';
import { createLeadsStore } from '../../src/server/storage/leads-store.ts';
import { hashOfSecret, testAcceptLead, testLead } from './leads.ts';
import { people, personKey } from './person-keys.ts';
import type { SeededRandom } from './seeded-random.ts';

type Visit = {
  readonly id: string;
  readonly secretSha256: string;
  readonly survey: string;
  readonly params: Readonly<Record<string, string>>;
  readonly userAgent: string;
  readonly variants: string;
  seq: number;
  at: string;
  /** Entries that are sent later. */
  late: Entry[];
};
type Entry = {
  seq: number;
  kind: string;
  step: string;
  answers: Record<string, string>;
  refused: string | null;
  seconds: number | null;
};

const choices = {
  survey: ['/survey/v4nv', '/survey/v4nv', '/survey-sl', '/made/up'],
  userAgent: [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Mobile/15E148',
    'Mozilla/5.0 (Linux; Android 15; Pixel) Mobile Safari',
    'Mozilla/5.0 (Linux; Android 14; SM-X200) Safari',
    'Mozilla/5.0 (X11; Linux x86_64) Chrome/140',
    '',
  ],
  variants: ['', 'buttons.plain', 'buttons.rounded', 'buttons.rounded~theme.paper'],
  params: [
    {},
    { utm_source: ' Google ', utm_campaign: 'Spring', sub2: 'x' },
    { utm_source: 'ana@mail.example', gclid: 'Cj0KCQ-12345' },
    { utm_source: '5125550123', fbclid: 'IwAR0abcdef' },
    { utm_source: '{campaign}', s1: 'mail.7', affid: '252' },
    { sub1: '1', affid: '5125550123' },
    { s1: 'undefined', lp_action: 'Test' },
  ],
  step: ['StartPath', 'AtFault', 'WhenWasTheAccident', 'PhoneAndZip', 'NameAndEmail', 'Nowhere'],
  answers: [{}, { at_Fault: 'no' }, { state: 'TX' }, { state_accident_occurred: 'CA' }],
  refused: ['phone', 'phone,zip_code', ''],
  end: ['retrying', 'delivered', 'delivered', 'rejected', 'dead', 'uncertain'],
} as const;

/** Creates a history on a database. Each call of `happen` does one random thing. */
export function randomHistory(pool: pg.Pool, random: SeededRandom) {
  const one = <Value>(values: readonly Value[]) =>
    values[random.integer(0, values.length)] as Value;
  const progress = createProgressStore(pool, personKey);
  const { post } = testAcceptLead({
    leadStore: createLeadsStore({ pool, wake: () => undefined }),
    destinations: [
      { definition: ingest, values: {} },
      { definition: exchange, values: {} },
      { definition: webhook, values: { WEBHOOK_EVENTS: ['lead.accepted', 'lead.revised'] } },
    ],
  });
  const visits: Visit[] = [];

  async function save(visit: Visit, entries: readonly Entry[]): Promise<void> {
    const { id, survey, params, userAgent, variants, secretSha256 } = visit;
    await progress.save(
      {
        ...{ id: id.replaceAll('-', ''), leadId: id, survey, landingPage: '', params, referer: '' },
        ...{ ip: '203.0.113.9', userAgent, secGpc: false, variants },
      },
      entries.map((entry) => ({ ...entry, leadId: id, survey, at: null })),
      secretSha256,
    );
  }

  const entry = (visit: Visit, kind: string, more: Partial<Entry> = {}): Entry => {
    visit.seq += 1;
    const of = { seq: visit.seq, kind, step: visit.at, answers: {}, refused: null, seconds: null };
    return { ...of, ...more };
  };

  async function begin(): Promise<void> {
    const id = uuid();
    const visit: Visit = {
      ...{ id, secretSha256: hashOfSecret(id), survey: one(choices.survey) },
      ...{ params: one<Record<string, string>>(choices.params), userAgent: one(choices.userAgent) },
      ...{ variants: one(choices.variants), seq: 0, at: 'StartPath', late: [] },
    };
    // It began some hours ago: a look-up was its first contact.
    await pool.query(
      `insert into visits (lead_id, secret_sha256, survey, created_at)
       values ($1, $2, $3, now() - $4::integer * interval '1 minute')`,
      [id, visit.secretSha256, visit.survey, random.integer(0, 400)],
    );
    visits.push(visit);
    await save(visit, [entry(visit, 'viewed')]);
  }

  async function step(visit: Visit): Promise<void> {
    const kind = one([
      'answered',
      'answered',
      'answered',
      'back',
      'refused',
      'submitted',
      'failed',
      'strange',
    ]);
    const seconds = kind === 'refused' ? null : random.integer(0, 400);
    const entries = [
      entry(visit, kind, {
        ...{ answers: one<Record<string, string>>(choices.answers), seconds },
        refused: kind === 'refused' ? one(choices.refused) : null,
      }),
    ];
    if (kind === 'answered' || kind === 'back') {
      visit.at = one(choices.step);
      entries.push(entry(visit, 'viewed'));
    }
    if (random.next() < 0.2) {
      visit.late.push(...entries);
      return;
    }
    const isRepeated = random.next() < 0.2;
    await save(visit, entries);
    if (isRepeated) await save(visit, entries);
  }

  async function postLead(visit: Visit): Promise<void> {
    const person = random.integer(0, 30);
    const isContact = visit.survey === '/made/up' && random.next() < 0.5;
    const isHeld = random.next() < 0.3;
    const body = isContact
      ? {
          ...{ lead_id: visit.id, survey: '/contact/', firstName: 'Ann', lastName: `Of ${person}` },
          ...{
            email: `p${person}@mail.example`,
            phoneNumber: '(512) 555-0123',
            utm_source: 'Mail',
          },
        }
      : testLead({
          ...{ lead_id: visit.id, survey: visit.survey, last_name: ` Person ${person} ` },
          ...{
            email: `p${person}@mail.example`,
            affid: visit.params.affid,
            with_Lawyer: one(['yes', 'no']),
          },
          ...{ phone: `(212) 555-01${String(person).padStart(2, '0')}` },
          ...(isHeld && { tcpa: '' }),
          ...(visit.params.lp_action && { lp_action: 'test' }),
        });
    const isStranger = random.next() < 0.15;
    const secretSha256 = isStranger ? hashOfSecret('a stranger') : visit.secretSha256;
    const { userAgent, variants } = visit;
    await post(body, { secretSha256, userAgent, variants });
  }

  async function any(sql: string): Promise<string | undefined> {
    const { rows } = await pool.query<{ id: string }>(sql);
    return rows.length === 0 ? undefined : one(rows).id;
  }

  async function endDelivery(): Promise<void> {
    const id = await any(
      `select id from deliveries where state in ('waiting', 'retrying') order by id`,
    );
    if (id === undefined) return;
    await pool.query(
      `update deliveries set state = $2, attempts = attempts + 1, revision = coalesce(revision, 1),
         due_at = case when $2 = 'retrying' then now() end,
         finished_at = case when $2 <> 'retrying' then now() end,
         answer_code = case when $2 = 'rejected' then '1004' end
       where id = $1 and state in ('waiting', 'retrying')`,
      [id, one(choices.end)],
    );
  }

  async function operate(): Promise<void> {
    const lead = await any('select id from leads order by id');
    const held = await any(`select id from leads where state = 'held' order by id`);
    const actor = 'tester';
    const what = random.next();
    if (what < 0.3 && held) await release(pool, held, actor);
    else if (what < 0.6 && lead)
      await resend(pool, lead, { destination: 'ingest', force: true, actor });
    else if (what < 0.8 && lead) await erase(people(pool), lead, actor);
    else if (what < 0.9)
      await suppress(people(pool), `p${random.integer(0, 30)}@mail.example`, actor);
    else await erase(people(pool), `p${random.integer(0, 30)}@mail.example`, actor);
  }

  return {
    /** Does one random thing. What an operator is refused is no error. */
    async happen(): Promise<void> {
      const what = random.next();
      const visit = visits.length > 0 ? one(visits) : undefined;
      if (!visit || what < 0.15) return begin();
      if (what < 0.45) return step(visit);
      if (what < 0.52) return save(visit, visit.late.splice(0));
      if (what < 0.7) return postLead(visit);
      if (what < 0.88) return endDelivery();
      return operate().catch((error: unknown) => {
        if (!(error instanceof OperatorError)) throw error;
      });
    },
  };
}
