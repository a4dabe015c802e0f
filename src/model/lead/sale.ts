import { formatIso } from '../fields/dates.ts';
import type { RuleResult } from '../rules/qualification.ts';
import {
  type SaleFacts,
  type StateRuleSettings,
  saleRuling,
  tableCheckedOn,
} from '../rules/state-rules.ts';
import { SPECIAL_STATE_RULE } from './decide.ts';

const STATE_RULE = 'state_rule';

/** Decides whether a lead may be sold (docs/specification.md#rules-by-state). */
export function ruleOnSale(facts: SaleFacts, settings: StateRuleSettings): RuleResult {
  const { state, decision, rule, change, maySell } = saleRuling(facts, settings);
  const inputs = {
    states: [...new Set(facts.states)].join(' ').trim(),
    chosen_firm: facts.hasChosenFirm ? 'yes' : 'no',
    decided_on: formatIso(facts.day),
    decided_by: state,
    row: rule?.id,
    since: rule?.from,
    source: rule?.source,
    checked_on: rule?.checkedOn ?? tableCheckedOn,
    operator_reason: change?.reason,
    operator_since: change?.from,
    may_be_sold: maySell ? 'yes' : 'no',
  };
  return { rule: STATE_RULE, inputs, result: decision };
}

/** Returns the ruling in a lead's decisions. An older lead has only the state of another rule. */
export function saleRuleOf(decisions: readonly unknown[]): RuleResult | undefined {
  const find = (name: string) =>
    (decisions as readonly RuleResult[]).find(({ rule }) => rule === name);
  return find(STATE_RULE) ?? find(SPECIAL_STATE_RULE);
}

export function mayBeSold(ruling: RuleResult | undefined): boolean {
  return ruling?.inputs.may_be_sold !== 'no';
}

/** Describes a ruling. Returns '' if no rule is known. */
export function rulingText(ruling: RuleResult | undefined): string {
  const { decided_by, row, since, source, checked_on, ...own } = ruling?.inputs ?? {};
  if (row === undefined && own.operator_reason === undefined) return '';
  const decision = `Decision for ${decided_by}: ${String(ruling?.result).replaceAll('_', ' ')}.`;
  const law =
    row && `Rule ${row}, in force since ${since}, source ${source}, checked on ${checked_on}.`;
  const from = own.operator_since === undefined ? '' : ` from ${own.operator_since}`;
  const change = own.operator_reason && `STATE_RULES decides so${from}: “${own.operator_reason}”.`;
  return [decision, law, change].filter(Boolean).join(' ');
}
