/** Reads the experiments, and says what can and what cannot be concluded from them. */
import type {
  ExperimentAnswer,
  ExperimentArm,
  JudgedArm,
} from '../../../contract/console/numbers.ts';
import type { Queryable } from '../../storage/database.ts';
import { midnight, TOTALS, type TotalsRow } from './periods.ts';
import { compareShares, testRatio } from './statistics.ts';

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

/** Reads the experiments that run on a survey, with at least two variants of a weight. */
export async function readExperiments(
  client: Queryable,
  asked: {
    readonly experiments: readonly RunningExperiment[];
    readonly survey: string;
    readonly timeZone: string;
    /** The first day that counts, such as the one on which the weights were changed. At most 366 days count. */
    readonly from?: string | undefined;
  },
): Promise<ExperimentAnswer[]> {
  const running = asked.experiments.filter(
    ({ surveys, variants }) => surveys.includes(asked.survey) && enabled(variants).length > 1,
  );
  return Promise.all(
    running.map(async ({ id, variants }) => {
      const { rows } = await client.query<TotalsRow & { value: string }>(ARMS, [
        enabled(variants).map(([name]) => `${id}.${name}`),
        [asked.survey],
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
      return judgeExperiment(id, arms);
    }),
  );
}

function enabled<Variant extends { readonly weight: number }>(
  variants: Readonly<Record<string, Variant>>,
): [string, Variant][] {
  return Object.entries(variants).filter(([, { weight }]) => weight > 0);
}

const points = (share: number) => (100 * share).toFixed(1);

/**
 * Judges an experiment by accepted leads per visit. Several variants share the error between their comparisons with
 * the first one.
 */
export function judgeExperiment(id: string, arms: readonly ExperimentArm[]): ExperimentAnswer {
  const [base, ...others] = arms;
  const ratio = testRatio(
    arms.map(({ visits }) => visits),
    arms.map(({ weight }) => weight),
  );
  const alpha = 0.05 / Math.max(1, others.length);
  const compare = (arm: ExperimentArm, name: 'accepted' | 'refusals' | 'pageErrors') =>
    compareShares(
      { part: arm[name], of: arm.visits },
      { part: base?.[name] ?? 0, of: base?.visits ?? 0 },
      { alpha },
    );
  const judged = arms.map((arm): JudgedArm => {
    if (arm === base) return { ...arm, difference: null, verdict: 'base' };
    const { difference, halfWidth } = compare(arm, 'accepted');
    const isClear = !ratio.isMismatch && Math.abs(difference) > halfWidth;
    return {
      ...arm,
      difference: { low: difference - halfWidth, high: difference + halfWidth },
      verdict: isClear ? (difference > 0 ? 'keep' : 'stop') : 'wait',
    };
  });
  const posted = ({ held, accepted }: ExperimentArm) => ({ part: held, of: held + accepted });
  const warnings = others.flatMap((arm) => [
    ...warning(arm.variant, compare(arm, 'refusals'), 'visitors with a rejected entry'),
    ...warning(
      arm.variant,
      compareShares(posted(arm), posted(base ?? arm), { alpha }),
      'held leads',
    ),
    ...warning(arm.variant, compare(arm, 'pageErrors'), 'visitors who met an error of the page'),
  ]);
  return {
    ...{ id, arms: judged, isMismatch: ratio.isMismatch },
    summary: experimentSummary(judged, ratio, warnings),
  };
}

/** Returns a sentence if a harm of a variant is certainly larger than that of the first one. */
function warning(
  variant: string,
  { difference, halfWidth }: ReturnType<typeof compareShares>,
  harm: string,
): string[] {
  return difference > halfWidth
    ? [`${variant} has ${points(difference)} points more ${harm}.`]
    : [];
}

function experimentSummary(
  arms: readonly JudgedArm[],
  ratio: { readonly p: number; readonly isMismatch: boolean },
  warnings: readonly string[],
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
  const decided = arms.flatMap(({ variant, verdict }) => {
    if (verdict === 'keep') return [`Keep ${variant}: it brings more accepted leads per visit.`];
    return verdict === 'stop' ? [`Stop ${variant}: it brings fewer accepted leads per visit.`] : [];
  });
  const sentences = decided.length > 0 ? decided : [`Not enough visitors yet (${visits}).`];
  return [...sentences, ...warnings].join(' ');
}
