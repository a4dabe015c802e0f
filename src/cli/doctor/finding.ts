/** The findings of `npm run doctor`, and their report. */

/**
 * The result of one check.
 *
 * - `works`: A test call succeeded.
 * - `embedded`: Not set up, so our own code replaces it. `off`: Not set up, and nothing replaces it.
 * - `not_tried`: Set up, but a test call would have an effect. The text says how to try it.
 * - `unfinished`: Works, but a page or setting still has the project's default text.
 * - `wrong`: Does not work, or must not be like this on a live site.
 */
export type Finding = {
  readonly about: string;
  readonly state: (typeof states)[number];
  readonly text: string;
  /** The operator's next step, with the name of the setting. */
  readonly next?: string | undefined;
};

/** All states, in the order of the totals in the report. */
const states = ['works', 'embedded', 'off', 'not_tried', 'unfinished', 'wrong'] as const;
const WIDTH = 'unfinished'.length + 2;

const wordOf = (state: Finding['state']) => state.replace('_', ' ');

/** Returns whether a finding is `wrong`, which decides the exit code. */
export const isSick = (findings: readonly Finding[]) =>
  findings.some(({ state }) => state === 'wrong');

/** Returns the report: one line per finding, its next step below it, and the totals at the end. */
export function reportText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ about, state, text, next }) => {
    const isToDo = state === 'unfinished' || state === 'wrong';
    const word = isToDo ? state.toUpperCase() : wordOf(state);
    const line = `${word.padEnd(WIDTH)}${about}: ${text}`;
    return next === undefined ? [line] : [line, `${' '.repeat(WIDTH)}→ ${next}`];
  });
  const sums = states.flatMap((state) => {
    const count = findings.filter((each) => each.state === state).length;
    return count > 0 ? [`${count} ${wordOf(state)}`] : [];
  });
  return [...lines, '', `${sums.join(', ')}.`].join('\n');
}
