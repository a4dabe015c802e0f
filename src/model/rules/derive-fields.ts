import { type Answers, type AskedFieldName, isNo, isYes } from '../fields/answers.ts';
import { addDays, type CalendarDate, formatIso, isRealDate } from '../fields/dates.ts';
import { hasEnoughWords, isLongEnough } from '../fields/text.ts';
import {
  CALENDAR_SKEW_DAYS,
  DEFAULT_LAWYER_REASON,
  FORCED_TREATMENT_DATE_OFFSET_DAYS,
  FORCED_TREATMENT_DAYS,
  lawyerReasons,
  QUALIFIED_INCIDENT_DAYS,
  WITHIN_LAST_YEAR_DAYS,
} from '../fields/thresholds.ts';
import { type AccidentAge, accidentAge, incidentDate } from './accident-age.ts';
import { isOverLimit, type LimitationChoice } from './limitation-years.ts';
import { dqReason, type RejectingField } from './qualification.ts';

/** The differences of a flow from the usual rules. */
export type FlowRules = {
  /** The 15-day rule applies only on the 15th day (docs/specification.md#forced-treatment). */
  readonly forcedTreatment?: 'exactly_15_days';
  /** True if the flow is not about an accident. */
  readonly isWithoutAccident?: true;
  /** Only these fields can disqualify the visitor. */
  readonly disqualifiesBy?: readonly RejectingField[];
  /** True if the buyer of disqualified leads receives no lead of the flow. */
  readonly neverSendsToDq?: boolean;
  /** True if answers about a hit and run are added to the description. */
  readonly appendsHitAndRun?: boolean;
  /** After an answer to this field, only the limitation period can disqualify the visitor. */
  readonly clearsRejectionsAfter?: AskedFieldName;
};

export type DeriveInput = {
  /** The normalised answers, without empty values. */
  readonly answers: Answers;
  readonly today: CalendarDate;
  readonly rules: FlowRules;
  readonly settings: {
    /** The U.S. states in which partial fault counts as no fault. */
    readonly partialFaultStates: readonly string[];
    readonly limitation: LimitationChoice;
    /** True if the 15-day rule applies (docs/specification.md#forced-treatment). */
    readonly forcesTreatment: boolean;
  };
  /** The results of the checks of the description. */
  readonly checks: {
    readonly is_gibberish?: 'yes' | 'no' | undefined;
    readonly bad_words?: 'yes' | 'no' | undefined;
  };
};

/** An answer that a rule replaced (docs/specification.md#overrides). */
export type Override = {
  readonly field: string;
  readonly answered?: string;
  readonly becomes: string;
  readonly rule: string;
};

/** The intermediate results from which fields are derived. */
type RuleTrace = {
  age?: AccidentAge | undefined;
  /** The date of the accident. */
  incident?: CalendarDate;
  days?: number;
  months?: number;
  forcedTreatment?: boolean;
  /** True if partial fault set `at_Fault` to no. */
  partialFault?: boolean | undefined;
  addition?: string | undefined;
  isOverLimit?: boolean | undefined;
  onlyFields?: readonly RejectingField[] | undefined;
  /** True if no qualification rule rejects the lead, before the flow's exceptions apply. */
  passesRule?: boolean;
};

/** A rule adds this text to the description (docs/specification.md#hit-and-run). */
const DRIVER_IDENTIFIED_ADDITION = ' -- the driver was identified';
/** A rule adds this text to the description (docs/specification.md#hit-and-run). */
const UNINSURED_MOTORIST_ADDITION = ' -- plaintiff has UM insurance';

/** The fields of a lead while rules are being applied. */
export class Derivation {
  readonly answers: Record<string, string>;
  readonly derived: Record<string, string> = {};
  readonly overrides: Override[] = [];
  readonly trace: RuleTrace = {};
  decision = { qualified: true, dq_reason: '' };

  constructor(answers: Answers) {
    this.answers = { ...answers };
  }

  /** Sets a field as a rule requires, and records the replaced answer. */
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
    // Replaces an unknown reason, because the thank-you page's URL may contain only known reasons.
    if (answers.lawyer_redirect_reason !== undefined && !isReasonKnown) {
      draft.force('lawyer_redirect_reason', DEFAULT_LAWYER_REASON, 'lawyer.reason_not_known');
    }
    answers.lawyer_redirect_reason ??= DEFAULT_LAWYER_REASON;
  } else {
    delete answers.lawyer_redirect_reason;
  }
}

function deriveDates(draft: Derivation, given: Answers, today: CalendarDate): void {
  const { answers, derived, trace } = draft;
  const age = accidentAge(given, today);
  trace.age = age;
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
  derived.incident_date = formatIso({ ...incident, day: 1 });
  derived.days_from_incident_date = String(days);
  derived.months_from_incident_date = String(months);
  Object.assign(trace, { incident, days, months });
}

function forceTreatment(draft: Derivation, flow: FlowRules, isOn: boolean): void {
  const rule = 'treatment.forced';
  const { incident, age } = draft.trace;
  const fewest =
    flow.forcedTreatment === 'exactly_15_days' ? FORCED_TREATMENT_DAYS : -CALENDAR_SKEW_DAYS;
  const applies =
    isOn && age !== undefined && age.days[0] >= fewest && age.days[1] <= FORCED_TREATMENT_DAYS;
  draft.trace.forcedTreatment = applies;
  if (!applies) return;
  draft.force('doctor_treatment', 'Yes', rule);
  draft.force('physical_injury', 'Yes', rule);
  draft.force('when_seek_medical_treatment', 'first_week', rule);
  if (!incident) return;
  const treatmentDate = formatIso(addDays(incident, FORCED_TREATMENT_DATE_OFFSET_DAYS));
  draft.force('when_seek_medical_treatment_date', treatmentDate, rule);
}

function applyPartialFault(draft: Derivation, states: readonly string[]): void {
  const { partial_fault, state } = draft.answers;
  if (!isYes(partial_fault) || state === undefined) return;
  draft.trace.partialFault = states.includes(state);
  if (draft.trace.partialFault) draft.force('at_Fault', 'no', 'fault.partial');
}

/** Returns whether the other driver left and is not found. */
export function isDriverGone({ hit_and_run, hit_and_run_identified }: Answers): boolean {
  return isYes(hit_and_run) && !isYes(hit_and_run_identified);
}

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
  draft.trace.addition = addition;
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
  // The law of the accident's state applies, not the law of the visitor's state.
  const state = answers.state_accident_occurred ?? answers.state;
  const { age } = draft.trace;
  const isOver = state && age ? isOverLimit({ state, age, which, today }) : undefined;
  draft.trace.isOverLimit = isOver;
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

function deriveLeadIsQualified({ answers, derived, trace }: Derivation, flow: FlowRules): void {
  const button = answers.accident_date_button;
  const isRecent =
    flow.isWithoutAccident ??
    (trace.days === undefined
      ? (button?.startsWith('Within ') ?? false)
      : trace.days <= QUALIFIED_INCIDENT_DAYS && button !== 'Over 2 Years');
  derived.lead_is_qualified = trace.passesRule && isRecent ? 'yes' : 'no';
}

function deriveDoNotSendToDq({ answers, derived, decision }: Derivation, flow: FlowRules): void {
  const isHeldBack =
    decision.qualified ||
    isYes(answers.prior_alcohol_related_offense) ||
    flow.neverSendsToDq === true;
  derived.do_not_send_to_dq = isHeldBack ? 'yes' : 'no';
}

/** Applies all rules to the answers (docs/specification.md#server-decides). Never throws. */
export function deriveFields(input: DeriveInput): Derivation {
  const { rules, settings } = input;
  const { disqualifiesBy, isWithoutAccident } = rules;
  const draft = new Derivation(input.answers);
  const { answers, derived, trace } = draft;
  deriveLawyer(draft);
  deriveDates(draft, input.answers, input.today);
  if (isWithoutAccident) trace.age = undefined;
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
  trace.onlyFields = isCleared ? ['accident_limit_exceeded'] : disqualifiesBy;
  trace.passesRule = dqReason(values, isWithoutAccident && disqualifiesBy) === '';
  const dq_reason = dqReason(values, trace.onlyFields);
  draft.decision = { qualified: dq_reason === '', dq_reason };
  derived.dq_reason = dq_reason;
  deriveLeadIsQualified(draft, rules);
  deriveDoNotSendToDq(draft, rules);
  return draft;
}
