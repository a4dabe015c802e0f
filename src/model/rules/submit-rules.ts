import type { AskedFieldName } from '../fields/answers.ts';
import { askedFields } from '../fields/asked-fields.ts';

/** A flow's rules after the press of the last button (docs/specification.md#submit-sequence). */
export type SubmitRules = {
  /** The step that disqualified visitors see instead of the thank-you page. */
  readonly disqualifiedStep?: string;
  readonly thankYou?: ThankYouRules;
  readonly partnerTab?: PartnerTabRules;
  /** Selects the special states of the flow (docs/specification.md#special-states). */
  readonly specialStates?: 'most_populous';
  /** The flow checks only the length of a phone number (docs/specification.md#flows). */
  readonly phoneCheck?: 'length_only';
  readonly fields?: FieldMapping;
};

/** A flow's rules for the query of the thank-you page (docs/specification.md#thank-you-query). */
export type ThankYouRules = {
  /** `false` if the query has no contact details. */
  readonly contact?: false;
  /** `false` if the query has no `q`. */
  readonly decision?: false;
  /** Adds the reason of a disqualification to the query of visitors with a lawyer. */
  readonly reason?: 'lawyer';
  /** Adds `qualified=yes` to the query of qualified visitors. */
  readonly qualifiedYes?: true;
  readonly referer?: true;
};

/** The conditions under which the partner page opens for disqualified visitors. */
export type PartnerTabRules = {
  /** The partner page opens only for these values of `lawyer_redirect_reason`. */
  readonly onlyReasons?: readonly string[];
  /** The partner page does not open for visitors from these affiliates. */
  readonly exceptAffiliates?: readonly string[];
  /** The partner page does not open for visitors who answered this field with yes. */
  readonly exceptWhenYes?: AskedFieldName;
};

/** The changes of a flow to outgoing fields. */
export type FieldMapping = {
  /** Replaces the offer id and the affiliate id after a yes to this field. */
  readonly reroute?: {
    readonly whenYes: AskedFieldName;
    readonly to: { readonly oid: string; readonly affid: string };
  };
  readonly sets?: Readonly<Record<string, string>>;
  /** Maps each additional field to the field from which its value is copied. */
  readonly copies?: Readonly<Record<string, string>>;
  /** Adds the date of the accident (MM/DD/YYYY). */
  readonly dateAccidentOccurred?: true;
  readonly removes?: readonly string[];
};

/** Codes of the 50 states and DC. */
export const allStates: readonly string[] = askedFields.state.values ?? [];

/** The 25 most populous states in 2020. */
const mostPopulousStates: readonly string[] =
  'CA TX FL NY PA IL OH GA NC MI NJ VA WA AZ MA TN IN MD MO WI CO MN SC AL LA'.split(' ');

/** Returns the special states of a flow. */
export function disqualifiedStates(
  { specialStates }: Pick<SubmitRules, 'specialStates'> = {},
  setting: readonly string[] | undefined,
  usual: readonly string[],
): readonly string[] {
  return setting ?? (specialStates === 'most_populous' ? mostPopulousStates : usual);
}
