/** Reads the experiments, and says what can and what cannot be concluded from them. */
import type {
  ExperimentAnswer,
  ExperimentArm,
  ExperimentComparison,
} from '../../../contract/console/numbers.ts';
import type { Queryable } from '../../storage/database.ts';
import { midnight, TOTALS, type TotalsRow } from './periods.ts';
import { compareShares, PLANNED_VISITS, testRatio } from './statistics.ts';

/** An experiment with the surveys on which it runs and the weights of its variants; the first is the unchanged page. */
export type RunningExperiment = {
  readonly id: string;
  readonly surveys: readonly string[];
  readonly variants: Readonly<Record<string, { readonly weight: number }>>;
};

/** Older hours do not count, which bounds the read. */
const MOST_DAYS = 366;

// $1 variants, $2 surveys, $3 first day or null, $4 time zone
const ARMS = `
select value, ${TOTALS} from hourly_counts
where dimension = 'variant' and survey = any($2::text[]) and value = any($1::text[])
  and hour >= greatest(${midnight('$3', '$4')}, now() - interval '${MOST_DAYS} days')
group by value`;

/** Reads the experiments that run: on at least one survey, with at least two variants of a weight. */
export async function readExperiments(
  client: Queryable,
  asked: {
    readonly experiments: readonly RunningExperiment[];
    readonly timeZone: string;
    /** The first day that counts, such as the one on which the weights were changed. At most 366 days count. */
    readonly from?: string | undefined;
  },
): Promise<ExperimentAnswer[]> {
  const running = asked.experiments.filter(
    ({ surveys, variants }) => surveys.length > 0 && enabled(variants).length > 1,
  );
  return Promise.all(
    running.map(async ({ id, surveys, variants }) => {
      const { rows } = await client.query<TotalsRow & { value: string }>(ARMS, [
        enabled(variants).map(([name]) => `${id}.${name}`),
        surveys,
        asked.from ?? null,
        asked.timeZone,
      ]);
      const arms = enabled(variants).map(([variant, { weight }]): ExperimentArm => {
        const row = rows.find(({ value }) => value === `${id}.${variant}`);
        const of = (name: keyof TotalsRow) => row?.[name] ?? 0;
        return {
          ...{ variant, weight, visits: of('visits'), completed: of('completed') },
          ...{ accepted: of('accepted'), delivered: of('delivered') },
          ...{ refusals: of('refusals'), held: of('held'), pageErrors: of('page_errors') },
        };
      });
      return judgeExperiment(id, surveys, arms);
    }),
  );
}

function enabled<Variant extends { readonly weight: number }>(
  variants: Readonly<Record<string, Variant>>,
): [string, Variant][] {
  return Object.entries(variants).filter(([, { weight }]) => weight > 0);
}

const metrics = ['accepted', 'completed', 'delivered'] as const;
type ByVisit = (typeof metrics)[number] | 'refusals' | 'pageErrors';
const points = (share: number) => (100 * share).toFixed(1);

/**
 * Returns an experiment's answer. Only accepted leads per visit decide; with several variants the error is shared
 * between their comparisons.
 */
export function judgeExperiment(
  id: string,
  surveys: readonly string[],
  arms: readonly ExperimentArm[],
): ExperimentAnswer {
  const [base, ...others] = arms;
  const ratio = testRatio(
    arms.map(({ visits }) => visits),
    arms.map(({ weight }) => weight),
  );
  const alpha = 0.05 / Math.max(1, others.length);
  const compare = (arm: ExperimentArm, name: ByVisit) =>
    compareShares(
      { part: arm[name], of: arm.visits },
      { part: base?.[name] ?? 0, of: base?.visits ?? 0 },
      { alpha },
    );
  const comparisons = others.flatMap((arm) =>
    metrics.map((metric): ExperimentComparison => {
      const { difference, halfWidth } = compare(arm, metric);
      const isClear = !ratio.isMismatch && Math.abs(difference) > halfWidth;
      const conclusion = isClear ? (difference > 0 ? 'better' : 'worse') : 'undecided';
      return { variant: arm.variant, metric, difference, halfWidth, conclusion };
    }),
  );
  const guardRails = others.flatMap((arm) => {
    const refusals = compare(arm, 'refusals');
    const errors = compare(arm, 'pageErrors');
    const posted = ({ held, accepted }: ExperimentArm) => ({ part: held, of: held + accepted });
    const holds = compareShares(posted(arm), posted(base ?? arm), { alpha });
    return [
      guardRail('Refused fields', arm.variant, refusals, 'of the visits meet a refused field'),
      guardRail('Held leads', arm.variant, holds, 'of the leads are held'),
      guardRail('Page errors', arm.variant, errors, 'of the visits meet an error of the page'),
    ];
  });
  return {
    ...{ id, surveys, arms, comparisons, ratio, plannedVisits: PLANNED_VISITS, guardRails },
    summary: experimentSummary(arms, comparisons, ratio, guardRails),
  };
}

function guardRail(
  name: string,
  variant: string,
  { difference, halfWidth }: { difference: number; halfWidth: number },
  what: string,
): ExperimentAnswer['guardRails'][number] {
  const isBroken = difference > halfWidth;
  const text = isBroken
    ? `With ${variant}, ${points(difference)} points more ${what}.`
    : `With ${variant}, there is no sign that more ${what}.`;
  return { name, text, isBroken };
}

function experimentSummary(
  arms: readonly ExperimentArm[],
  comparisons: readonly ExperimentComparison[],
  ratio: ExperimentAnswer['ratio'],
  guardRails: ExperimentAnswer['guardRails'],
): string {
  const visits = arms.reduce((sum, arm) => sum + arm.visits, 0);
  if (visits === 0) return 'No visit was counted yet.';
  if (ratio.isMismatch) {
    return (
      'Nothing can be concluded: the visitors are not distributed by the weights ' +
      `(p = ${ratio.p.toPrecision(1)}). Find out why before you read on: changed weights, a variant that fails to ` +
      'load, or robots.'
    );
  }
  const primary = comparisons.filter(({ metric }) => metric === 'accepted');
  const decided = primary.filter(({ conclusion }) => conclusion !== 'undecided');
  const broken = guardRails.filter(({ isBroken }) => isBroken).map(({ text }) => text);
  if (decided.length === 0) {
    const [widest = 0] = primary.map(({ halfWidth }) => halfWidth).sort((a, b) => b - a);
    return [
      `Undecided after ${visits} visits: a difference below ${points(widest)} points in accepted leads per visit ` +
        'cannot be told from chance yet.',
      ...broken,
    ].join(' ');
  }
  const sentences = decided.map(({ variant, difference, halfWidth, conclusion }) => {
    const more = conclusion === 'better' ? 'more' : 'fewer';
    const [least, most] = [-halfWidth, halfWidth].map((each) =>
      points(Math.abs(difference) + each),
    );
    const range = least === '0.0' ? `up to ${most}` : `${least} to ${most}`;
    return `${variant} brings ${more} accepted leads per visit: ${range} ${more} in 100 visits.`;
  });
  return [...sentences, ...broken].join(' ');
}
