/** Reads the experiments and states their conclusions. */

import { type Experiment, runningOn } from '../../model/flows/experiments.ts';
import type {
  ExperimentAnswer,
  ExperimentArm,
  JudgedArm,
  Totals,
} from '../../model/messages/console/numbers.ts';
import type { Queryable } from '../platform/database/database.ts';
import { midnight, TOTALS, totalsOf } from './overview.ts';
import { compareShares, type Share, testRatio } from './statistics.ts';

/** Older days are left out, to bound the read. */
const MOST_DAYS = 366;

/** $1 variants, $2 survey, $3 first day or null, $4 time zone. */
const ARMS = `
select value, ${TOTALS} from hourly_counts
where dimension = 'variant' and survey = $2 and value = any($1::text[])
  and hour >= greatest(${midnight('$3', '$4')}, now() - interval '${MOST_DAYS} days')
group by value`;

/** Reads a survey's running experiments: those with at least two weighted variants. */
export async function readExperiments(
  client: Queryable,
  asked: {
    readonly experiments: readonly Experiment[];
    readonly survey: string;
    readonly timeZone: string;
    /** The first day that counts, such as the day of a change of weights. At most 366 days count. */
    readonly from?: string | undefined;
  },
): Promise<ExperimentAnswer[]> {
  const running = runningOn(asked.survey, asked.experiments).map(({ id, variants }) => ({
    id,
    variants: Object.entries(variants).filter(([, { weight }]) => weight > 0),
  }));
  const names = running.flatMap(({ id, variants }) => variants.map(([name]) => `${id}.${name}`));
  const { rows } = await client.query<Totals & { value: string }>(ARMS, [
    ...[names, asked.survey, asked.from ?? null, asked.timeZone],
  ]);
  return running.map(({ id, variants }) => {
    const arms = variants.map(([variant, { weight }]): ExperimentArm => {
      const totals = totalsOf(rows.find(({ value }) => value === `${id}.${variant}`));
      const { visits, accepted, refusals, held, pageErrors } = totals;
      return { variant, weight, visits, accepted, refusals, held, pageErrors };
    });
    return judgeExperiment(id, arms);
  });
}

/** Judges an experiment by accepted leads per visit. The comparisons with the first variant share the allowed error. */
export function judgeExperiment(id: string, arms: readonly ExperimentArm[]): ExperimentAnswer {
  const [base, ...others] = arms;
  const ratio = testRatio(
    arms.map(({ visits }) => visits),
    arms.map(({ weight }) => weight),
  );
  const alpha = 0.05 / Math.max(1, others.length);
  const compare = (arm: ExperimentArm, share: (of: ExperimentArm) => Share) =>
    compareShares(share(arm), share(base ?? arm), alpha);
  const judged = arms.map((arm): JudgedArm => {
    if (arm === base) return { ...arm, difference: null, verdict: 'base' };
    const { difference, halfWidth } = compare(arm, ({ accepted, visits }) => ({
      part: accepted,
      of: visits,
    }));
    const isClear = !ratio.isMismatch && Math.abs(difference) > halfWidth;
    return {
      ...arm,
      difference: { low: difference - halfWidth, high: difference + halfWidth },
      verdict: isClear ? (difference > 0 ? 'keep' : 'stop') : 'wait',
    };
  });
  // Warn only of harm that is certainly larger than in the first variant.
  const warnings = others.flatMap((arm) =>
    HARMS.flatMap(([harm, share]) => {
      const { difference, halfWidth } = compare(arm, share);
      if (difference <= halfWidth) return [];
      return [`${arm.variant} has ${(100 * difference).toFixed(1)} points more ${harm}.`];
    }),
  );
  const { isMismatch } = ratio;
  return { id, arms: judged, isMismatch, summary: summaryOf(judged, ratio, warnings) };
}

/** Each harm that a variant can do, with the share that measures it. */
const HARMS: readonly (readonly [harm: string, share: (of: ExperimentArm) => Share])[] = [
  ['visitors with a rejected entry', ({ refusals, visits }) => ({ part: refusals, of: visits })],
  ['held leads', ({ held, accepted }) => ({ part: held, of: held + accepted })],
  [
    'visitors who met an error of the page',
    ({ pageErrors, visits }) => ({ part: pageErrors, of: visits }),
  ],
];

function summaryOf(
  arms: readonly JudgedArm[],
  ratio: ReturnType<typeof testRatio>,
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
