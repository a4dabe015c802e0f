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

/** Everything that the routes can ask for. */
export type UseCases = {
  /**
   * Takes a post of a lead: a JSON object with a well-formed `lead_id`, whatever else is in it.
   * @param options.ifErased what becomes of its owner's post to an erased lead; `claim`: it is kept apart, held
   * @throws StoreUnavailableError when it could not be stored
   * @throws OverLimitError when it is beyond what is kept of one lead
   * @throws LeadErasedError
   */
  acceptLead(
    body: Readonly<Record<string, unknown>>,
    visitor: Visitor,
    options?: { readonly ifErased?: 'claim' | 'refuse' },
  ): Promise<PostLeadAnswer>;
  /** Stores steps. Both flags are false while the store is away. */
  saveProgress(body: Readonly<Record<string, unknown>>, visitor: Visitor): Promise<SaveDataAnswer>;
  /** @param lead that the answer is recorded with; so in the checks below */
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
  /** Has a code sent to a number, or tries one. */
  verifyPhone(
    request: VerifyPhoneRequest,
    visitor: Pick<Visitor, 'secretSha256' | 'networkKey'>,
  ): Promise<PhoneCodeAnswer>;
  checkText(text: string, lead?: OwnedLead): Promise<TextCheckAnswer>;
  /** Looks up and keeps the ingest account of a lead to come. */
  mapLead(request: {
    leadId: string;
    secretSha256: string | null;
    survey: string;
    affid: number;
    oid: number;
  }): Promise<MappingAnswer>;
  /**
   * The buyers that a visitor may choose from: a JSON object with lead_id, survey and zip_code.
   * @throws OverLimitError beyond the buyer lists that are kept of one lead
   */
  findBuyers(
    body: Readonly<Record<string, unknown>>,
    visitor: Pick<Visitor, 'secretSha256'>,
  ): Promise<BuyersAnswer>;
  /** The compensation level of a case: any JSON object, of which only known answers count. */
  estimate(body: Readonly<Record<string, unknown>>): Promise<EstimateAnswer>;
  /** Whether this affiliate's visitors get their contact fields prefilled. */
  checkPrefill(affid: string): Promise<boolean>;
  /**
   * Takes a contact form that a browser posted by itself, as it was typed.
   * @param click the fields of the visit's click
   * @throws StoreUnavailableError when it could not be stored
   */
  takeContactForm(
    posted: Readonly<Record<string, string>>,
    language: Language,
    visitor: Visitor,
    click?: Readonly<Record<string, string>>,
  ): Promise<TakenContactForm>;
  /**
   * Takes a do-not-sell request, as it was typed.
   * @throws StoreUnavailableError when it could not be recorded
   */
  takeOptOut(
    posted: Readonly<Record<string, string>>,
    language: Language,
    visitor: Visitor,
  ): Promise<TakenOptOut>;
  /** Tells the operators what a page of ours has caused. */
  tellOfPage(text: PageAlert): void;
  /** Makes the visitor's click: its transaction id, or ''. There where our server makes the clicks. */
  trackClick?: ClickTracker | undefined;
  /** A survey answered by forms, where no script runs. */
  readonly surveyForms: SurveyForms;
  /** Whether the database answers. */
  isReady(): Promise<boolean>;
};
