import type { PageAlert } from '../../model/messages/alerts.ts';
import type { PageSpeed } from '../../model/messages/page-speed.ts';
import type { Checks, VerifyPhone } from '../checks/index.ts';
import type { AcceptLead, SaveProgress, SurveyForms, TakeContactForm } from '../leads/index.ts';
import type { NewOutcome, TakenOutcomes } from '../money/index.ts';
import type { TakeOptOut } from '../privacy/index.ts';
import type { Settings } from '../settings/settings.ts';

/** The options of the plugins with the routes of the API. */
export type ApiOptions = { readonly useCases: UseCases; readonly settings: Settings };

/** The use cases that the routes call. */
export type UseCases = Checks & {
  readonly acceptLead: AcceptLead;
  readonly saveProgress: SaveProgress;
  readonly verifyPhone: VerifyPhone;
  readonly takeContactForm: TakeContactForm;
  readonly takeOptOut: TakeOptOut;
  /** Suppresses the person with a phone number who revoked consent by text message. */
  takeStop(phone: string): Promise<void>;
  /** Stores an outcome that a buyer reports. */
  takeOutcome(buyer: string, outcome: NewOutcome): Promise<TakenOutcomes>;
  /** Counts the speed of a page view. Returns false if there is no such page or step. */
  countSpeed(speed: PageSpeed): Promise<boolean>;
  /** Sends an alert of a visitor's page to the operators. */
  sendPageAlert(text: PageAlert): void;
  readonly surveyForms: SurveyForms;
  /** Returns whether the database answers. */
  isReady(): Promise<boolean>;
};
