import type { PageAlert } from '../../contract/alerts.ts';
import type { AcceptLead } from '../accept/accept-lead.ts';
import type { LookUps } from '../checks/look-ups.ts';
import type { VerifyPhone } from '../checks/verify-phone.ts';
import type { TakeContactForm } from '../site-forms/take-contact-form.ts';
import type { TakeOptOut } from '../site-forms/take-opt-out.ts';
import type { SaveProgress } from '../visits/save-progress.ts';
import type { SurveyForms } from '../visits/survey-forms.ts';

/** The use cases that the routes call. */
export type UseCases = LookUps & {
  readonly acceptLead: AcceptLead;
  readonly saveProgress: SaveProgress;
  readonly verifyPhone: VerifyPhone;
  readonly takeContactForm: TakeContactForm;
  readonly takeOptOut: TakeOptOut;
  /** Sends the operators an alert that a page requested. */
  tellOfPage(text: PageAlert): void;
  /** Surveys that use forms, without scripts. */
  readonly surveyForms: SurveyForms;
  /** Returns whether the database answers. */
  isReady(): Promise<boolean>;
};
