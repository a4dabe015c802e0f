import type { AskedFieldName } from '../fields/answers.ts';
import { isYes } from '../fields/answers.ts';
import { formatUs, parseIso } from '../fields/dates.ts';
import type { Override } from './derive-fields.ts';

/** A flow's deviations from the usual submit sequence (docs/specification.md#submit-sequence). */
export type SubmitRules = {
  /** The disqualified visitor's last step, in place of the thank-you page (one-page form). */
  readonly disqualifiedStep?: string;
  readonly thankYou?: ThankYouRules;
  readonly partnerTab?: PartnerTabRules;
  /**
   * The states whose leads are routed (default: all) and in which the partner tab stays closed
   * (default: none).
   */
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
type FieldMapping = {
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

const REROUTE_RULE = 'routing.after_yes';

/** Returns a lead's fields as its flow posts them (docs/specification.md#fields-added-at-submit). */
export function submitFields(
  given: Readonly<Record<string, string>>,
  mapping: FieldMapping | undefined,
): { fields: Record<string, string>; changes: Override[] } {
  const fields: Record<string, string> = { ...given };
  const changes: Override[] = [];
  const { reroute, sets = {}, copies = {}, dateAccidentOccurred, removes = [] } = mapping ?? {};
  if (reroute && isYes(fields[reroute.whenYes])) {
    for (const name of ['oid', 'affid'] as const) {
      const answered = fields[name] ?? '';
      fields[`original_${name}`] = answered;
      fields[name] = reroute[name];
      changes.push({ field: name, answered, becomes: reroute[name], rule: REROUTE_RULE });
    }
  }
  Object.assign(fields, sets);
  for (const [name, source] of Object.entries(copies)) fields[name] = given[source] ?? '';
  if (dateAccidentOccurred) {
    const { injury_year, injury_month, injury_day } = fields;
    const date = parseIso(`${injury_year}-${injury_month}-${injury_day}`);
    if (date) fields.date_accident_occurred = formatUs(date);
  }
  for (const name of removes) delete fields[name];
  return { fields, changes };
}
