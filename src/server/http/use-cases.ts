import type { PageAlert } from '../../model/messages/alerts.ts';
import type { LookUps } from '../checks/look-ups.ts';
import type { VerifyPhone } from '../checks/verify-phone.ts';
import type { AcceptLead } from '../leads/accept-lead.ts';
import type { SaveProgress } from '../leads/save-progress.ts';
import type { SurveyForms } from '../leads/survey-forms.ts';
import type { TakeContactForm } from '../leads/take-contact-form.ts';
import type { TakeOptOut } from '../privacy/index.ts';

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
