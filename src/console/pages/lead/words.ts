import type { StoryKind } from '../../../contract/console/leads.ts';
import type { Item } from '../../parts/controls.tsx';

/** What each kind of entry is called beside its time. */
export const kindLabels: Readonly<Record<StoryKind, string>> = {
  click: 'Click',
  step: 'Step',
  code: 'SMS',
  consent: 'Consent',
  revision: 'Post',
  decision: 'Rules',
  check: 'Check',
  attempt: 'Delivery',
  delivery: 'Delivery',
  event: 'Action',
};

/** A group of kinds by which the time line is filtered. */
export type KindGroup = {
  readonly id: string;
  readonly label: string;
  readonly kinds: readonly StoryKind[];
};

/** The filters of the time line, in the order of a visit. */
export const kindGroups: readonly KindGroup[] = [
  { id: 'visit', label: 'Visit', kinds: ['click', 'step', 'code'] },
  { id: 'consent', label: 'Consent', kinds: ['consent'] },
  { id: 'lead', label: 'Posts and rules', kinds: ['revision', 'decision'] },
  { id: 'check', label: 'Checks', kinds: ['check'] },
  { id: 'delivery', label: 'Deliveries', kinds: ['attempt', 'delivery'] },
  { id: 'event', label: 'Actions', kinds: ['event'] },
];

const reasonLabels: Readonly<Record<string, string>> = {
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
  visitor_asked: 'The visitor asked',
  complaint_received: 'A complaint came in',
  wrong_number: 'The number is somebody else’s',
  deletion_request: 'A deletion request came in',
  test_data: 'It is test data',
  other: 'Another reason',
};

/** Returns reasons as the items of a list. */
export function reasonItems(reasons: readonly string[]): Item[] {
  return reasons.map((id) => ({ id, label: reasonLabels[id] ?? id }));
}
