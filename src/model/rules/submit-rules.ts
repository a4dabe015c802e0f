import type { AskedFieldName } from '../fields/answers.ts';
import { askedFields } from '../fields/asked-fields.ts';

/** A flow's deviations from the usual submit sequence (docs/specification.md#submit-sequence). */
export type SubmitRules = {
  /** The step that disqualified visitors see in place of the thank-you page (one-page form). */
  readonly disqualifiedStep?: string;
  readonly thankYou?: ThankYouRules;
  readonly partnerTab?: PartnerTabRules;
  /** `disqualifiedStates` returns the 25 most populous states. */
  readonly specialStates?: 'most_populous';
  /** The phone check looks only at the number's length (docs/specification.md#flows). */
  readonly phoneCheck?: 'length_only';
  readonly fields?: FieldMapping;
};

/** A flow's deviations from the usual thank-you query (docs/specification.md#thank-you-query). */
export type ThankYouRules = {
  /** The query has only affid, sub_id and q (one-page form). */
  readonly contact?: false;
  /** Omits `q` (ticket flow). */
  readonly decision?: false;
  /** Adds `is_disqualified=true` and `dq_reason` for leads that a lawyer answer disqualified (VW3). */
  readonly reason?: 'lawyer';
  /** Adds `qualified=yes` (progress-bar variant). */
  readonly qualifiedYes?: true;
  /** Adds `referer` (three-step form). */
  readonly referer?: true;
};

/** Further conditions of the partner page of disqualified visitors, besides the closed states. */
export type PartnerTabRules = {
  /** The page opens only for these values of `lawyer_redirect_reason` (VW3). */
  readonly onlyReasons?: readonly string[];
  /** The page does not open for these affiliates (VW3: 20 and 23). */
  readonly exceptAffiliates?: readonly string[];
  /** The page does not open after a yes to this field (DUI branch). */
  readonly exceptWhenYes?: AskedFieldName;
};

/** Changes to the outgoing fields of a flow's leads, applied in this order. */
export type FieldMapping = {
  /** Replaces lead source and affiliate after a yes. `original_*` have the replaced ids. */
  readonly reroute?: {
    readonly whenYes: AskedFieldName;
    readonly oid: string;
    readonly affid: string;
  };
  /** Fields with fixed values. */
  readonly sets?: Readonly<Record<string, string>>;
  /** New field names and the fields to copy. */
  readonly copies?: Readonly<Record<string, string>>;
  /** Sets `date_accident_occurred` (MM/DD/YYYY) to the best known accident date. */
  readonly dateAccidentOccurred?: true;
  /** Fields not to send. */
  readonly removes?: readonly string[];
};

/** Codes of the 50 states and DC. */
export const allStates: readonly string[] = askedFields.state.values ?? [];

/** The 25 most populous states (2020 census), for variants with 25 unnamed states. */
const mostPopulousStates: readonly string[] =
  'CA TX FL NY PA IL OH GA NC MI NJ VA WA AZ MA TN IN MD MO WI CO MN SC AL LA'.split(' ');

/**
 * Returns the states of a rule for disqualified visitors: the operator's setting, else the flow's states, else
 * the default. The rules are docs/specification.md#special-states and docs/specification.md#partner-tab.
 */
export function disqualifiedStates(
  { specialStates }: Pick<SubmitRules, 'specialStates'> = {},
  setting: readonly string[] | undefined,
  usual: readonly string[],
): readonly string[] {
  return setting ?? (specialStates === 'most_populous' ? mostPopulousStates : usual);
}
