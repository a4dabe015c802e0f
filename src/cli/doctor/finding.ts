/** Findings of the doctor, and the report about them. */

/**
 * The result of one check.
 *
 * - `works`: tried successfully. `embedded`: replaced by our own code. `off`: not replaced by anything.
 * - `not_tried`: set up, but every call would have an effect; the text says how to try it.
 * - `unfinished`: works, but a page or setting still has the project's default text.
 * - `wrong`: does not work, or must not be like this on a live site.
 */
export type Finding = {
  readonly about: string;
  readonly state: (typeof states)[number];
  readonly text: string;
  /** What to do, with the setting's name. */
  readonly next?: string | undefined;
};

/** In the order of the totals. */
const states = ['works', 'embedded', 'off', 'not_tried', 'unfinished', 'wrong'] as const;
const WIDTH = 'unfinished'.length + 2;

const wordOf = (state: Finding['state']) => state.replace('_', ' ');

/** Returns whether something is wrong, which decides the command's exit code. */
export const isSick = (findings: readonly Finding[]) =>
  findings.some(({ state }) => state === 'wrong');

/** Returns the report: one line per finding, with the next step below it, and the totals. */
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
