import { type CalendarDate, formatIso } from '../fields/dates.ts';
import type { RuleResult } from '../rules/qualification.ts';
import {
  ruleId,
  type SaleRuling,
  type StateRuleSettings,
  saleRuling,
  tableCheckedOn,
} from '../rules/state-rules.ts';

/** The name of the rule in a lead's decisions. */
export const STATE_RULE = 'state_rule';

export type Sale = { readonly saleRuling: SaleRuling; readonly rule: RuleResult };

/** Decides whether a lead may be sold (docs/specification.md#rules-by-state). */
export function ruleOnSale(
  lead: {
    /** The states of the address and of the accident. */
    readonly states: readonly (string | undefined)[];
    readonly hasChosenFirm: boolean;
    readonly day: CalendarDate;
  },
  settings: StateRuleSettings,
): Sale {
  const { hasChosenFirm, day } = lead;
  const states = [...new Set(lead.states)].filter((each) => each !== undefined);
  const ruling = saleRuling({ states, day, hasChosenFirm }, settings);
  const { rule, change, decision, maySell } = ruling;
  const inputs = {
    states: states.join(' '),
    chosen_firm: hasChosenFirm ? 'yes' : 'no',
    decided_on: formatIso(day),
    decided_by: ruling.state,
    row: rule && ruleId(rule),
    since: rule?.from,
    source: rule?.source,
    checked_on: rule?.checkedOn ?? tableCheckedOn,
    operator_reason: change?.reason,
    operator_since: change?.from,
    may_be_sold: maySell ? 'yes' : 'no',
  };
  return { saleRuling: ruling, rule: { rule: STATE_RULE, inputs, result: decision } };
}

const DECISIONS = new Map([
  ['allowed', 'the sale is allowed'],
  ['needs_basis', 'the sale needs a basis that you state'],
  ['named_firm_only', 'only a named firm that the visitor chose may get the lead'],
  ['prohibited', 'the sale is prohibited'],
]);

/** Decides again about a lead, from the entry in its decisions. */
export function ruleAgain(
  { inputs: { states, chosen_firm } }: RuleResult,
  day: CalendarDate,
  settings: StateRuleSettings,
): Sale {
  const known = String(states).split(' ').filter(Boolean);
  return ruleOnSale({ states: known, hasChosenFirm: chosen_firm === 'yes', day }, settings);
}

/** Describes a stored ruling in one or two sentences. Returns '' if no rule is known. */
export function rulingText({ inputs, result }: RuleResult): string {
  const { decided_by, row, since, source, checked_on, operator_reason, operator_since } = inputs;
  if (row === undefined && operator_reason === undefined) return '';
  const decision = `${decided_by}: ${DECISIONS.get(String(result)) ?? result}.`;
  const law =
    row && `Rule ${row}, in force since ${since}, source ${source}, checked on ${checked_on}.`;
  const from = operator_since === undefined ? '' : ` from ${operator_since}`;
  const change = operator_reason && `STATE_RULES decides so${from}: “${operator_reason}”.`;
  return [decision, law, change].filter(Boolean).join(' ');
}
