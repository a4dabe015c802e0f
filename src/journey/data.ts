import type { ConsentText, PageSettings } from '../contract/site-settings.ts';
import type { FieldRules } from '../domain/asked-fields.ts';
import type { CalendarDate } from '../domain/dates.ts';
import type { Flow } from '../flows/engine/flow.ts';
import type { WalkContext } from '../flows/engine/walk.ts';
import type { Survey } from '../flows/surveys.ts';

/** A consent text as a survey's page shows it. */
export type PageConsent = Pick<ConsentText, 'version' | 'language'> & {
  /** Content of the element `#tcpa`. */
  readonly html: string;
  /** `consentDigest` of the text. A form that is posted without a script names its text by it. */
  readonly digest: string;
  /** What the page says beside the text to a browser that sends the opt-out signal. Not part of the consent. */
  readonly note?: string;
};

/** What a journey through a survey depends on, in the browser and on the server. Plain data. */
export type JourneyData = {
  readonly survey: Survey;
  readonly flow: Flow;
  /** `flowVersion` of the flow. */
  readonly flowVersion: string;
  /** The rules of the fields that the flow asks in inputs. */
  readonly fields: FieldRules;
  /** What the flow's conditions need to know of the survey. */
  readonly facts: WalkContext['survey'];
  readonly settings: PageSettings;
  readonly consent: PageConsent;
  /** Consent texts of steps that have their own (one-to-one consent), by step. */
  readonly stepConsents?: Readonly<Record<string, PageConsent>>;
  /** The day on which the page was rendered. Its lists offer the years up to this day. */
  readonly today: CalendarDate;
};

/** Returns the consent text that a step shows: its own, or the survey's. */
export function consentAt(
  { consent, stepConsents }: Pick<JourneyData, 'consent' | 'stepConsents'>,
  step: string,
): PageConsent {
  return stepConsents?.[step] ?? consent;
}
