import type { Choice } from './flow.ts';

/** The third parties' scripts that a flow may load (docs/specification.md#scripts-of-third-parties). */
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

/** Yes to injury. */
const onInjury = { after: 'WasUserInjured', answer: { physical_injury: 'Yes' } } as const;

/**
 * Answering Yes to injury loads a third party's tracking pixel
 * (docs/specification.md#scripts-of-third-parties).
 */
export const pixelOnInjury = { script: 'pixel', ...onInjury } as const;

/** The v4 family's pixel, for affiliate 389 only (docs/specification.md#scripts-of-third-parties). */
export const adPixelOnInjury = { script: 'adPixel', affid: '389', ...onInjury } as const;
