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
  readonly state: 'works' | 'embedded' | 'off' | 'not_tried' | 'unfinished' | 'wrong';
  readonly text: string;
  /** What to do, with the setting's name. */
  readonly next?: string | undefined;
};

const words: Readonly<Record<Finding['state'], string>> = {
  works: 'works',
  embedded: 'embedded',
  off: 'off',
  not_tried: 'not tried',
  unfinished: 'UNFINISHED',
  wrong: 'WRONG',
};

/** Returns whether something is wrong, which decides the command's exit code. */
export function isSick(findings: readonly Finding[]): boolean {
  return findings.some(({ state }) => state === 'wrong');
}

/** Returns the report: one line per finding, with the next step below it, and the totals. */
export function reportText(findings: readonly Finding[]): string {
  const width = Math.max(...Object.values(words).map((word) => word.length)) + 2;
  const lines = findings.flatMap(({ about, state, text, next }) => [
    `${words[state].padEnd(width)}${about}: ${text}`,
    ...(next === undefined ? [] : [`${' '.repeat(width)}→ ${next}`]),
  ]);
  const count = (state: Finding['state']) => findings.filter((each) => each.state === state).length;
  const sum = (Object.keys(words) as Finding['state'][])
    .filter((state) => count(state) > 0)
    .map((state) => `${count(state)} ${words[state].toLowerCase()}`)
    .join(', ');
  return [...lines, '', `${sum}.`].join('\n');
}
