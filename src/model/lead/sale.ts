import { type CalendarDate, formatIso } from '../fields/dates.ts';
import type { RuleResult } from '../rules/qualification.ts';
import {
  ruleId,
  type StateRuleSettings,
  saleRuling,
  tableCheckedOn,
} from '../rules/state-rules.ts';

/** The name of the rule in a lead's decisions. */
export const STATE_RULE = 'state_rule';

/** Decides whether a lead may be sold (docs/specification.md#rules-by-state). */
export function ruleOnSale(
  lead: {
    /** The states of the address and of the accident. */
    readonly states: readonly (string | undefined)[];
    readonly hasChosenFirm: boolean;
    readonly day: CalendarDate;
  },
  settings: StateRuleSettings,
): RuleResult {
  const { hasChosenFirm, day } = lead;
  const states = [...new Set(lead.states)].filter((each) => each !== undefined);
  const ruling = saleRuling({ states, day, hasChosenFirm }, settings);
  const { state, decision, rule, change, maySell } = ruling;
  const inputs = {
    states: states.join(' '),
    chosen_firm: hasChosenFirm ? 'yes' : 'no',
    decided_on: formatIso(day),
    decided_by: state,
    row: rule && ruleId(rule),
    since: rule?.from,
    source: rule?.source,
    checked_on: rule?.checkedOn ?? tableCheckedOn,
    operator_reason: change?.reason,
    operator_since: change?.from,
    may_be_sold: maySell ? 'yes' : 'no',
  };
  return { rule: STATE_RULE, inputs, result: decision };
}

/** Returns the ruling in a lead's decisions; undefined if there is none. */
export function saleRuleOf(decisions: readonly unknown[]): RuleResult | undefined {
  return (decisions as readonly RuleResult[]).find(({ rule }) => rule === STATE_RULE);
}

export function mayBeSold(ruling: RuleResult | undefined): boolean {
  return ruling?.inputs.may_be_sold !== 'no';
}

const DECISIONS = new Map<unknown, string>([
  ['allowed', 'the sale is allowed'],
  ['needs_basis', 'the sale needs a basis that you state'],
  ['named_firm_only', 'only a named firm that the visitor chose may get the lead'],
  ['prohibited', 'the sale is prohibited'],
]);

/** Describes a ruling. Returns '' if no rule is known. */
export function rulingText(ruling: RuleResult | undefined): string {
  const { decided_by, row, since, source, checked_on, ...own } = ruling?.inputs ?? {};
  if (row === undefined && own.operator_reason === undefined) return '';
  const decision = `${decided_by}: ${DECISIONS.get(ruling?.result)}.`;
  const law =
    row && `Rule ${row}, in force since ${since}, source ${source}, checked on ${checked_on}.`;
  const from = own.operator_since === undefined ? '' : ` from ${own.operator_since}`;
  const change = own.operator_reason && `STATE_RULES decides so${from}: “${own.operator_reason}”.`;
  return [decision, law, change].filter(Boolean).join(' ');
}
