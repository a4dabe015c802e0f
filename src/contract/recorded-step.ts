/** The step of a survey that asked for consent, as evidence packs draw it (`src/site/rebuilt-step.tsx`). */
import type { Experiment } from '../flows/experiments.ts';
import type { Survey } from '../flows/surveys.ts';
import type { SiteSettings } from './site-settings.ts';

/** What was recorded of the step. */
export type RecordedStep = {
  /** The survey's path, and the version of its questions. */
  readonly path: string;
  readonly pageVersion: string;
  /** The visitor's variants of the experiments. */
  readonly variants: string;
  /** The browser sent the opt-out signal. */
  readonly hasSignal: boolean;
  readonly ranScripts: boolean;
  readonly at: Date;
  /** Such as `harbor dark`; empty: not known. */
  readonly theme: string;
  readonly text: string;
  readonly buyers: readonly {
    readonly name: string;
    readonly ids: readonly string[];
    readonly chosen: boolean;
  }[];
  /** The posted answers, which lead to the step, and the contact details on it. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly fields: Readonly<Record<string, unknown>>;
};

/** Returns a page with the step; undefined if the survey has other questions by now. */
export type StepRebuilder = (
  recorded: RecordedStep,
  site: {
    readonly surveys: readonly Survey[];
    readonly experiments: readonly Experiment[];
    readonly timeZone: string;
    readonly site: SiteSettings;
  },
) => Promise<string | undefined>;
