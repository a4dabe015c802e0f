import { type Answers, type AskedFieldName, isYes } from '../fields/answers.ts';
import { askedFields, normaliseField } from '../fields/asked-fields.ts';
import { formatIso } from '../fields/dates.ts';
import { countWords } from '../fields/text.ts';
import {
  SPECIAL_AFFILIATE_ID,
  SPECIAL_OFFER_ID,
  WITHIN_LAST_YEAR_DAYS,
} from '../fields/thresholds.ts';
import { trackingFields } from '../fields/tracking-fields.ts';
import type { SurveyEntry } from '../flows/survey-table.ts';
import { type Derivation, type DeriveInput, deriveFields } from '../rules/derive-fields.ts';
import { limitYears } from '../rules/limitation-years.ts';
import { explainQualification, fundingInterest, type RuleResult } from '../rules/qualification.ts';
import { allStates, disqualifiedStates } from '../rules/submit-rules.ts';
import type { LeadRules } from './context.ts';
import { type Rerouted, rerouted } from './outward.ts';
import type { Posted } from './read.ts';

type DerivedLead = Pick<Derivation, 'overrides' | 'decision'> & {
  /** The answers as the rules changed them, with the derived fields. */
  readonly fields: Record<string, string>;
  readonly rules: RuleResult[];
};

function normalised(answers: Answers): Answers {
  const normal: Partial<Record<AskedFieldName, string>> = {};
  for (const field of Object.keys(askedFields) as AskedFieldName[]) {
    const given = answers[field];
    if (given === undefined) continue;
    const value = normaliseField(field, given);
    if (value !== '') normal[field] = value;
  }
  return normal;
}

function inputs(answers: Answers, ...names: readonly AskedFieldName[]): RuleResult['inputs'] {
  return Object.fromEntries(names.map((name) => [name, answers[name]]));
}

function dateRules({ answers, today }: DeriveInput, { derived, trace }: Derivation): RuleResult[] {
  const { days, incident } = trace;
  if (!incident) {
    const known = inputs(answers, 'injury_year', 'injury_month', 'accident_date_button');
    return [{ rule: 'incident_date', inputs: known, result: 'not known' }];
  }
  const dates = { best_date_known: formatIso(incident), today: formatIso(today) };
  const lastYear = { days, fewer_than: WITHIN_LAST_YEAR_DAYS };
  const rules: [string, RuleResult['inputs']][] = [
    ['incident_date', dates],
    ['days_from_incident_date', dates],
    ['months_from_incident_date', dates],
    ['accident_within_last_year', lastYear],
  ];
  return rules.map(([rule, own]) => ({ rule, inputs: own, result: derived[rule] ?? '' }));
}

function explained(input: DeriveInput, derivation: Derivation): RuleResult[] {
  const { answers: given, rules, settings, checks } = input;
  const { answers, derived, trace, decision } = derivation;
  const { days, months } = trace;
  const results: RuleResult[] = dateRules(input, derivation);
  const explain = (rule: string, own: RuleResult['inputs'], result: string | boolean) =>
    results.push({ rule, inputs: own, result });

  const { accident_date_button, case_description: description } = given;
  const isOn = settings.forcesTreatment && !rules.isWithoutAccident;
  const trigger = isOn ? (rules.forcedTreatment ?? 'up_to_15_days') : 'never';
  const treatment = { days, accident_date_button, trigger };
  explain('treatment.forced', treatment, trace.forcedTreatment ?? false);
  if (isYes(given.partial_fault)) {
    const fault = inputs(given, 'partial_fault', 'state', 'at_Fault');
    explain('fault.partial', fault, trace.partialFault ?? 'state not known');
  }
  const size =
    description === undefined
      ? {}
      : { words: countWords(description), characters: description.trim().length };
  explain('enough_words', size, derived.enough_words ?? 'no description');
  explain('is_gibberish', {}, checks.is_gibberish ?? 'not known');
  explain('bad_words', {}, checks.bad_words ?? 'not known');
  if (rules.appendsHitAndRun && isYes(given.hit_and_run)) {
    const hit = inputs(given, 'hit_and_run_identified', 'uninsured_motorist_coverage');
    explain('hit_and_run.addition', hit, trace.addition ?? false);
  }
  const { state } = answers;
  const table = settings.limitation;
  const years = state === undefined ? undefined : limitYears(state, table, trace.incident);
  explain(
    'accident_limit_exceeded',
    { state, months, accident_date_button: answers.accident_date_button, years, table },
    trace.isOverLimit === undefined
      ? '0 (state or date not known)'
      : (derived.accident_limit_exceeded ?? ''),
  );
  results.push(...explainQualification({ ...answers, ...derived }, trace.onlyFields));
  const qualified = decision.qualified ? 'yes' : 'no';
  const passes = { qualified: trace.passesRule ? 'yes' : 'no', days };
  explain(
    'lead_is_qualified',
    { ...passes, accident_date_button: answers.accident_date_button },
    derived.lead_is_qualified ?? '',
  );
  const flow = rules.neverSendsToDq ? 'never' : 'as qualified';
  const offense = inputs(answers, 'prior_alcohol_related_offense');
  explain('do_not_send_to_dq', { qualified, ...offense, flow }, derived.do_not_send_to_dq ?? '');
  const funding = inputs(
    answers,
    'with_Lawyer',
    'interested_in_psf',
    'settled_case',
    'prior_funding',
  );
  explain('funding_interest', funding, fundingInterest(answers));
  return results;
}

/** Derives the fields and the decision of a lead from its answers. Never throws. */
export function deriveLead(input: DeriveInput): DerivedLead {
  const normal = { ...input, answers: normalised(input.answers) };
  const derivation = deriveFields(normal);
  const { answers, derived, overrides, decision } = derivation;
  return {
    fields: { ...answers, ...derived },
    overrides,
    decision,
    rules: explained(normal, derivation),
  };
}

/** The ids of a lead from an unknown survey. */
const defaultSource = { offerId: 81, affiliateId: 1 };
export const SPECIAL_STATE_RULE = 'routing.special_state';

/**
 * Returns the offer id and the affiliate id to send (docs/specification.md#special-states).
 * `leadSource` is the offer id before any rule replaced it.
 */
export function routeLead(
  posted: Posted,
  {
    decision: { qualified },
    fields: { do_not_send_to_dq },
  }: Pick<DerivedLead, 'fields' | 'decision'>,
  state: string | undefined,
  entry: Pick<SurveyEntry, 'survey' | 'flow'> | undefined,
  { specialStates }: Pick<LeadRules, 'specialStates'>,
): Rerouted & { readonly leadSource: string; readonly rule: RuleResult } {
  const fields = trackingFields(posted, entry?.survey ?? defaultSource);
  // Ignores special states if the flow is not about accidents,
  // because no buyer takes the disqualified leads of such a flow.
  const states = entry?.flow.rules?.isWithoutAccident
    ? []
    : disqualifiedStates(entry?.flow.submit, specialStates, allStates);
  const applies = !qualified && do_not_send_to_dq === 'no' && states.includes(state ?? '');
  const inputs = { state, qualified: qualified ? 'yes' : 'no', do_not_send_to_dq };
  const rule = { rule: SPECIAL_STATE_RULE, inputs, result: applies };
  const special = { oid: SPECIAL_OFFER_ID, affid: SPECIAL_AFFILIATE_ID };
  return {
    leadSource: fields.oid,
    rule,
    ...(applies ? rerouted(fields, special, SPECIAL_STATE_RULE) : { fields, changes: [] }),
  };
}
