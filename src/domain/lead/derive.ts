import { type Answers, type AskedFieldName, isNo, isYes } from '../answers.ts';
import {
  addDays,
  type CalendarDate,
  daysBetween,
  formatIso,
  incidentDate,
  isRealDate,
  monthsBetween,
  postedIncidentDate,
} from '../dates.ts';
import { isOverLimit, type LimitationChoice, limitYears } from '../limitation.ts';
import {
  DEFAULT_LAWYER_REASON,
  fundingInterest,
  qualify,
  type RuleResult,
} from '../qualification.ts';
import { countWords, hasEnoughWords, isLongEnough } from '../text.ts';
import {
  CALENDAR_SKEW_DAYS,
  FORCED_TREATMENT_DATE_OFFSET_DAYS,
  FORCED_TREATMENT_DAYS,
  QUALIFIED_INCIDENT_DAYS,
  WITHIN_LAST_YEAR_DAYS,
} from '../thresholds.ts';
import { askedFields, normaliseField } from './asked-fields.ts';

/** How a flow varies the derived values. */
export type FlowRules = {
  /** Age of the incident that forces treatment and injury to Yes (short variants: exactly 15 days). */
  readonly forcedTreatment: 'up_to_15_days' | 'exactly_15_days';
  /** `do_not_send_to_dq` is always yes (the Ep variant). */
  readonly neverSendsToDq?: boolean;
  /** The flow has the hit-and-run steps, whose answers extend the description. */
  readonly appendsHitAndRun?: boolean;
};

/** Everything that the derived values depend on. */
export type DeriveInput = {
  readonly answers: Answers;
  /** Browser: the visitor's calendar day. Server: the day in the configured time zone. */
  readonly today: CalendarDate;
  readonly rules: FlowRules;
  readonly settings: {
    /** Codes of the states in which partial fault makes `at_Fault` no. */
    readonly partialFaultStates: readonly string[];
    /** Which column of the limitation table rules. */
    readonly limitation: LimitationChoice;
  };
  /** Results of the checks on the description; absent when one gave no answer. */
  readonly checks: {
    readonly is_gibberish?: 'yes' | 'no' | undefined;
    readonly bad_words?: 'yes' | 'no' | undefined;
  };
};

/** A rule that put its own value in place of the visitor's answer (readings: never lost). */
export type Override = {
  readonly field: string;
  /** The visitor's own answer; absent when there was none. */
  readonly answered?: string;
  readonly becomes: string;
  readonly rule: string;
};

/** What follows from the answers. */
export type DerivedLead = {
  /** The answers as rules leave them, and every derived field, as posted. */
  fields: Record<string, string>;
  overrides: Override[];
  decision: { qualified: boolean; dq_reason: string };
  rules: RuleResult[];
};

/** What is appended to the description when the driver was identified (document 2, section 4). */
export const DRIVER_IDENTIFIED_ADDITION = ' -- the driver was identified';
/** What is appended when the visitor has uninsured-motorist coverage (document 2, section 4). */
export const UNINSURED_MOTORIST_ADDITION = ' -- plaintiff has UM insurance';

/** Answers of `accident_date_button` that tell an accident within the last year. */
const withinLastYearButtons = [
  'Within 1 Week',
  'Within 1 Month',
  'Within 6 Months',
  'Within 1 Year',
];

/** The lead under construction: fields with the record of who set them. */
class Draft {
  readonly fields: Record<string, string> = {};
  readonly overrides: Override[] = [];
  readonly rules: RuleResult[] = [];

  explain(rule: string, inputs: RuleResult['inputs'], result: string | boolean): void {
    this.rules.push({ rule, inputs, result });
  }

  /**
   * Sets a field by rule; an answer that it replaces, other than in case, is kept as an override.
   * Where two rules set one field, the override has the visitor's answer and the last rule's value.
   */
  force(field: string, becomes: string, rule: string): void {
    const earlier = this.overrides.findIndex((each) => each.field === field);
    const answered = earlier < 0 ? this.fields[field] : this.overrides[earlier]?.answered;
    this.fields[field] = becomes;
    if (earlier >= 0) this.overrides.splice(earlier, 1);
    if (answered?.toLowerCase() === becomes.toLowerCase()) return;
    this.overrides.push(
      answered === undefined ? { field, becomes, rule } : { field, answered, becomes, rule },
    );
  }
}

function applyAnswers(draft: Draft, answers: Answers): void {
  for (const field of Object.keys(askedFields) as AskedFieldName[]) {
    const value = answers[field];
    if (value === undefined) continue;
    const normal = normaliseField(field, value);
    if (normal !== '') draft.fields[field] = normal;
  }
}

function deriveLawyer(draft: Draft): void {
  const { fields } = draft;
  const reasons: readonly string[] = askedFields.lawyer_redirect_reason.values ?? [];
  const isReasonKnown = reasons.includes(fields.lawyer_redirect_reason ?? '');
  if (fields.with_Lawyer === undefined && isReasonKnown) {
    draft.force('with_Lawyer', 'yes', 'lawyer.reason_means_yes');
  }
  if (isYes(fields.with_Lawyer)) {
    // The reason goes into the thank-you query: only the documents' values may.
    if (fields.lawyer_redirect_reason !== undefined && !isReasonKnown) {
      draft.force('lawyer_redirect_reason', DEFAULT_LAWYER_REASON, 'lawyer.reason_not_known');
    }
    fields.lawyer_redirect_reason ??= DEFAULT_LAWYER_REASON;
  } else {
    delete fields.lawyer_redirect_reason;
  }
}

/** Dates and counts. @returns the best date known and its age, undefined while it is not known. */
function deriveDates(
  draft: Draft,
  answers: Answers,
  today: CalendarDate,
): { incident?: CalendarDate; days?: number; months?: number } {
  const { fields } = draft;
  const button = fields.accident_date_button;
  const incident = incidentDate(answers);
  if (!incident) {
    if (button) {
      fields.accident_within_last_year = withinLastYearButtons.includes(button) ? 'yes' : 'no';
    }
    draft.explain(
      'incident_date',
      {
        injury_year: answers.injury_year,
        injury_month: answers.injury_month,
        accident_date_button: button,
      },
      'not known',
    );
    return {};
  }
  const days = daysBetween(incident, today);
  const months = monthsBetween(incident, today);
  const best = formatIso(incident);
  fields.injury_year = best.slice(0, 4);
  fields.injury_month = best.slice(5, 7);
  fields.injury_day = best.slice(8);
  fields.incident_date = postedIncidentDate(answers) ?? '';
  fields.days_from_incident_date = String(days);
  fields.months_from_incident_date = String(months);
  fields.accident_within_last_year = days < WITHIN_LAST_YEAR_DAYS ? 'yes' : 'no';
  const inputs = { best_date_known: best, today: formatIso(today) };
  draft.explain('incident_date', inputs, fields.incident_date);
  draft.explain('days_from_incident_date', inputs, fields.days_from_incident_date);
  draft.explain('months_from_incident_date', inputs, fields.months_from_incident_date);
  draft.explain(
    'accident_within_last_year',
    { days, fewer_than: WITHIN_LAST_YEAR_DAYS },
    fields.accident_within_last_year,
  );
  return { incident, days, months };
}

/** The 15-day rule (document 2, sections 4 and 5). */
function forceTreatment(
  draft: Draft,
  flow: FlowRules,
  incident: CalendarDate | undefined,
  days: number | undefined,
): void {
  const rule = 'treatment.forced';
  const applies =
    days !== undefined &&
    (flow.forcedTreatment === 'exactly_15_days'
      ? days === FORCED_TREATMENT_DAYS
      : days <= FORCED_TREATMENT_DAYS && days >= -CALENDAR_SKEW_DAYS);
  draft.explain(rule, { days, trigger: flow.forcedTreatment }, applies);
  if (!applies || !incident) return;
  draft.force('doctor_treatment', 'Yes', rule);
  draft.force('physical_injury', 'Yes', rule);
  draft.force('when_seek_medical_treatment', 'first_week', rule);
  const treatmentDate = formatIso(addDays(incident, FORCED_TREATMENT_DATE_OFFSET_DAYS));
  draft.force('when_seek_medical_treatment_date', treatmentDate, rule);
}

/** Partial fault in a listed state makes `at_Fault` no (document 2, section 5). */
function applyPartialFault(draft: Draft, states: readonly string[]): void {
  const { partial_fault, state, at_Fault } = draft.fields;
  if (!isYes(partial_fault)) return;
  const applies = state !== undefined && states.includes(state);
  const result = state === undefined ? 'state not known' : applies;
  draft.explain('fault.partial', { partial_fault, state, at_Fault }, result);
  if (applies) draft.force('at_Fault', 'no', 'fault.partial');
}

/** Word rule, checks, and the hit-and-run additions (document 2, section 4). */
function deriveDescription(draft: Draft, flow: FlowRules, checks: DeriveInput['checks']): void {
  const { fields } = draft;
  const own = fields.case_description;
  if (own === undefined) {
    draft.explain('enough_words', {}, 'no description');
  } else {
    fields.enough_words = hasEnoughWords(own) && isLongEnough(own) ? 'yes' : 'no';
    draft.explain(
      'enough_words',
      { words: countWords(own), characters: own.trim().length },
      fields.enough_words,
    );
  }
  if (checks.is_gibberish) fields.is_gibberish = checks.is_gibberish;
  if (checks.bad_words) fields.bad_words = checks.bad_words;
  draft.explain('is_gibberish', {}, checks.is_gibberish ?? 'not known');
  draft.explain('bad_words', {}, checks.bad_words ?? 'not known');
  if (!flow.appendsHitAndRun || !isYes(fields.hit_and_run)) return;
  const addition = isYes(fields.hit_and_run_identified)
    ? DRIVER_IDENTIFIED_ADDITION
    : isNo(fields.hit_and_run_identified) && isYes(fields.uninsured_motorist_coverage)
      ? UNINSURED_MOTORIST_ADDITION
      : undefined;
  const { hit_and_run_identified, uninsured_motorist_coverage } = fields;
  draft.explain(
    'hit_and_run.addition',
    { hit_and_run_identified, uninsured_motorist_coverage },
    addition ?? false,
  );
  if (addition === undefined) return;
  const text = own ?? '';
  if (!text.endsWith(addition.trim())) {
    draft.force('case_description', text + addition, 'hit_and_run.addition');
  }
  draft.force('bad_words', 'no', 'hit_and_run.addition');
}

function deriveLimit(
  draft: Draft,
  which: LimitationChoice,
  incident: CalendarDate | undefined,
  months: number | undefined,
): void {
  const { state } = draft.fields;
  const isOver =
    state === undefined || months === undefined || !incident
      ? undefined
      : isOverLimit({ state, monthsElapsed: months, which, incident });
  draft.fields.accident_limit_exceeded = isOver ? '1' : '0';
  const years = state === undefined ? undefined : limitYears(state, which, incident);
  draft.explain(
    'accident_limit_exceeded',
    { state, months, years, table: which },
    isOver === undefined ? '0 (state or date not known)' : draft.fields.accident_limit_exceeded,
  );
}

function deriveDateOfBirth(draft: Draft): void {
  const { date_of_birth_year, date_of_birth_month, date_of_birth_day } = draft.fields;
  const date = {
    year: Number(date_of_birth_year),
    month: Number(date_of_birth_month),
    day: Number(date_of_birth_day),
  };
  if (isRealDate(date)) draft.fields.date_of_birth = formatIso(date);
}

/**
 * Whether the lead is marked qualified: the rule passes and the incident is at most 730 days old
 * (document 2, section 5). Without a date the answer of `accident_date_button` counts.
 */
function deriveLeadIsQualified(draft: Draft, qualified: boolean, days: number | undefined): void {
  const button = draft.fields.accident_date_button;
  const isRecent =
    days === undefined
      ? (button?.startsWith('Within ') ?? false)
      : days <= QUALIFIED_INCIDENT_DAYS && button !== 'Over 2 Years';
  draft.fields.lead_is_qualified = qualified && isRecent ? 'yes' : 'no';
  draft.explain(
    'lead_is_qualified',
    { qualified: qualified ? 'yes' : 'no', days, accident_date_button: button },
    draft.fields.lead_is_qualified,
  );
}

/** `do_not_send_to_dq` (readings, "Answers and rules"). */
function deriveDoNotSendToDq(draft: Draft, qualified: boolean, flow: FlowRules): void {
  const { prior_alcohol_related_offense } = draft.fields;
  const isHeldBack =
    qualified || isYes(prior_alcohol_related_offense) || flow.neverSendsToDq === true;
  draft.fields.do_not_send_to_dq = isHeldBack ? 'yes' : 'no';
  draft.explain(
    'do_not_send_to_dq',
    {
      qualified: qualified ? 'yes' : 'no',
      prior_alcohol_related_offense,
      flow: flow.neverSendsToDq ? 'never' : 'as qualified',
    },
    draft.fields.do_not_send_to_dq,
  );
}

/**
 * Everything that follows from the answers, computed the same way in the browser and on the server,
 * where it wins (readings, "Answers and rules"). Pure; never throws for any strings.
 *
 * Always set: `accident_limit_exceeded`, `lead_is_qualified`, `do_not_send_to_dq`, `dq_reason`.
 * With a date: the dates and counts. With a description: `enough_words`. The qualification rule looks
 * at the values after the overriding rules, as they are posted. What could not be decided for want of
 * an input (no zip yet, hence no state) rejects nothing and is said in `rules`.
 */
export function deriveLead(input: DeriveInput): DerivedLead {
  const draft = new Draft();
  const { fields } = draft;
  applyAnswers(draft, input.answers);
  const answers = { ...fields } as Answers;
  deriveLawyer(draft);
  const { incident, days, months } = deriveDates(draft, answers, input.today);
  forceTreatment(draft, input.rules, incident, days);
  applyPartialFault(draft, input.settings.partialFaultStates);
  if (fields.speaking_with_doctor !== undefined) {
    fields.injury_rx_qualified = isYes(fields.speaking_with_doctor) ? 'yes' : 'no';
  }
  deriveDateOfBirth(draft);
  deriveDescription(draft, input.rules, input.checks);
  deriveLimit(draft, input.settings.limitation, incident, months);

  const { qualified, dq_reason, rules } = qualify(fields);
  draft.rules.push(...rules);
  fields.dq_reason = dq_reason;
  deriveLeadIsQualified(draft, qualified, days);
  deriveDoNotSendToDq(draft, qualified, input.rules);
  const { with_Lawyer, interested_in_psf, settled_case, prior_funding } = fields;
  draft.explain(
    'funding_interest',
    { with_Lawyer, interested_in_psf, settled_case, prior_funding },
    fundingInterest(fields),
  );
  return {
    fields,
    overrides: draft.overrides,
    decision: { qualified, dq_reason },
    rules: draft.rules,
  };
}
