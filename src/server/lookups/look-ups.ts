import type { BuyersAnswer, MappingAnswer } from '../../contract/buyers.ts';
import type {
  EmailCheckAnswer,
  PhoneCheckAnswer,
  TextCheckAnswer,
  ZipAnswer,
} from '../../contract/checks.ts';
import type { EstimateAnswer } from '../../contract/estimate.ts';
import type { Visitor } from '../../intake/visitor.ts';
import type { OwnedLead } from '../base/owned-lead.ts';
import type { ClickTracker } from './services.ts';

/** What a visit looks up before its lead is posted. */
export type LookUps = {
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
  /** Registers the visitor's click. Present only if our server registers clicks. */
  trackClick?: ClickTracker | undefined;
};
