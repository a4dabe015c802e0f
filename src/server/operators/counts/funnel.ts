/** Reads how visits went through a survey's flow: by the edges that they took, not by the order of the steps. */
import type {
  FunnelAnswer,
  FunnelEdge,
  FunnelStep,
  Period,
} from '../../../contract/console/numbers.ts';
import type { SurveyEntry } from '../../../intake/survey-table.ts';
import type { Queryable } from '../../storage/database.ts';
import type { SurveyDimension } from './hours.ts';
import { readCountedUntil } from './overview.ts';
import { checkPeriod, midnight } from './periods.ts';

/** A part of a survey's visits, such as those from one source. */
export type Segment = { readonly dimension: SurveyDimension; readonly value: string };

/** Where the edge of the last button leads. */
const SUBMIT = 'submit';

const SELECTED = `dimension = $1 and survey = $2 and value = $3
  and hour >= ${midnight('$4', '$6')} and hour < ${midnight('$5', '$6', 1)}`;
const FACTS = `
select fact.key, sum(fact.value::integer)::integer as visits
from (select steps from hourly_steps where ${SELECTED}) as counted
cross join lateral jsonb_each_text(steps) as fact group by 1`;
const VISITS = `
select coalesce(sum(visits), 0)::integer as visits, coalesce(sum(completed), 0)::integer as completed
from hourly_counts where ${SELECTED}`;

/** Reads the funnel of a survey. @throws OperatorError for an impossible period */
export async function readFunnel(
  client: Queryable,
  asked: {
    readonly entry: Pick<SurveyEntry, 'survey' | 'flow'>;
    readonly period: Period;
    readonly timeZone: string;
    /** Default: all visits. */
    readonly segment?: Segment | undefined;
  },
): Promise<FunnelAnswer> {
  const { entry, timeZone, segment = { dimension: 'all', value: '' } } = asked;
  const { survey, flow } = entry;
  const { from, to } = checkPeriod(asked.period);
  const values = [segment.dimension, survey.path, segment.value, from, to, timeZone];
  const [facts, totals, countedUntil] = await Promise.all([
    client.query<{ key: string; visits: number }>(FACTS, values),
    client.query<{ visits: number; completed: number }>(VISITS, values),
    readCountedUntil(client),
  ]);
  const { visits = 0, completed = 0 } = totals.rows[0] ?? {};
  const found = new Map(facts.rows.map((row) => [row.key, row.visits]));
  const steps = stepsOf(flow, found);
  return {
    survey: survey.path,
    flow: flow.id,
    visits,
    completed,
    steps,
    countedUntil,
    edges: edgesOf(flow, found),
    summary: funnelSummary(visits, completed, steps),
  };
}

type Flow = SurveyEntry['flow'];
type Facts = ReadonlyMap<string, number>;

function stepsOf(flow: Flow, facts: Facts): FunnelStep[] {
  const all = [...facts].map(([key, visits]) => ({ parts: key.split('|'), visits }));
  return Object.entries(flow.steps).map(([step, { stage = '' }]) => {
    const of = (kind: string) => facts.get(`${kind}|${step}`) ?? 0;
    const details = (kind: string) =>
      all.flatMap(({ parts, visits }) =>
        parts[0] === kind && parts[1] === step ? [[parts[2] ?? '', visits] as const] : [],
      );
    return {
      step,
      stage,
      seen: of('seen'),
      answered: of('answered'),
      left: of('left'),
      wentBack: of('back'),
      medianSeconds: medianSeconds(
        new Map(details('time').map(([bucket, visits]) => [Number(bucket), visits])),
      ),
      refused: details('refused')
        .map(([field, visits]) => ({ field, visits }))
        .sort((a, b) => b.visits - a.visits || (a.field < b.field ? -1 : 1)),
    };
  });
}

/** Returns the flow's edges, then those that visits took beside it, such as a resumed visit or an older flow's. */
function edgesOf(flow: Flow, facts: Facts): FunnelEdge[] {
  const conditions = new Map<string, string[]>();
  for (const [from, { next, submits }] of Object.entries(flow.steps)) {
    for (const [index, edge] of next.entries()) {
      const [to, when] =
        typeof edge === 'string'
          ? [edge, index > 0 ? 'otherwise' : '']
          : [edge.to, edge.when.map(words).join(' and ')];
      const key = `${from}|${to}`;
      conditions.set(key, [...(conditions.get(key) ?? []), when]);
    }
    if (submits) conditions.set(`${from}|${SUBMIT}`, ['']);
  }
  const taken = [...facts.keys()].flatMap((key) => (key.startsWith('edge|') ? [key.slice(5)] : []));
  const beside = taken.filter((key) => !conditions.has(key)).sort();
  return [...conditions.keys(), ...beside].map((key) => {
    const [from = '', to = ''] = key.split('|');
    const when = conditions
      .get(key)
      ?.filter((each) => each !== '')
      .join(', or ');
    return {
      from,
      to,
      visits: facts.get(`edge|${key}`) ?? 0,
      when: when ?? 'not an edge of the flow',
    };
  });
}

/**
 * Returns the median of durations in seconds, with those of a bucket spread evenly over it; null below five durations.
 * @param counts by bucket (see `step_facts` in the schema): 0 is less than a second, and two make a doubling
 */
export function medianSeconds(counts: ReadonlyMap<number, number>): number | null {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (all < 5) return null;
  let before = 0;
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    if (before + count >= all / 2) {
      const from = bucket === 0 ? 0 : leastSeconds(bucket);
      const to = bucket === 0 ? 0 : Math.max(from, leastSeconds(bucket + 1) - 1);
      return Math.round(from + ((to - from) * (all / 2 - before)) / count);
    }
    before += count;
  }
  return null;
}

function leastSeconds(bucket: number): number {
  return Math.ceil(2 ** ((bucket - 1) / 2) - 1e-9);
}

/** Returns a condition's name as words: `isInjured` → `is injured`. */
function words(condition: string): string {
  return condition.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Steps that fewer visits have seen are not named as the place where most leave. */
const LEAST_SEEN = 20;

function funnelSummary(visits: number, completed: number, steps: readonly FunnelStep[]): string[] {
  if (visits === 0) return ['No visit of this survey began in this period.'];
  const percent = (part: number, of: number) => `${Math.round((100 * part) / of)}\u2009%`;
  const [worst] = steps
    .filter(({ seen, left }) => seen >= LEAST_SEEN && left > 0)
    .sort((a, b) => b.left - a.left);
  return [
    `${completed} of ${visits} visits were completed (${percent(completed, visits)}).`,
    ...(worst
      ? [
          `Most leave at ${worst.step}: ${worst.left} of the ${worst.seen} visits that saw it (${percent(worst.left, worst.seen)}).`,
        ]
      : []),
  ];
}
