import type { FieldRules } from '../fields/asked-fields.ts';
import type { CalendarDate } from '../fields/dates.ts';
import type { Flow } from '../flows/engine/flow.ts';
import type { WalkContext } from '../flows/engine/walk.ts';
import type { Survey } from '../flows/surveys.ts';
import type { ConsentText, PageSettings } from '../messages/site-settings.ts';
import type { Visit } from './visit.ts';

/** A consent text on a survey's page. */
export type PageConsent = Pick<ConsentText, 'version' | 'language'> & {
  /** Content of the element `#tcpa`. */
  readonly html: string;
  /** `consentDigest` of the text, by which a form posted without a script names it. */
  readonly digest: string;
  /** A note for browsers that send the opt-out signal. Not part of the consent. */
  readonly note?: string;
};

/** A survey with everything that a visit to it needs, in the browser and on the server. Plain data. */
export type SurveyData = {
  readonly survey: Survey;
  readonly flow: Flow;
  readonly flowVersion: string;
  readonly fields: FieldRules;
  /** The survey's inputs to the flow's conditions. */
  readonly facts: WalkContext['survey'];
  readonly settings: PageSettings;
  readonly consent: PageConsent;
  /** Consent texts of single steps, by step (one-to-one consent). */
  readonly stepConsents?: Readonly<Record<string, PageConsent>>;
  /** The day on which the page was rendered: the last one that its date lists offer. */
  readonly today: CalendarDate;
};

export function consentAt(
  { consent, stepConsents }: Pick<SurveyData, 'consent' | 'stepConsents'>,
  step: string,
): PageConsent {
  return stepConsents?.[step] ?? consent;
}

/**
 * Returns the inputs of a walk through the survey's flow.
 *
 * @param visit provides the initial state, read at each walk because a look-up may still set it
 */
export function walkContext(
  data: Pick<SurveyData, 'facts' | 'settings'>,
  today: CalendarDate,
  visit?: Pick<Visit, 'state'>,
): WalkContext {
  return {
    today,
    survey: data.facts,
    settings: { dateOfBirthStates: data.settings.dateOfBirthStates },
    get state() {
      return visit?.state;
    },
  };
}
