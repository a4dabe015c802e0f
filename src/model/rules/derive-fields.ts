import { type Answers, type AskedFieldName, isNo, isYes } from '../fields/answers.ts';
import { addDays, type CalendarDate, formatIso, isRealDate } from '../fields/dates.ts';
import { DEFAULT_LAWYER_REASON, lawyerReasons } from '../fields/lawyer-reasons.ts';
import { hasEnoughWords, isLongEnough } from '../fields/text.ts';
import {
  CALENDAR_SKEW_DAYS,
  FORCED_TREATMENT_DATE_OFFSET_DAYS,
  FORCED_TREATMENT_DAYS,
  QUALIFIED_INCIDENT_DAYS,
  WITHIN_LAST_YEAR_DAYS,
} from '../fields/thresholds.ts';
import { type AccidentAge, accidentAge, incidentDate, postedIncidentDate } from './accident-age.ts';
import { isOverLimit, type LimitationChoice } from './limitation-years.ts';
import { dqReason, type RejectingField } from './qualification.ts';

/** A flow's deviations from the usual derivation. */
export type FlowRules = {
  /** The 15-day rule applies only at exactly 15 days, not at fewer (short variants). */
  readonly forcedTreatment?: 'exactly_15_days';
  /** The flow asks about no accident, so rules about accidents do not apply (ticket). */
  readonly isWithoutAccident?: true;
  /** The only fields that disqualify a lead. */
  readonly disqualifiesBy?: readonly RejectingField[];
  /** Sets `do_not_send_to_dq` to yes for every lead (the Ep variant). */
  readonly neverSendsToDq?: boolean;
  /** Appends the answers of the hit-and-run steps to the description. */
  readonly appendsHitAndRun?: boolean;
  /** An answer to this field clears rejections (docs/specification.md#cleared-disqualification). */
  readonly clearsRejectionsAfter?: AskedFieldName;
};

/** The inputs of the derived values. */
export type DeriveInput = {
  /** Answers as `normaliseField` returns them, without empty values. */
  readonly answers: Answers;
  /** Today: in the visitor's time zone in the browser, in the configured one on the server. */
  readonly today: CalendarDate;
  readonly rules: FlowRules;
  readonly settings: {
    /** Codes of the states in which partial fault sets `at_Fault` to no. */
    readonly partialFaultStates: readonly string[];
    /** The column of the limitation table to use. */
    readonly limitation: LimitationChoice;
    /** Enables the 15-day rule (docs/specification.md#forced-treatment). */
    readonly forcesTreatment: boolean;
  };
  /** Results of the description checks; undefined if a check failed. */
  readonly checks: {
    readonly is_gibberish?: 'yes' | 'no' | undefined;
    readonly bad_words?: 'yes' | 'no' | undefined;
  };
};

/** A replacement of a visitor's answer by a rule (docs/specification.md#overrides). */
export type Override = {
  readonly field: string;
  /** The visitor's answer, if any. */
  readonly answered?: string;
  readonly becomes: string;
  readonly rule: string;
};

/** Intermediate results of the rules, for a lead's history. Unknown results are undefined. */
type Found = {
  age?: AccidentAge | undefined;
  /** The best known accident date, and its age. */
  incident?: CalendarDate;
  days?: number;
  months?: number;
  /** The 15-day rule applied. */
  forcedTreatment?: boolean;
  /** Partial fault set `at_Fault` to no. Undefined without partial fault or without a state. */
  partialFault?: boolean | undefined;
  /** The text appended to the description. */
  addition?: string | undefined;
  isOverLimit?: boolean | undefined;
  /** The only fields that disqualify. Undefined: all rejecting fields do. */
  counted?: readonly RejectingField[] | undefined;
  /** Result of the qualification rule before the flow's exceptions. */
  passesRule?: boolean;
};

/** Appended to the description if the other driver was identified (docs/specification.md#hit-and-run). */
const DRIVER_IDENTIFIED_ADDITION = ' -- the driver was identified';
/** Appended to the description with uninsured-motorist coverage (docs/specification.md#hit-and-run). */
const UNINSURED_MOTORIST_ADDITION = ' -- plaintiff has UM insurance';

/** The derived fields, the decision, and the intermediate results that explain them. */
export class Derivation {
  /** The answers, with the replacements by rules. */
  readonly answers: Record<string, string>;
  /** The derived fields, as posted. */
  readonly derived: Record<string, string> = {};
  readonly overrides: Override[] = [];
  readonly found: Found = {};
  decision = { qualified: true, dq_reason: '' };

  constructor(answers: Answers) {
    this.answers = { ...answers };
  }

  /**
   * Sets a field by rule. Records an override unless only the case of the answer changes. A second rule
   * for the same field replaces the override of the first.
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

function deriveLawyer(draft: Derivation): void {
  const { answers } = draft;
  const isReasonKnown = lawyerReasons.includes(answers.lawyer_redirect_reason ?? '');
  if (answers.with_Lawyer === undefined && isReasonKnown) {
    draft.force('with_Lawyer', 'yes', 'lawyer.reason_means_yes');
  }
  if (isYes(answers.with_Lawyer)) {
    // The thank-you query may contain only reasons that the specification lists.
    if (answers.lawyer_redirect_reason !== undefined && !isReasonKnown) {
      draft.force('lawyer_redirect_reason', DEFAULT_LAWYER_REASON, 'lawyer.reason_not_known');
    }
    answers.lawyer_redirect_reason ??= DEFAULT_LAWYER_REASON;
  } else {
    delete answers.lawyer_redirect_reason;
  }
}

function deriveDates(draft: Derivation, given: Answers, today: CalendarDate): void {
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

/** Applies the 15-day rule (docs/specification.md#forced-treatment). */
function forceTreatment(draft: Derivation, flow: FlowRules, isOn: boolean): void {
  const rule = 'treatment.forced';
  const { incident, age } = draft.found;
  const fewest =
    flow.forcedTreatment === 'exactly_15_days' ? FORCED_TREATMENT_DAYS : -CALENDAR_SKEW_DAYS;
  const applies =
    isOn && age !== undefined && age.days[0] >= fewest && age.days[1] <= FORCED_TREATMENT_DAYS;
  draft.found.forcedTreatment = applies;
  if (!applies) return;
  draft.force('doctor_treatment', 'Yes', rule);
  draft.force('physical_injury', 'Yes', rule);
  draft.force('when_seek_medical_treatment', 'first_week', rule);
  if (!incident) return;
  const treatmentDate = formatIso(addDays(incident, FORCED_TREATMENT_DATE_OFFSET_DAYS));
  draft.force('when_seek_medical_treatment_date', treatmentDate, rule);
}

/** Sets `at_Fault` to no for partial fault in a listed state (docs/specification.md#partial-fault). */
function applyPartialFault(draft: Derivation, states: readonly string[]): void {
  const { partial_fault, state } = draft.answers;
  if (!isYes(partial_fault) || state === undefined) return;
  draft.found.partialFault = states.includes(state);
  if (draft.found.partialFault) draft.force('at_Fault', 'no', 'fault.partial');
}

/** Derives the fields of the description and appends to it (docs/specification.md#case-description). */
function deriveDescription(
  draft: Derivation,
  flow: FlowRules,
  checks: DeriveInput['checks'],
): void {
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

function deriveLimit(draft: Derivation, { settings, today }: DeriveInput): void {
  const { answers } = draft;
  const which = settings.limitation;
  // The accident's state takes precedence over the zip code's state.
  const state = answers.state_accident_occurred ?? answers.state;
  const { age } = draft.found;
  const isOver = state && age ? isOverLimit({ state, age, which, today }) : undefined;
  draft.found.isOverLimit = isOver;
  draft.derived.accident_limit_exceeded = isOver ? '1' : '0';
}

function deriveDateOfBirth({ answers, derived }: Derivation): void {
  const { date_of_birth_year, date_of_birth_month, date_of_birth_day } = answers;
  const date = {
    year: Number(date_of_birth_year),
    month: Number(date_of_birth_month),
    day: Number(date_of_birth_day),
  };
  if (isRealDate(date)) derived.date_of_birth = formatIso(date);
}

/** Sets `lead_is_qualified`: yes if the rule passes and the accident is at most 730 days old. */
function deriveLeadIsQualified({ answers, derived, found }: Derivation, flow: FlowRules): void {
  const button = answers.accident_date_button;
  const isRecent =
    flow.isWithoutAccident ??
    (found.days === undefined
      ? (button?.startsWith('Within ') ?? false)
      : found.days <= QUALIFIED_INCIDENT_DAYS && button !== 'Over 2 Years');
  derived.lead_is_qualified = found.passesRule && isRecent ? 'yes' : 'no';
}

/** Sets `do_not_send_to_dq` (docs/specification.md#do-not-send-to-dq). */
function deriveDoNotSendToDq({ answers, derived, decision }: Derivation, flow: FlowRules): void {
  const isHeldBack =
    decision.qualified ||
    isYes(answers.prior_alcohol_related_offense) ||
    flow.neverSendsToDq === true;
  derived.do_not_send_to_dq = isHeldBack ? 'yes' : 'no';
}

/**
 * Derives further fields and the decision from the answers. The browser calls it, too, but the server's
 * result counts (docs/specification.md#server-decides). Pure; never throws.
 *
 * The qualification rule reads the values that other rules set. A rule without its input rejects
 * nothing, for example without a zip code and so without a state.
 */
export function deriveFields(input: DeriveInput): Derivation {
  const { rules, settings } = input;
  const { disqualifiesBy, isWithoutAccident } = rules;
  const draft = new Derivation(input.answers);
  const { answers, derived, found } = draft;
  deriveLawyer(draft);
  deriveDates(draft, input.answers, input.today);
  if (isWithoutAccident) found.age = undefined;
  else {
    forceTreatment(draft, rules, settings.forcesTreatment);
    applyPartialFault(draft, settings.partialFaultStates);
  }
  if (answers.speaking_with_doctor !== undefined) {
    derived.injury_rx_qualified = isYes(answers.speaking_with_doctor) ? 'yes' : 'no';
  }
  deriveDateOfBirth(draft);
  deriveDescription(draft, rules, input.checks);
  deriveLimit(draft, input);

  const values = { ...answers, ...derived };
  const clearing = rules.clearsRejectionsAfter;
  const isCleared = clearing !== undefined && answers[clearing] !== undefined;
  found.counted = isCleared ? ['accident_limit_exceeded'] : disqualifiesBy;
  found.passesRule = dqReason(values, isWithoutAccident && disqualifiesBy) === '';
  const dq_reason = dqReason(values, found.counted);
  draft.decision = { qualified: dq_reason === '', dq_reason };
  derived.dq_reason = dq_reason;
  deriveLeadIsQualified(draft, rules);
  deriveDoNotSendToDq(draft, rules);
  return draft;
}
