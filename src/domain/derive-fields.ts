import { type AccidentAge, accidentAge } from './accident-age.ts';
import { type Answers, type AskedFieldName, isNo, isYes } from './answers.ts';
import {
  addDays,
  type CalendarDate,
  formatIso,
  incidentDate,
  isRealDate,
  postedIncidentDate,
} from './dates.ts';
import { isOverLimitAtAge, type LimitationChoice } from './limitation-years.ts';
import { DEFAULT_LAWYER_REASON, dqReason, lawyerReasons } from './qualification.ts';
import { hasEnoughWords, isLongEnough } from './text.ts';
import {
  CALENDAR_SKEW_DAYS,
  FORCED_TREATMENT_DATE_OFFSET_DAYS,
  FORCED_TREATMENT_DAYS,
  QUALIFIED_INCIDENT_DAYS,
  WITHIN_LAST_YEAR_DAYS,
} from './thresholds.ts';

/** How a flow varies the derived values. */
export type FlowRules = {
  /**
   * Age of the incident that forces treatment and injury to Yes (short variants: exactly 15 days);
   * never in a flow that is about no accident.
   */
  readonly forcedTreatment: 'up_to_15_days' | 'exactly_15_days' | 'never';
  /** `do_not_send_to_dq` is always yes (the Ep variant). */
  readonly neverSendsToDq?: boolean;
  /** The flow has the hit-and-run steps, whose answers extend the description. */
  readonly appendsHitAndRun?: boolean;
  /**
   * An answer to this clears the disqualified flag and reason
   * (docs/specification.md#cleared-disqualification: DUIIncidentDescription, which only follows that
   * answer). What is known later still rejects: the limit, whose state comes with the last step.
   */
  readonly clearsRejectionsAfter?: AskedFieldName;
};

/** Everything that the derived values depend on. */
export type DeriveInput = {
  /** In the spelling of `normaliseField`; none of them empty. */
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
  /** Results of the checks on the description; absent when one failed. */
  readonly checks: {
    readonly is_gibberish?: 'yes' | 'no' | undefined;
    readonly bad_words?: 'yes' | 'no' | undefined;
  };
};

/**
 * A rule that put its own value in place of the visitor's answer (docs/specification.md#overrides:
 * never lost).
 */
export type Override = {
  readonly field: string;
  /** The visitor's own answer; absent when there was none. */
  readonly answered?: string;
  readonly becomes: string;
  readonly rule: string;
};

/** What follows from the answers, and what the rules found on the way. */
export type Derivation = {
  /** The answers as rules leave them. */
  readonly answers: Record<string, string>;
  /** What no visitor answers: every derived field, as posted. */
  readonly derived: Record<string, string>;
  readonly overrides: Override[];
  readonly decision: { readonly qualified: boolean; readonly dq_reason: string };
  readonly found: Found;
};

/** What the rules found, for the story of a lead; undefined is what is not known. */
export type Found = {
  /** How long ago the accident was, as far as it is known. */
  age?: AccidentAge | undefined;
  /** The best accident date known, and its age. */
  incident?: CalendarDate;
  days?: number;
  months?: number;
  /** The 15-day rule applied. */
  forcedTreatment?: boolean;
  /** Partial fault is answered and makes `at_Fault` no; undefined without it or without a state. */
  partialFault?: boolean | undefined;
  /** What was appended to the description. */
  addition?: string | undefined;
  isOverLimit?: boolean | undefined;
  /** The disqualified flag was cleared on the way. */
  isCleared?: boolean;
  /** The qualification rule itself, whatever was cleared. */
  passesRule?: boolean;
};

/**
 * What is appended to the description when the driver was identified
 * (docs/specification.md#hit-and-run).
 */
export const DRIVER_IDENTIFIED_ADDITION = ' -- the driver was identified';
/**
 * What is appended when the visitor has uninsured-motorist coverage
 * (docs/specification.md#hit-and-run).
 */
export const UNINSURED_MOTORIST_ADDITION = ' -- plaintiff has UM insurance';

/** The lead under construction. */
class Draft implements Derivation {
  readonly answers: Record<string, string>;
  readonly derived: Record<string, string> = {};
  readonly overrides: Override[] = [];
  readonly found: Found = {};
  decision = { qualified: true, dq_reason: '' };

  constructor(answers: Answers) {
    this.answers = { ...answers };
  }

  /**
   * Sets a field by rule; an answer that it replaces, other than in case, is kept as an override.
   * Where two rules set one field, the override has the visitor's answer and the last rule's value.
   */
  force(field: string, becomes: string, rule: string, fields = this.answers): void {
    const { overrides } = this;
    const earlier = overrides.findIndex((each) => each.field === field);
    const answered = earlier < 0 ? fields[field] : overrides[earlier]?.answered;
    fields[field] = becomes;
    if (earlier >= 0) overrides.splice(earlier, 1);
    if (answered?.toLowerCase() === becomes.toLowerCase()) return;
    overrides.push(
      answered === undefined ? { field, becomes, rule } : { field, answered, becomes, rule },
    );
  }
}

function deriveLawyer(draft: Draft): void {
  const { answers } = draft;
  const isReasonKnown = lawyerReasons.includes(answers.lawyer_redirect_reason ?? '');
  if (answers.with_Lawyer === undefined && isReasonKnown) {
    draft.force('with_Lawyer', 'yes', 'lawyer.reason_means_yes');
  }
  if (isYes(answers.with_Lawyer)) {
    // The reason goes into the thank-you query: only the specification's values may.
    if (answers.lawyer_redirect_reason !== undefined && !isReasonKnown) {
      draft.force('lawyer_redirect_reason', DEFAULT_LAWYER_REASON, 'lawyer.reason_not_known');
    }
    answers.lawyer_redirect_reason ??= DEFAULT_LAWYER_REASON;
  } else {
    delete answers.lawyer_redirect_reason;
  }
}

/** Dates and counts. */
function deriveDates(draft: Draft, given: Answers, today: CalendarDate): void {
  const { answers, derived, found } = draft;
  const age = accidentAge(given, today);
  found.age = age;
  if (!age) return;
  derived.accident_within_last_year = age.days[1] < WITHIN_LAST_YEAR_DAYS ? 'yes' : 'no';
  const incident = incidentDate(given);
  if (!incident) return;
  const [days] = age.days;
  const [months] = age.months;
  const best = formatIso(incident);
  answers.injury_year = best.slice(0, 4);
  answers.injury_month = best.slice(5, 7);
  answers.injury_day = best.slice(8);
  derived.incident_date = postedIncidentDate(given) ?? '';
  derived.days_from_incident_date = String(days);
  derived.months_from_incident_date = String(months);
  Object.assign(found, { incident, days, months });
}

/** The 15-day rule (docs/specification.md#forced-treatment). */
function forceTreatment(draft: Draft, flow: FlowRules): void {
  const rule = 'treatment.forced';
  const { incident, age } = draft.found;
  const fewest =
    flow.forcedTreatment === 'exactly_15_days' ? FORCED_TREATMENT_DAYS : -CALENDAR_SKEW_DAYS;
  const applies =
    age !== undefined &&
    flow.forcedTreatment !== 'never' &&
    age.days[0] >= fewest &&
    age.days[1] <= FORCED_TREATMENT_DAYS;
  draft.found.forcedTreatment = applies;
  if (!applies) return;
  draft.force('doctor_treatment', 'Yes', rule);
  draft.force('physical_injury', 'Yes', rule);
  draft.force('when_seek_medical_treatment', 'first_week', rule);
  if (!incident) return;
  const treatmentDate = formatIso(addDays(incident, FORCED_TREATMENT_DATE_OFFSET_DAYS));
  draft.force('when_seek_medical_treatment_date', treatmentDate, rule);
}

/** Partial fault in a listed state makes `at_Fault` no (docs/specification.md#partial-fault). */
function applyPartialFault(draft: Draft, states: readonly string[]): void {
  const { partial_fault, state } = draft.answers;
  if (!isYes(partial_fault) || state === undefined) return;
  draft.found.partialFault = states.includes(state);
  if (draft.found.partialFault) draft.force('at_Fault', 'no', 'fault.partial');
}

/**
 * Word rule, checks, and the hit-and-run additions (docs/specification.md#case-description,
 * docs/specification.md#hit-and-run).
 */
function deriveDescription(draft: Draft, flow: FlowRules, checks: DeriveInput['checks']): void {
  const { answers, derived } = draft;
  const own = answers.case_description;
  if (own !== undefined) {
    derived.enough_words = hasEnoughWords(own) && isLongEnough(own) ? 'yes' : 'no';
  }
  if (checks.is_gibberish) derived.is_gibberish = checks.is_gibberish;
  if (checks.bad_words) derived.bad_words = checks.bad_words;
  if (!flow.appendsHitAndRun || !isYes(answers.hit_and_run)) return;
  const addition = isYes(answers.hit_and_run_identified)
    ? DRIVER_IDENTIFIED_ADDITION
    : isNo(answers.hit_and_run_identified) && isYes(answers.uninsured_motorist_coverage)
      ? UNINSURED_MOTORIST_ADDITION
      : undefined;
  draft.found.addition = addition;
  if (addition === undefined) return;
  const text = own ?? '';
  if (!text.endsWith(addition.trim())) {
    draft.force('case_description', text + addition, 'hit_and_run.addition');
  }
  draft.force('bad_words', 'no', 'hit_and_run.addition', derived);
}

function deriveLimit(draft: Draft, which: LimitationChoice, today: CalendarDate): void {
  const { answers } = draft;
  // Where it happened counts, where that was asked.
  const state = answers.state_accident_occurred ?? answers.state;
  const { age } = draft.found;
  const isOver = state && age ? isOverLimitAtAge({ state, age, which, today }) : undefined;
  draft.found.isOverLimit = isOver;
  draft.derived.accident_limit_exceeded = isOver ? '1' : '0';
}

function deriveDateOfBirth({ answers, derived }: Draft): void {
  const { date_of_birth_year, date_of_birth_month, date_of_birth_day } = answers;
  const date = {
    year: Number(date_of_birth_year),
    month: Number(date_of_birth_month),
    day: Number(date_of_birth_day),
  };
  if (isRealDate(date)) derived.date_of_birth = formatIso(date);
}

/**
 * Whether the lead is marked qualified: the rule passes and the incident is at most 730 days old
 * (docs/specification.md#lead-is-qualified). Without a date the answer of `accident_date_button`
 * counts.
 */
function deriveLeadIsQualified({ answers, derived, found }: Draft): void {
  const button = answers.accident_date_button;
  const isRecent =
    found.days === undefined
      ? (button?.startsWith('Within ') ?? false)
      : found.days <= QUALIFIED_INCIDENT_DAYS && button !== 'Over 2 Years';
  derived.lead_is_qualified = found.passesRule && isRecent ? 'yes' : 'no';
}

/** `do_not_send_to_dq` (docs/specification.md#do-not-send-to-dq). */
function deriveDoNotSendToDq({ answers, derived, decision }: Draft, flow: FlowRules): void {
  const isHeldBack =
    decision.qualified ||
    isYes(answers.prior_alcohol_related_offense) ||
    flow.neverSendsToDq === true;
  derived.do_not_send_to_dq = isHeldBack ? 'yes' : 'no';
}

/**
 * Everything that follows from the answers, computed the same way in the browser and on the server,
 * where it wins and is explained (`derive.ts`; docs/specification.md#server-decides). Pure; never
 * throws for any strings.
 *
 * Always derived: `accident_limit_exceeded`, `lead_is_qualified`, `do_not_send_to_dq`, `dq_reason`.
 * With a date: the dates and counts. With a description: `enough_words`. The qualification rule looks
 * at the values after the overriding rules, as they are posted. What could not be decided for want of
 * an input (no zip yet, hence no state) rejects nothing.
 */
export function deriveFields(input: DeriveInput): Derivation {
  const draft = new Draft(input.answers);
  const { answers, derived, found } = draft;
  deriveLawyer(draft);
  deriveDates(draft, input.answers, input.today);
  forceTreatment(draft, input.rules);
  applyPartialFault(draft, input.settings.partialFaultStates);
  if (answers.speaking_with_doctor !== undefined) {
    derived.injury_rx_qualified = isYes(answers.speaking_with_doctor) ? 'yes' : 'no';
  }
  deriveDateOfBirth(draft);
  deriveDescription(draft, input.rules, input.checks);
  deriveLimit(draft, input.settings.limitation, input.today);

  const values = { ...answers, ...derived };
  const clearing = input.rules.clearsRejectionsAfter;
  found.isCleared = clearing !== undefined && answers[clearing] !== undefined;
  found.passesRule = dqReason(values) === '';
  const dq_reason = dqReason(values, found.isCleared);
  draft.decision = { qualified: dq_reason === '', dq_reason };
  derived.dq_reason = dq_reason;
  deriveLeadIsQualified(draft);
  deriveDoNotSendToDq(draft, input.rules);
  return draft;
}
