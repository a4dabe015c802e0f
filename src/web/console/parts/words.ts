import { type LeadFilterKey, NO_VALUE } from '../../../model/messages/console/leads.ts';
import {
  type ActionReason,
  disqualifications,
  type OpenReason,
} from '../../../model/messages/vocabulary.ts';
import type { Item } from './controls.tsx';

/** A key by which leads and visits can be filtered. */
export type ValueKey = Exclude<LeadFilterKey, 'from' | 'to' | 'by' | 'q'>;

/** The labels of the filter keys, in the order of the filter menu. */
export const keyNames: Readonly<Record<ValueKey | 'buyer', string>> = {
  lead: 'Lead',
  delivery: 'Delivery',
  destination: 'Destination',
  leftOut: 'Not to buyer',
  outcome: 'Buyers',
  qualified: 'Qualified',
  reason: 'Reason',
  hold: 'Held because',
  survey: 'Survey',
  source: 'Source',
  campaign: 'Campaign',
  sub: 'Sub id',
  affiliate: 'Affiliate',
  state: 'US state',
  language: 'Language',
  device: 'Device',
  buyer: 'Buyer',
  code: 'Rejection code',
  variant: 'Variant',
  tests: 'Test leads',
};
export const valueKeys = Object.keys(keyNames).filter((key) => key !== 'buyer') as ValueKey[];

/** Words for codes that people would not understand. */
const codeWords: Readonly<Record<string, string>> = {
  embedded: 'built in',
  passed_over: 'left out',
  dead: 'given up',
  has_buyer: 'another buyer has it',
  outside_states: 'not its state',
  closed_now: 'outside its hours',
  buyer_paused: 'destination paused',
  buyer_off: 'switched off',
};

/** Writes a code of the server in words, such as `no destination`. */
export function codeText(code: string): string {
  return codeWords[code] ?? code.replaceAll('_', ' ');
}

const outcomes: Readonly<Record<string, string>> = {
  delivered: 'a buyer took it',
  rejected: 'all refused it',
};
const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** Writes a value of a filter key in words. */
export function valueText(key: keyof typeof keyNames, value: string): string {
  if (value === '' || value === NO_VALUE) return key === 'source' ? 'direct' : 'none';
  switch (key) {
    case 'reason':
      return disqualifications[value] ?? value.replace('|', ': ');
    case 'language':
      return /^[a-z]{2}$/.test(value) ? (languageNames.of(value) ?? value) : value;
    case 'outcome':
      return outcomes[value] ?? value;
    case 'tests':
      return value === 'with' ? 'included' : value;
    case 'lead':
    case 'delivery':
    case 'hold':
    case 'leftOut':
      return codeText(value);
    default:
      return value;
  }
}

const reasonWords: Readonly<Record<Reason, string>> = {
  delivery_problem: 'A delivery has a problem',
  buyer_question: 'A buyer asked',
  visitor_request: 'The visitor asked',
  quality_check: 'Quality check',
  consent_reviewed: 'The consent was reviewed',
  contact_reviewed: 'The contact details were reviewed',
  address_reviewed: 'The address was reviewed',
  destination_fixed: 'The destination works again',
  no_consent_text: 'There is no consent text',
  not_a_person: 'It is not from a real person',
  same_person_again: 'We have this person already',
  buyer_asked: 'The buyer asked for it',
  answer_lost: 'The answer was lost',
  asked_by_call: 'The person called',
  asked_by_email: 'The person wrote an e-mail',
  asked_by_letter: 'The person wrote a letter',
  asked_by_sms: 'The person sent a text message',
  complaint_received: 'A complaint came in',
  wrong_number: 'The number belongs to another person',
  recipient_wrote: 'The recipient wrote that it stopped',
  recipient_said: 'The recipient said on the phone that it stopped',
  deletion_request: 'A deletion request came in',
  test_data: 'It is test data',
  person_consented: 'The person has consented again',
  mistake: 'The entry was a mistake',
  price_agreed: 'We agreed on another price',
  statement_accepted: 'We accept what the buyer’s statement says',
  cost_corrected: 'The cost was wrong',
  other: 'Another reason',
};
type Reason = OpenReason | ActionReason;

export function reasonItems(reasons: readonly Reason[]): Item[] {
  return reasons.map((id) => ({ id, label: reasonWords[id] }));
}
