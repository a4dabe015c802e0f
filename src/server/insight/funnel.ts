/** Reads how many visits reached each step of a survey. */
import type {
  FunnelAnswer,
  FunnelStep,
  Money,
  Period,
} from '../../model/messages/console/numbers.ts';
import type { Queryable } from '../platform/database/database.ts';
import { midnight } from '../platform/time-format.ts';
import type { SurveyDimension } from './count-hour.ts';
import { checkPeriod, countedUntil, MONEY, moneyOf } from './overview.ts';
import { type Histogram, quantile, sumOf } from './statistics.ts';

/** Selects some of a survey's visits, such as the visits from one source. */
export type FunnelSegment = { readonly dimension: SurveyDimension; readonly value: string };

const SELECTED = `dimension = $1 and survey = $2 and value = $3
  and hour >= ${midnight('$4', '$6')} and hour < ${midnight('$5', '$6', 1)}`;
const FACTS = `
select fact.key, sum(fact.value::integer)::integer as visits
from (select steps from hourly_steps where ${SELECTED}) as counted
cross join lateral jsonb_each_text(steps) as fact group by 1`;
const VISITS = `
select coalesce(sum(visits), 0)::integer as visits, coalesce(sum(completed), 0)::integer as completed, ${MONEY}
from hourly_counts where ${SELECTED}`;

/** Reads the funnel of a survey. @throws OperatorError if the period is invalid */
export async function readFunnel(
  client: Queryable,
  asked: {
    readonly survey: string;
    readonly period: Period;
    readonly timeZone: string;
    readonly segment?: FunnelSegment | undefined;
  },
): Promise<FunnelAnswer> {
  const { survey, timeZone, segment = { dimension: 'all', value: '' } } = asked;
  const { from, to } = checkPeriod(asked.period);
  const values = [segment.dimension, survey, segment.value, from, to, timeZone];
  const [facts, totals, counted] = await Promise.all([
    client.query<{ key: string; visits: number }>(FACTS, values),
    client.query<Money & { visits: number; completed: number }>(VISITS, values),
    countedUntil(client),
  ]);
  const { visits = 0, completed = 0 } = totals.rows[0] ?? {};
  const found = facts.rows.map(({ key, visits: of }): Fact => {
    const [kind = '', step = '', detail = ''] = key.split('|');
    return { kind, step, detail, visits: of };
  });
  const edges = found.filter(({ kind }) => kind === 'edge');
  return {
    survey,
    visits,
    completed,
    money: moneyOf(totals.rows[0]),
    countedUntil: (counted ?? new Date(0)).toISOString(),
    steps: [...Map.groupBy(found, ({ step }) => step)].map(([step, of]) => stepOf(step, of)),
    edges: edges.map(({ step, detail, visits: of }) => ({ from: step, to: detail, visits: of })),
  };
}

/** The number of events of one kind at a step. */
type Fact = {
  readonly kind: string;
  readonly step: string;
  readonly detail: string;
  readonly visits: number;
};

function stepOf(step: string, facts: readonly Fact[]): FunnelStep {
  const of = (wanted: string) => facts.filter(({ kind }) => kind === wanted);
  const visitsOf = (kind: string) => of(kind)[0]?.visits ?? 0;
  return {
    step,
    seen: visitsOf('seen'),
    left: visitsOf('left'),
    wentBack: visitsOf('back'),
    medianSeconds: medianSeconds(of('time').map((each) => [Number(each.detail), each.visits])),
    refused: of('refused')
      .map(({ detail, visits }) => ({ field: detail, visits }))
      .sort((a, b) => b.visits - a.visits || (a.field < b.field ? -1 : 1)),
  };
}

/** Returns the median of a histogram in seconds; null for fewer than five durations. */
export function medianSeconds(counts: Histogram): number | null {
  if (sumOf(counts.map(([, count]) => count)) < 5) return null;
  const bucket = quantile(counts, 0.5) ?? 0;
  return bucket === 0 ? 0 : Math.round(2 ** ((bucket - 0.5) / 2));
}
