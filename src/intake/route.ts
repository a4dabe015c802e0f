/** Stage 4: chooses the offer and affiliate ids of the outgoing lead. */
import type { DerivedLead } from '../domain/derive.ts';
import type { Override } from '../domain/derive-fields.ts';
import type { RuleResult } from '../domain/qualification.ts';
import { routeSpecially } from '../domain/special-routing.ts';
import { specialStatesOf } from '../domain/special-states.ts';
import { trackingFields } from '../domain/tracking-fields.ts';
import type { LeadRules } from './context.ts';
import type { Posted } from './read.ts';
import type { SurveyEntry } from './survey-table.ts';

type RoutedLead = {
  /** The offer id before any rule: the click's, else the survey's. */
  readonly leadSource: string;
  /** The tracking fields, with the outgoing ids. */
  readonly fields: Posted;
  readonly changes: readonly Override[];
  readonly rule: RuleResult;
};

/** The ids for a lead of an unknown survey (docs/specification.md#offer-and-affiliate-ids). */
const defaultSource = { offerId: 81, affiliateId: 1 };

/** Chooses the click's ids, else the survey's; the rules for special cases override both. */
export function route(
  posted: Posted,
  derived: Pick<DerivedLead, 'fields' | 'decision'>,
  state: string | undefined,
  entry: Pick<SurveyEntry, 'survey' | 'flow'> | undefined,
  { specialStates }: Pick<LeadRules, 'specialStates'>,
): RoutedLead {
  const tracking = trackingFields(posted, entry?.survey ?? defaultSource);
  const { ids, changes, rule } = routeSpecially(
    {
      qualified: derived.decision.qualified,
      state,
      do_not_send_to_dq: derived.fields.do_not_send_to_dq,
      oid: tracking.oid,
      affid: tracking.affid,
    },
    // The buyer of disqualified leads buys accidents only.
    entry?.flow.rules?.isWithoutAccident
      ? []
      : specialStatesOf(entry?.flow.submit?.specialStates, specialStates),
  );
  return { leadSource: tracking.oid, fields: { ...tracking, ...ids }, changes, rule };
}
