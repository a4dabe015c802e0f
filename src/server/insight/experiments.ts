/** Reads and judges the results of experiments. */

import { type Experiment, runningOn } from '../../model/flows/experiments.ts';
import type {
  ExperimentAnswer,
  ExperimentArm,
  JudgedArm,
  Totals,
} from '../../model/messages/console/numbers.ts';
import type { Queryable } from '../platform/database/database.ts';
import { midnight } from '../platform/time-format.ts';
import { MOST_DAYS, moneyOf, TOTALS, totalsOf } from './overview.ts';
import { compareShares, isMismatched, type Share } from './statistics.ts';

/** SQL: reads the totals of an experiment's variants. */
const ARMS = `
select value, ${TOTALS} from hourly_counts
where dimension = 'variant' and survey = $2 and value = any($1::text[])
  and hour >= greatest(${midnight('$3', '$4')}, now() - interval '${MOST_DAYS} days')
group by value`;

/** Reads the results of a survey's running experiments. */
export async function readExperiments(
  client: Queryable,
  asked: {
    readonly experiments: readonly Experiment[];
    readonly survey: string;
    readonly timeZone: string;
    /** The first day to count. Default: 366 days ago. */
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
      const row = rows.find(({ value }) => value === `${id}.${variant}`);
      const { visits, accepted } = totalsOf(row);
      return { variant, weight, visits, accepted, money: moneyOf(row) };
    });
    return judgeExperiment(id, arms);
  });
}

/** Compares the variants of an experiment by the share of visits that became accepted leads. */
export function judgeExperiment(id: string, arms: readonly ExperimentArm[]): ExperimentAnswer {
  const [base, ...others] = arms;
  const isMismatch = isMismatched(
    arms.map(({ visits }) => visits),
    arms.map(({ weight }) => weight),
  );
  const alpha = 0.05 / Math.max(1, others.length);
  const shareOf = ({ accepted, visits }: ExperimentArm): Share => ({ part: accepted, of: visits });
  const judged = arms.map((arm): JudgedArm => {
    if (base === undefined || arm === base) return { ...arm, difference: null, verdict: 'base' };
    const { difference, halfWidth } = compareShares(shareOf(arm), shareOf(base), alpha);
    const isClear = !isMismatch && Math.abs(difference) > halfWidth;
    return {
      ...arm,
      difference: { low: difference - halfWidth, high: difference + halfWidth },
      verdict: isClear ? (difference > 0 ? 'keep' : 'stop') : 'wait',
    };
  });
  return { id, arms: judged, isMismatch, summary: summaryOf(judged, isMismatch) };
}

function summaryOf(arms: readonly JudgedArm[], isMismatch: boolean): string {
  const visits = arms.reduce((sum, arm) => sum + arm.visits, 0);
  if (visits === 0) return 'No visit was counted yet.';
  if (isMismatch) {
    return (
      'Nothing can be concluded: the visitors are not distributed by the weights. Find out why before you read on: ' +
      'changed weights, a variant that fails to load, or robots.'
    );
  }
  const decided = arms.flatMap(({ variant, verdict }) => {
    if (verdict === 'keep') return [`Keep ${variant}: it brings more accepted leads per visit.`];
    return verdict === 'stop' ? [`Stop ${variant}: it brings fewer accepted leads per visit.`] : [];
  });
  return decided.length > 0 ? decided.join(' ') : `Not enough visitors yet (${visits}).`;
}
