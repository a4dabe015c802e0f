import type { AskedFieldName } from '../fields/answers.ts';
import { askedFields } from '../fields/asked-fields.ts';

/** A flow's deviations from the usual submit sequence (docs/specification.md#submit-sequence). */
export type SubmitRules = {
  /** The disqualified visitor's last step, in place of the thank-you page (one-page form). */
  readonly disqualifiedStep?: string;
  readonly thankYou?: ThankYouRules;
  readonly partnerTab?: PartnerTabRules;
  /** The states of the routing (default: all) and of the closed partner tab (default: none). */
  readonly specialStates?: 'most_populous';
  /** Checks only the phone number's length (docs/specification.md#flows). */
  readonly phoneCheck?: 'length_only';
  readonly fields?: FieldMapping;
};

/** A flow's deviations from the usual thank-you query (docs/specification.md#thank-you-query). */
export type ThankYouRules = {
  /** Only affid, sub_id and q (one-page form). */
  readonly contact?: false;
  /** Omits `q` (ticket flow). */
  readonly decision?: false;
  /** Adds `is_disqualified=true` and `dq_reason` to leads disqualified by a lawyer answer (VW3). */
  readonly reason?: 'lawyer';
  /** Adds `qualified=yes` (progress-bar variant). */
  readonly qualifiedYes?: true;
  /** Adds `referer` (three-step form). */
  readonly referer?: true;
};

/** When a disqualified visitor's partner page does not open, besides the closed states. */
export type PartnerTabRules = {
  /** Opens only for these values of `lawyer_redirect_reason` (VW3). */
  readonly onlyReasons?: readonly string[];
  /** Does not open for these affiliates (VW3: 20 and 23). */
  readonly exceptAffiliates?: readonly string[];
  /** Does not open if this field was answered with yes (DUI branch). */
  readonly exceptWhenYes?: AskedFieldName;
};

/** How a flow's fields become the posted fields; applied in this order. */
export type FieldMapping = {
  /** Another lead source and affiliate after a yes. `original_*` keep the replaced ids. */
  readonly reroute?: {
    readonly whenYes: AskedFieldName;
    readonly oid: string;
    readonly affid: string;
  };
  /** Fixed values. */
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
 * Returns the states of a rule for disqualified visitors: the operator's setting, else the flow's list, else the
 * usual ones. The rules are the routing of leads (docs/specification.md#special-states; usually all states) and
 * the closed partner tab (docs/specification.md#partner-tab; usually none).
 */
export function disqualifiedStates(
  { specialStates }: Pick<SubmitRules, 'specialStates'> = {},
  setting: readonly string[] | undefined,
  usual: readonly string[],
): readonly string[] {
  return setting ?? (specialStates === 'most_populous' ? mostPopulousStates : usual);
}
