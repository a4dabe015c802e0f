/** Finds surveys that fewer visitors complete than in the week before. */
import type { Attention } from '../../../contract/console/numbers.ts';
import type { Queryable } from '../../storage/database.ts';
import { fallProbability, type Share } from './statistics.ts';

/** The probability that any alarm of a look is false, shared between the surveys. */
const FALSE_ALARM = 0.01;
/** A survey with fewer visits is not judged. */
const LEAST_NOW = 50;
const LEAST_BEFORE = 200;

// The last 24 whole hours against the 7 days before. The youngest hour is left out: its visits still go on.
const SHARES = `
with clock as (select date_trunc('hour', now() at time zone 'UTC') at time zone 'UTC' - interval '1 hour' as until)
select value as survey,
  coalesce(sum(visits) filter (where hour >= until - interval '1 day'), 0)::integer as visits,
  coalesce(sum(completed) filter (where hour >= until - interval '1 day'), 0)::integer as completed,
  coalesce(sum(visits) filter (where hour < until - interval '1 day'), 0)::integer as visits_before,
  coalesce(sum(completed) filter (where hour < until - interval '1 day'), 0)::integer as completed_before
from hourly_counts, clock
where dimension = 'survey' and survey = '' and hour >= until - interval '8 days' and hour < until
group by value`;

type Row = { readonly survey: string } & Readonly<
  Record<'visits' | 'completed' | 'visits_before' | 'completed_before', number>
>;

/** Returns the surveys with a significant fall of their completion. */
export async function readFallenSurveys(client: Queryable): Promise<Attention[]> {
  const { rows } = await client.query<Row>(SHARES);
  return fallenSurveys(
    rows.map((row) => ({
      survey: row.survey,
      now: { part: row.completed, of: row.visits },
      before: { part: row.completed_before, of: row.visits_before },
    })),
  );
}

/** Returns the surveys whose share of completed visits has fallen by more than chance. */
export function fallenSurveys(
  all: readonly { readonly survey: string; readonly now: Share; readonly before: Share }[],
): Attention[] {
  const judged = all.filter(({ now, before }) => now.of >= LEAST_NOW && before.of >= LEAST_BEFORE);
  return judged
    .filter(({ now, before }) => fallProbability(now, before) < FALSE_ALARM / judged.length)
    .map(({ survey, now, before }) => ({
      kind: 'funnel',
      isUrgent: true,
      text: `${percent(now)} of the visits of ${survey} were completed in the last 24 hours; in the 7 days before ${percent(before)}.`,
      to: `/funnels?survey=${encodeURIComponent(survey)}`,
    }));
}

function percent({ part, of }: Share): string {
  return `${Math.round((100 * part) / of)}\u2009%`;
}
