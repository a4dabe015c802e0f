import type { AskedFieldName } from './answers.ts';
import { isYes } from './answers.ts';
import { formatUs, parseIso } from './dates.ts';

/**
 * What a flow does differently when its lead is sent. Part of the flow's data; without any of it a flow
 * does what docs/specification.md#submit-sequence says.
 */
export type SubmitRules = {
  /** The step that a disqualified visitor ends on instead of the thank-you page (one-page form). */
  readonly disqualifiedStep?: string;
  readonly thankYou?: ThankYouRules;
  readonly partnerTab?: PartnerTabRules;
  /**
   * The flow's own states, for both lists: those whose leads are routed (else all) and those that keep
   * the partner tab closed (else none).
   */
  readonly specialStates?: 'most_populous';
  /** Only the length of the phone number is checked (docs/specification.md#short-form-flow). */
  readonly phoneCheck?: 'length_only';
  readonly fields?: FieldMapping;
};

/** What a flow's thank-you query carries (docs/specification.md#thank-you-query). */
export type ThankYouRules = {
  /** affid, sub_id and q only (one-page form). */
  readonly contact?: false;
  /** No `q`: the query ends with affid and sub_id (ticket flow). */
  readonly decision?: false;
  /** `is_disqualified=true` and `dq_reason` for leads disqualified by a lawyer answer (VW3). */
  readonly reason?: 'lawyer';
  /** `qualified=yes` (progress-bar variant). */
  readonly qualifiedYes?: true;
  /** `referer` (three-step form). */
  readonly referer?: true;
};

/** When a disqualified visitor's partner page does not open; the closed states come on top. */
export type PartnerTabRules = {
  /** It opens only for these values of `lawyer_redirect_reason` (VW3). */
  readonly onlyReasons?: readonly string[];
  /** It never opens for these affiliates (VW3: 20 and 23). */
  readonly exceptAffiliates?: readonly string[];
  /** It does not open when this was answered with yes (DUI branch). */
  readonly exceptWhenYes?: AskedFieldName;
};

/** How the fields as they are posted are made of those of the flow, in this order. */
export type FieldMapping = {
  /** Another lead source and affiliate after a yes; the ids replaced are kept in `original_*`. */
  readonly reroute?: {
    readonly whenYes: AskedFieldName;
    readonly oid: string;
    readonly affid: string;
  };
  /** Fixed values. */
  readonly sets?: Readonly<Record<string, string>>;
  /** New name to the field whose value it gets. */
  readonly copies?: Readonly<Record<string, string>>;
  /** `date_accident_occurred` (MM/DD/YYYY) is the best accident date known. */
  readonly dateAccidentOccurred?: true;
  /** Fields that are not sent. */
  readonly removes?: readonly string[];
};

/** A field that a rule replaced, for the record. */
export type FieldChange = {
  readonly field: string;
  readonly answered: string;
  readonly becomes: string;
  readonly rule: string;
};

/** The rule that explains another lead source and affiliate. */
export const REROUTE_RULE = 'routing.after_yes';

/**
 * The fields of a lead as its flow posts them (docs/specification.md#fields-added-at-submit). Pure; the
 * fields given stay as they are.
 */
export function submitFields(
  given: Readonly<Record<string, string>>,
  mapping: FieldMapping | undefined,
): { fields: Record<string, string>; changes: FieldChange[] } {
  const fields: Record<string, string> = { ...given };
  const changes: FieldChange[] = [];
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
