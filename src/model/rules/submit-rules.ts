import type { AskedFieldName } from '../fields/answers.ts';
import { askedFields } from '../fields/asked-fields.ts';

/** A flow's differences after the last button (docs/specification.md#submit-sequence). */
export type SubmitRules = {
  /** The step that disqualified visitors see in place of the thank-you page. */
  readonly disqualifiedStep?: string;
  readonly thankYou?: ThankYouRules;
  readonly partnerTab?: PartnerTabRules;
  /** The special states are the 25 most populous states (docs/specification.md#special-states). */
  readonly specialStates?: 'most_populous';
  /** A phone number needs only the right length (docs/specification.md#flows). */
  readonly phoneCheck?: 'length_only';
  readonly fields?: FieldMapping;
};

/** A flow's differences from the usual thank-you query (docs/specification.md#thank-you-query). */
export type ThankYouRules = {
  /** `false`: the query has only affid, sub_id and q. */
  readonly contact?: false;
  /** `false`: the query has no `q`. */
  readonly decision?: false;
  /** A disqualified visitor with a lawyer gets `is_disqualified=true` and `dq_reason`. */
  readonly reason?: 'lawyer';
  /** The query of a qualified visitor has `qualified=yes`. */
  readonly qualifiedYes?: true;
  readonly referer?: true;
};

/** Conditions under which disqualified visitors get the partner page. */
export type PartnerTabRules = {
  /** The partner page opens only for these values of `lawyer_redirect_reason`. */
  readonly onlyReasons?: readonly string[];
  /** The partner page does not open for visitors from these affiliates. */
  readonly exceptAffiliates?: readonly string[];
  /** The partner page does not open if the visitor answered this field with yes. */
  readonly exceptWhenYes?: AskedFieldName;
};

/** A flow's changes to the outgoing fields, in order. */
export type FieldMapping = {
  /** Replaces the ids after a yes to a field. `original_oid` and `original_affid`: the old ids. */
  readonly reroute?: {
    readonly whenYes: AskedFieldName;
    readonly oid: string;
    readonly affid: string;
  };
  readonly sets?: Readonly<Record<string, string>>;
  /** Maps each additional field to the field from which its value is copied. */
  readonly copies?: Readonly<Record<string, string>>;
  /** Sets `date_accident_occurred` to the accident's date, MM/DD/YYYY. */
  readonly dateAccidentOccurred?: true;
  readonly removes?: readonly string[];
};

/** Codes of the 50 states and DC. */
export const allStates: readonly string[] = askedFields.state.values ?? [];

/** The 25 most populous states by the census of 2020. */
const mostPopulousStates: readonly string[] =
  'CA TX FL NY PA IL OH GA NC MI NJ VA WA AZ MA TN IN MD MO WI CO MN SC AL LA'.split(' ');

/** Returns the setting, else the flow's special states, else `usual`. */
export function disqualifiedStates(
  { specialStates }: Pick<SubmitRules, 'specialStates'> = {},
  setting: readonly string[] | undefined,
  usual: readonly string[],
): readonly string[] {
  return setting ?? (specialStates === 'most_populous' ? mostPopulousStates : usual);
}
