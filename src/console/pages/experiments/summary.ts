import type { ExperimentAnswer } from '../../../contract/console/numbers.ts';
import { count } from '../../format.ts';

/** Says how many experiments run, and how many of them can be concluded from. */
export function experimentsSummary(all: readonly ExperimentAnswer[]): string[] {
  if (all.length === 0) return [];
  const stopped = all.filter(({ ratio }) => ratio.isMismatch);
  const decided = all.flatMap(({ id, ratio, comparisons }) =>
    comparisons
      .filter(
        (one) => one.metric === 'accepted' && one.conclusion !== 'undecided' && !ratio.isMismatch,
      )
      .map(({ variant, conclusion }) => `${variant} is ${conclusion} in ${id}`),
  );
  const names = (some: readonly ExperimentAnswer[]) => some.map(({ id }) => id).join(', ');
  return [
    `${count(all.length)} ${all.length === 1 ? 'experiment runs' : 'experiments run'}.`,
    decided.length > 0 ? `Decided: ${decided.join(', ')}.` : 'None has a result yet.',
    ...(stopped.length > 0 ? [`Nothing can be read from ${names(stopped)}.`] : []),
  ];
}
