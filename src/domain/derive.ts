import type { Answers, AskedFieldName } from './answers.ts';
import { isYes } from './answers.ts';
import { askedFields, normaliseField } from './asked-fields.ts';
import { formatIso } from './dates.ts';
import { type Derivation, type DeriveInput, deriveFields } from './derive-fields.ts';
import { limitYears } from './limitation-years.ts';
import { explainQualification, fundingInterest, type RuleResult } from './qualification.ts';
import { countWords } from './text.ts';
import { WITHIN_LAST_YEAR_DAYS } from './thresholds.ts';

/** The result of `deriveLead`, with an explanation of each rule. */
export type DerivedLead = Pick<Derivation, 'overrides' | 'decision'> & {
  /** The answers after the overriding rules, and the derived fields, as posted. */
  readonly fields: Record<string, string>;
  /** Every applied rule, in order of application. */
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

type Explain = (rule: string, inputs: RuleResult['inputs'], result: string | boolean) => void;

function explainDates(
  explain: Explain,
  { answers, today, rules, settings }: DeriveInput,
  { derived, found }: Derivation,
): void {
  const { days, incident } = found;
  if (!incident) {
    const { injury_year, injury_month, accident_date_button } = answers;
    explain('incident_date', { injury_year, injury_month, accident_date_button }, 'not known');
  } else {
    const inputs = { best_date_known: formatIso(incident), today: formatIso(today) };
    for (const field of [
      'incident_date',
      'days_from_incident_date',
      'months_from_incident_date',
    ] as const) {
      explain(field, inputs, derived[field] ?? '');
    }
    explain(
      'accident_within_last_year',
      { days, fewer_than: WITHIN_LAST_YEAR_DAYS },
      derived.accident_within_last_year ?? '',
    );
  }
  const isOn = settings.forcesTreatment && !rules.isWithoutAccident;
  const trigger = isOn ? (rules.forcedTreatment ?? 'up_to_15_days') : 'never';
  const { partial_fault, state, at_Fault, accident_date_button } = answers;
  explain(
    'treatment.forced',
    { days, accident_date_button, trigger },
    found.forcedTreatment ?? false,
  );
  if (!isYes(partial_fault)) return;
  explain(
    'fault.partial',
    { partial_fault, state, at_Fault },
    found.partialFault ?? 'state not known',
  );
}

function explainDescription(
  explain: Explain,
  { answers, rules, checks }: DeriveInput,
  { derived, found }: Derivation,
): void {
  const own = answers.case_description;
  explain(
    'enough_words',
    own === undefined ? {} : { words: countWords(own), characters: own.trim().length },
    derived.enough_words ?? 'no description',
  );
  explain('is_gibberish', {}, checks.is_gibberish ?? 'not known');
  explain('bad_words', {}, checks.bad_words ?? 'not known');
  const { hit_and_run, hit_and_run_identified, uninsured_motorist_coverage } = answers;
  if (!rules.appendsHitAndRun || !isYes(hit_and_run)) return;
  explain(
    'hit_and_run.addition',
    { hit_and_run_identified, uninsured_motorist_coverage },
    found.addition ?? false,
  );
}

function explainDecision(
  explain: Explain,
  { rules }: DeriveInput,
  { answers, derived, found, decision }: Derivation,
): void {
  const qualified = decision.qualified ? 'yes' : 'no';
  const { accident_date_button, prior_alcohol_related_offense } = answers;
  explain(
    'lead_is_qualified',
    { qualified: found.passesRule ? 'yes' : 'no', days: found.days, accident_date_button },
    derived.lead_is_qualified ?? '',
  );
  const flow = rules.neverSendsToDq ? 'never' : 'as qualified';
  explain(
    'do_not_send_to_dq',
    { qualified, prior_alcohol_related_offense, flow },
    derived.do_not_send_to_dq ?? '',
  );
  const { with_Lawyer, interested_in_psf, settled_case, prior_funding } = answers;
  explain(
    'funding_interest',
    { with_Lawyer, interested_in_psf, settled_case, prior_funding },
    fundingInterest(answers),
  );
}

/** Returns each rule's inputs and result, read from the derivation itself. */
function explained(input: DeriveInput, derivation: Derivation): RuleResult[] {
  const { answers, derived, found } = derivation;
  const results: RuleResult[] = [];
  const explain: Explain = (rule, inputs, result) => results.push({ rule, inputs, result });
  explainDates(explain, input, derivation);
  explainDescription(explain, input, derivation);
  const { state } = answers;
  const which = input.settings.limitation;
  explain(
    'accident_limit_exceeded',
    {
      state,
      months: found.months,
      accident_date_button: answers.accident_date_button,
      years: state === undefined ? undefined : limitYears(state, which, found.incident),
      table: which,
    },
    found.isOverLimit === undefined
      ? '0 (state or date not known)'
      : (derived.accident_limit_exceeded ?? ''),
  );
  results.push(...explainQualification({ ...answers, ...derived }, found.counted));
  explainDecision(explain, input, derivation);
  return results;
}

/**
 * Normalises the answers, derives a lead's fields and explains every rule, as the server stores them.
 * `rules` also says which rule lacked an input. Pure; never throws for any strings.
 */
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
