import type { BuyersAnswer, MappingAnswer } from '../../contract/buyers.ts';
import type {
  EmailCheckAnswer,
  PhoneCheckAnswer,
  TextCheckAnswer,
  ZipAnswer,
} from '../../contract/checks.ts';
import type { EstimateAnswer } from '../../contract/estimate.ts';
import type { PostLeadAnswer } from '../../contract/lead.ts';
import type { SaveDataAnswer } from '../../contract/progress.ts';
import type { Visitor } from './visitor.ts';

/** Everything that the routes can ask for. */
export type UseCases = {
  /**
   * Takes a post of a lead: a JSON object with a well-formed `lead_id`, whatever else is in it.
   * @throws StoreUnavailableError when it could not be stored
   */
  acceptLead(body: Readonly<Record<string, unknown>>, visitor: Visitor): Promise<PostLeadAnswer>;
  /** Stores steps; a store that is away is answered with both flags false. */
  saveProgress(body: Readonly<Record<string, unknown>>, visitor: Visitor): Promise<SaveDataAnswer>;
  lookUpZip(zip: string): ZipAnswer;
  checkPhone(phone: string, survey: string): Promise<PhoneCheckAnswer>;
  checkEmail(email: string, leadId: string): Promise<EmailCheckAnswer>;
  checkText(text: string): TextCheckAnswer;
  /** Looks up and keeps the ingest account of a lead to come. */
  mapLead(request: {
    leadId: string;
    survey: string;
    affid: number;
    oid: number;
  }): Promise<MappingAnswer>;
  /** The buyers that a visitor may choose from: a JSON object with lead_id, survey and zip_code. */
  offerBuyers(body: Readonly<Record<string, unknown>>): Promise<BuyersAnswer>;
  /** The compensation level of a case: any JSON object, of which only known answers count. */
  estimate(body: Readonly<Record<string, unknown>>): Promise<EstimateAnswer>;
  /** Whether this affiliate's visitors get their contact fields prefilled. */
  checkPrefill(affid: string): Promise<boolean>;
  /** Whether the database answers. */
  isReady(): Promise<boolean>;
};
