/** What the doctor finds, and how it is told. */

/**
 * What is known of one thing after looking at it.
 *
 * - `works`: it was tried. `embedded`: our own default stands in. `off`: nothing stands in.
 * - `not_tried`: set up, and every call would have an effect; the text says how to try it.
 * - `unfinished`: works, but a page or setting still shows what came with the project.
 * - `wrong`: it does not work, or a site that is live may not be like this.
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

/** Returns whether something is wrong: the command's exit code. */
export function isSick(findings: readonly Finding[]): boolean {
  return findings.some(({ state }) => state === 'wrong');
}

/** Returns one line a finding, the next step below it, and a sum at the end. */
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
