import { type CalendarDate, formatIso } from '../fields/dates.ts';
import table from './state-rules.json' with { type: 'json' };

/** The decisions about the sale of a lead, from the least strict to the strictest. */
export const saleDecisions = ['allowed', 'needs_basis', 'named_firm_only', 'prohibited'] as const;
export type SaleDecision = (typeof saleDecisions)[number];

/** A rule of a state, or of the federal law (`US`), with its source and period. */
type StateRule = {
  /** The state and topic, such as `CO.sale_of_leads`. */
  readonly id: string;
  readonly state: string;
  /** Such as `sale_of_leads`, `ad_platforms`, `referral_service`, `contact_hours`, `consent_form`. */
  readonly topic: string;
  /** The first day, as `yyyy-MM-dd`. */
  readonly from: string;
  /** The first day on which the rule no longer applies. */
  readonly until?: string;
  readonly requires: string;
  readonly source: string;
  readonly url: string;
  readonly checkedOn: string;
  readonly decision?: SaleDecision;
  /** `none`: ad platforms are not told about leads. */
  readonly adEvents?: 'none';
  /** The local times between which calls are allowed, such as `08:00`. */
  readonly hours?: { readonly from: string; readonly until: string; readonly sunday?: 'none' };
};

/** The rules by state (docs/specification.md#rules-by-state). A row may name several states. */
export const stateRules = (table as readonly Omit<StateRule, 'id'>[]).flatMap((rule) =>
  rule.state
    .split(' ')
    .map((state): StateRule => ({ ...rule, state, id: `${state}.${rule.topic}` })),
);

const rulesByState = Map.groupBy(stateRules, ({ state }) => state);

/** The day on which a person last checked the table. */
export const tableCheckedOn = stateRules
  .map(({ checkedOn }) => checkedOn)
  .toSorted()
  .at(-1);

/** An operator's decision about a state, which replaces the table's decision. */
export type StateRuleChange = {
  /** What is decided. Default: `sale_of_leads`. */
  readonly topic?: 'sale_of_leads' | 'ad_platforms' | undefined;
  readonly decision: SaleDecision;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly reason: string;
};

/** The settings STATE_RULES and STATE_RULES_UNDECIDED. */
export type StateRuleSettings = {
  readonly changes: Readonly<Record<string, readonly StateRuleChange[]>>;
  /** What happens to a lead whose sale needs a basis that the operator has not stated. */
  readonly undecided: 'deliver' | 'hold';
};

/** Returns the rules or changes that apply on a day. The newest is first. */
function onDay<Each extends Pick<StateRuleChange, 'from' | 'until'>>(
  all: readonly Each[],
  day: CalendarDate,
): Each[] {
  const iso = formatIso(day);
  return all
    .filter(({ from = '', until }) => from <= iso && (until === undefined || iso < until))
    .sort((a, b) => (b.from ?? '').localeCompare(a.from ?? ''));
}

const strictness = (decision: SaleDecision = 'allowed') => saleDecisions.indexOf(decision);

/** Returns a state's decision about sales, with the operator's change or the strictest rule. */
export function stateDecision(state: string, day: CalendarDate, { changes }: StateRuleSettings) {
  const own = (changes[state] ?? []).filter(({ topic }) => topic !== 'ad_platforms');
  const change = onDay(own, day)[0];
  const [rule] = onDay(rulesByState.get(state) ?? [], day)
    .filter((each) => each.decision)
    .sort((a, b) => strictness(b.decision) - strictness(a.decision));
  return { state, decision: change?.decision ?? rule?.decision ?? 'allowed', rule, change };
}

/** Returns why no ad platform may be told about a lead of these states; undefined if it may. */
export function adPlatformRefusal(
  states: readonly string[],
  day: CalendarDate,
  { changes }: StateRuleSettings,
): string | undefined {
  for (const state of states) {
    const own = (changes[state] ?? []).filter(({ topic }) => topic === 'ad_platforms');
    const [change] = onDay(own, day);
    const rule = onDay(rulesByState.get(state) ?? [], day).find(({ adEvents }) => adEvents);
    if (change && change.decision !== 'allowed') {
      return `STATE_RULES forbids telling ad platforms about leads of ${state}: “${change.reason}”`;
    }
    if (!change && rule) {
      return `Rule ${rule.id} (${rule.source}) forbids telling ad platforms about this lead`;
    }
  }
  return undefined;
}

/** The facts about a lead that decide about its sale. */
export type SaleFacts = {
  /** The states of the address and of the accident. Undefined: unknown. */
  readonly states: readonly (string | undefined)[];
  readonly day: CalendarDate;
  /** True if the visitor chose a law firm that the page named. */
  readonly hasChosenFirm: boolean;
};

/** Returns whether a lead may be sold. A refusal applies first, then the strictest decision. */
export function saleRuling({ states, day, hasChosenFirm }: SaleFacts, settings: StateRuleSettings) {
  const maySell = {
    allowed: true,
    needs_basis: settings.undecided === 'deliver',
    named_firm_only: hasChosenFirm,
    prohibited: false,
  };
  const known = states.filter((state) => state !== undefined);
  const rulings = (known.length === 0 ? [''] : known).map((state) => {
    const decided = stateDecision(state, day, settings);
    return { ...decided, maySell: maySell[decided.decision] };
  });
  const rank = (each: (typeof rulings)[number]) =>
    strictness(each.decision) + (each.maySell ? 0 : saleDecisions.length);
  return rulings.reduce((one, other) => (rank(other) > rank(one) ? other : one));
}

/** Returns the states whose leads may not be sold on a day. */
export function closedStates(
  day: CalendarDate,
  settings: StateRuleSettings,
  hasChosenFirm = false,
): readonly string[] {
  const states = [...stateRules.map(({ state }) => state), ...Object.keys(settings.changes)];
  return [...new Set(states)]
    .filter((state) => !saleRuling({ states: [state], day, hasChosenFirm }, settings).maySell)
    .sort();
}

/** Returns the local hours in which a person may be called. Default: the federal hours. */
export function callHours(state: string | undefined, day: CalendarDate) {
  const find = (name: string) =>
    onDay(rulesByState.get(name) ?? [], day).find((rule) => rule.hours);
  const rule = find(state ?? 'US') ?? find('US');
  return rule?.hours ?? { from: '09:00', until: '20:00' };
}
