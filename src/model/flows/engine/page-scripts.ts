import type { Choice } from './flow.ts';

/** A third-party script that a flow may load (docs/specification.md#scripts-of-third-parties). */
export type ScriptName = 'pixel' | 'caseWorth' | 'ticket' | 'adPixel';

/**
 * When a flow loads a third-party script: once per page load, as soon as all given conditions hold.
 * `Name` is the union of the flow's step names.
 */
export type ScriptRule<Name extends string = string> = {
  readonly script: ScriptName;
  /** While this step is on screen. */
  readonly at?: Name;
  /** After this step was answered, with `answer` if that is given. */
  readonly after?: Name;
  readonly answer?: Choice;
  /** Loads only for this affiliate's visitors. */
  readonly affid?: string;
};

const onInjury = { after: 'WasUserInjured', answer: { physical_injury: 'Yes' } } as const;

/** Loads the tracking pixel after Yes to injury. */
export const pixelOnInjury = { script: 'pixel', ...onInjury } as const;

/** Loads the v4 family's ad pixel after Yes to injury, for affiliate 389 only. */
export const adPixelOnInjury = { script: 'adPixel', affid: '389', ...onInjury } as const;
