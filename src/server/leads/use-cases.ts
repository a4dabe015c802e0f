import type { PageAlert } from '../../contract/alerts.ts';
import type { BuyersAnswer, MappingAnswer } from '../../contract/buyers.ts';
import type {
  EmailCheckAnswer,
  PhoneCheckAnswer,
  TextCheckAnswer,
  ZipAnswer,
} from '../../contract/checks.ts';
import type { EstimateAnswer } from '../../contract/estimate.ts';
import type { PostLeadAnswer } from '../../contract/lead.ts';
import type { PhoneCodeAnswer } from '../../contract/phone-code.ts';
import type { SaveDataAnswer } from '../../contract/progress.ts';
import type { Language } from '../../domain/language.ts';
import type { Visitor } from '../../intake/visitor.ts';
import type { ClickTracker, OwnedLead } from './ports.ts';
import type { SurveyForms } from './survey-forms.ts';
import type { TakenContactForm } from './take-contact-form.ts';
import type { TakenOptOut } from './take-opt-out.ts';
import type { VerifyPhoneRequest } from './verify-phone.ts';

/** The use cases that the routes call. */
export type UseCases = {
  /**
   * Accepts the post of a lead: a JSON object with a well-formed `lead_id`, whatever else it holds.
   * @param options.ifErased what to do with the owner's post to an erased lead; `claim`: store it as a disputed post
   * @throws StoreUnavailableError if it could not be stored
   * @throws OverLimitError beyond a limit of the lead or the address
   * @throws LeadErasedError
   */
  acceptLead(
    body: Readonly<Record<string, unknown>>,
    visitor: Visitor,
    options?: { readonly ifErased?: 'claim' | 'refuse' },
  ): Promise<PostLeadAnswer>;
  /** Stores steps. Both flags are false if the store is unavailable. */
  saveProgress(body: Readonly<Record<string, unknown>>, visitor: Visitor): Promise<SaveDataAnswer>;
  /** @param lead the lead with which the answer is recorded, here and in the checks below */
  lookUpZip(zip: string, lead?: OwnedLead): Promise<ZipAnswer>;
  checkPhone(
    phone: string,
    survey: string,
    lead: OwnedLead | undefined,
    visitor: Pick<Visitor, 'networkKey'>,
  ): Promise<PhoneCheckAnswer>;
  checkEmail(
    email: string,
    leadId: string,
    visitor: Pick<Visitor, 'addressKey' | 'networkKey' | 'secretSha256'>,
  ): Promise<EmailCheckAnswer>;
  /** Sends a code to a phone number, or checks one. */
  verifyPhone(
    request: VerifyPhoneRequest,
    visitor: Pick<Visitor, 'secretSha256' | 'networkKey'>,
  ): Promise<PhoneCodeAnswer>;
  checkText(text: string, lead?: OwnedLead): Promise<TextCheckAnswer>;
  /** Looks up and stores the ingest account of a future lead. */
  mapLead(request: {
    leadId: string;
    secretSha256: string | null;
    survey: string;
    affid: number;
    oid: number;
  }): Promise<MappingAnswer>;
  /**
   * Finds the buyers that a visitor may choose from.
   * @param body a JSON object with `lead_id`, `survey` and `zip_code`
   * @throws OverLimitError beyond the buyer lists that one lead may have
   */
  findBuyers(
    body: Readonly<Record<string, unknown>>,
    visitor: Pick<Visitor, 'secretSha256'>,
  ): Promise<BuyersAnswer>;
  /** Estimates the compensation level of a case from the known answers in a JSON object. */
  estimate(body: Readonly<Record<string, unknown>>): Promise<EstimateAnswer>;
  /** Returns whether to prefill the contact fields of an affiliate's visitors. */
  checkPrefill(affid: string): Promise<boolean>;
  /**
   * Takes a contact form that was posted without scripts.
   * @param posted the fields as typed
   * @param click the fields of the visit's click
   * @throws StoreUnavailableError if it could not be stored
   */
  takeContactForm(
    posted: Readonly<Record<string, string>>,
    language: Language,
    visitor: Visitor,
    click?: Readonly<Record<string, string>>,
  ): Promise<TakenContactForm>;
  /**
   * Records a do-not-sell request.
   * @throws StoreUnavailableError if it could not be recorded
   */
  takeOptOut(
    posted: Readonly<Record<string, string>>,
    language: Language,
    visitor: Visitor,
  ): Promise<TakenOptOut>;
  /** Sends the operators an alert that a page requested. */
  tellOfPage(text: PageAlert): void;
  /** Registers the visitor's click. Present only if our server registers clicks. */
  trackClick?: ClickTracker | undefined;
  /** Surveys that use forms, without scripts. */
  readonly surveyForms: SurveyForms;
  /** Returns whether the database answers. */
  isReady(): Promise<boolean>;
};
