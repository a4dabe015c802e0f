/** The findings of `npm run doctor`, and their report. */

/** The result of one check. `unfinished`: works, but has the project's default text. */
export type Finding = {
  readonly about: string;
  readonly state: 'works' | 'embedded' | 'off' | 'not_tried' | 'unfinished' | 'wrong';
  readonly text: string;
  /** The operator's next step, with the name of the setting. */
  readonly next?: string | undefined;
};

const WIDTH = 'unfinished'.length + 2;

/** Returns whether any finding is `wrong`. The command then exits with 1. */
export const isSick = (findings: readonly Finding[]) =>
  findings.some(({ state }) => state === 'wrong');

/** Returns the report: one line per finding, and its next step below it. */
export function reportText(findings: readonly Finding[]): string {
  return findings
    .flatMap(({ about, state, text, next }) => {
      const isToDo = state === 'unfinished' || state === 'wrong';
      const word = isToDo ? state.toUpperCase() : state.replace('_', ' ');
      const line = `${word.padEnd(WIDTH)}${about}: ${text}`;
      return next === undefined ? [line] : [line, `${' '.repeat(WIDTH)}→ ${next}`];
    })
    .join('\n');
}
