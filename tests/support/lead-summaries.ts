import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { SeededRandom } from './seeded-random.ts';

/** A row of the table `visit_summaries`. */
export type Summary = ReturnType<typeof randomSummary>;

/** Inserts rows into `visit_summaries`. */
export async function seedSummaries(pool: pg.Pool, rows: readonly Summary[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  await pool.query(
    `insert into visit_summaries (${columns})
     select ${columns} from jsonb_populate_recordset(null::visit_summaries, $1)`,
    [JSON.stringify(rows)],
  );
}

const choices = {
  survey: ['/survey/v4nv', '/survey/a', '/survey/b'],
  language: ['en', 'es'],
  source: ['', 'google', 'meta', "o'brien %_"],
  affiliate: ['', '12', '77'],
  us_state: ['', 'TX', 'CA', 'NY'],
  device: ['', 'phone', 'desktop'],
  campaign: ['', 'spring'],
  sub_ids: [[], ['sub1=abc'], ['sub1=abc', 'sub2=x']],
  variants: [[], ['buttons.rounded'], ['buttons.plain', 'theme.dark']],
  reason: ['', 'atFault|yes', 'hasAttorney|yes'],
  name_key: ['muñoz ana', 'munro bo', "o'brien cy", 'o_brien d%', null],
};

/** Returns a random row of the table `visit_summaries`. */
export function randomSummary(random: SeededRandom) {
  const one = <Value>(values: readonly Value[]) =>
    values[random.integer(0, values.length)] as Value;
  const beganMs = Date.UTC(2026, 2, 6) + random.integer(0, 5 * 86_400_000);
  const waitMs = random.next() < 0.7 ? 0 : random.integer(0, 2 * 86_400_000);
  const deliveriesOf = (state: string, other: string) =>
    one([[], [`ingest:${state}`], [`ingest:${state}`, `webhook:${other}`]]);
  const hasLead = random.next() < 0.9;
  const isHeld = random.next() < 0.2;
  const states = ['delivered', 'dead', 'rejected', 'retrying', 'no_destination'];
  const deliveries = hasLead ? deliveriesOf(one(states), one(states)) : [];
  return {
    lead_id: String(randomUUID()),
    began_at: new Date(beganMs).toISOString(),
    received_at: hasLead ? new Date(beganMs + waitMs).toISOString() : null,
    survey: one(choices.survey),
    language: one(choices.language),
    source: one(choices.source),
    affiliate: one(choices.affiliate),
    us_state: one(choices.us_state),
    device: one(choices.device),
    campaign: one(choices.campaign),
    sub_ids: one(choices.sub_ids),
    code: deliveries.includes('ingest:rejected') ? '1004' : '',
    variants: one(choices.variants),
    is_test: random.next() < 0.2,
    lead_state: hasLead ? (isHeld ? 'held' : one(['accepted', 'accepted', 'erased'])) : null,
    revision: hasLead ? 1 : null,
    qualified: hasLead ? random.next() < 0.6 : null,
    reason: one(choices.reason),
    holds: isHeld ? [one(['over_address_limit', 'bot'])] : [],
    deliveries,
    is_delivered: deliveries.includes('ingest:delivered'),
    is_rejected: deliveries.includes('ingest:rejected'),
    name_key: one(choices.name_key),
  };
}
