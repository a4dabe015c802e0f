import type { Choice } from './flow.ts';

/** The third parties' scripts that a flow may load (document 1, section 7; document 2, section 7). */
export type ScriptName = 'pixel' | 'caseWorth' | 'ticket' | 'adPixel';

/**
 * When a flow loads a script of a third party: as soon as all that it names holds, once a page load.
 * `Name` is the union of the flow's step names.
 */
export type ScriptRule<Name extends string = string> = {
  readonly script: ScriptName;
  /** While this step is on screen. */
  readonly at?: Name;
  /** When this step was answered; with `answer` only when it was answered so. */
  readonly after?: Name;
  readonly answer?: Choice;
  /** For the visitors of this affiliate only. */
  readonly affid?: string;
};

/** The v4 family's ad pixel: "only when affid is 389" (document 2, sections 7 and 9). */
export const adPixel = { script: 'adPixel', affid: '389' } as const;

/** "Answering Yes to injury loads a third-party tracking pixel script" (document 2, section 4). */
export const pixelOnInjury = {
  script: 'pixel',
  after: 'WasUserInjured',
  answer: { physical_injury: 'Yes' },
} as const;
