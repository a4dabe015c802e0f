import { type Answers, type AskedFieldName, isNo, isYes } from '../fields/answers.ts';
import type { CalendarDate } from '../fields/dates.ts';
import {
  INJURY_MONTHS,
  OVER_TWO_YEARS_DAYS,
  severeInjuries,
  TREATMENT_FOLLOW_UP_DAYS,
} from '../fields/thresholds.ts';
import { accidentAge, accidentAgeFields } from './accident-age.ts';

/** The inputs of a flow's conditions. */
export type Facts = {
  readonly answers: Answers;
  readonly today: CalendarDate;
  /** The visitor's U.S. state at the start of the visit. */
  readonly state?: string | undefined;
  readonly survey: {
    readonly combinedLastStep: boolean;
    readonly skipsLawyerFunding: boolean;
    readonly confirmsLawyer: boolean;
    readonly startsWithCaseWorth: boolean;
    readonly hasFixedBuyers?: boolean;
  };
  readonly settings: {
    readonly dateOfBirthStates: readonly string[];
  };
};

/** A condition of a flow. `reads` lists the answers that `test` reads. */
type Condition = {
  readonly reads: readonly AskedFieldName[];
  readonly test: (facts: Facts) => boolean;
};

function condition(reads: readonly AskedFieldName[], test: (facts: Facts) => boolean): Condition {
  return { reads, test };
}

function answeredYes(field: AskedFieldName): Condition {
  return condition([field], ({ answers }) => isYes(answers[field]));
}

/** Returns whether the accident was over 2 years ago (docs/specification.md#over-two-years). */
function isOverTwoYears({ answers, today }: Facts): boolean {
  const age = accidentAge(answers, today);
  return (
    (age !== undefined && age.days[0] >= OVER_TWO_YEARS_DAYS) ||
    answers.accident_date_button === 'Over 2 Years'
  );
}

function isSeverelyInjured({ answers }: Facts): boolean {
  return !isNo(answers.physical_injury) && severeInjuries.includes(answers.specific_injury ?? '');
}

function isWithinInjuryMonths({ answers, today }: Facts): boolean {
  const age = accidentAge(answers, today);
  return age !== undefined && age.months[1] <= INJURY_MONTHS;
}

/** The conditions of flows (docs/specification.md#flow-conditions). */
export const conditions = {
  startsWithCaseWorth: condition([], ({ survey }) => survey.startsWithCaseWorth),
  confirmsLawyer: condition([], ({ survey }) => survey.confirmsLawyer),
  skipsLawyerFunding: condition([], ({ survey }) => survey.skipsLawyerFunding),
  hasCombinedLastStep: condition([], ({ survey }) => survey.combinedLastStep),

  isAtFault: answeredYes('at_Fault'),
  isInjured: answeredYes('physical_injury'),
  isSeverelyInjuredAndAtFault: condition(
    ['at_Fault', 'physical_injury', 'specific_injury', ...accidentAgeFields],
    (facts) =>
      isYes(facts.answers.at_Fault) && isSeverelyInjured(facts) && isWithinInjuryMonths(facts),
  ),
  hasActiveInsurance: answeredYes('active_insurance_policy'),
  missedWork: answeredYes('missed_work'),

  isUntreatedWithinFollowUp: condition(
    ['doctor_treatment', ...accidentAgeFields],
    ({ answers, today }) => {
      const age = accidentAge(answers, today);
      return (
        isNo(answers.doctor_treatment) &&
        age !== undefined &&
        age.days[1] <= TREATMENT_FOLLOW_UP_DAYS
      );
    },
  ),
  requiredNoMedicalTreatment: condition(['required_medical_treatment'], ({ answers }) =>
    isNo(answers.required_medical_treatment),
  ),

  hasLawyerOnRecentAccident: condition(
    ['with_Lawyer', ...accidentAgeFields],
    (facts) => isYes(facts.answers.with_Lawyer) && !isOverTwoYears(facts),
  ),
  isInterestedInFunding: answeredYes('interested_in_psf'),
  caseIsSettled: answeredYes('settled_case'),
  receivedFunding: answeredYes('prior_funding'),

  isHitAndRun: answeredYes('hit_and_run'),
  driverWasIdentified: answeredYes('hit_and_run_identified'),

  hasPendingDuiCharges: answeredYes('pending_dui_charges'),
  tookNoAlcoholTest: condition(['type_of_alcohol_test_performed'], ({ answers }) =>
    ['no_test', 'refused_test'].includes(answers.type_of_alcohol_test_performed ?? ''),
  ),

  hasBuyersToChoose: condition(
    ['1_to_1_consent'],
    ({ answers, survey }) => survey.hasFixedBuyers === true || isYes(answers['1_to_1_consent']),
  ),

  asksDateOfBirth: condition(['state'], ({ answers, state, settings }) =>
    settings.dateOfBirthStates.includes(answers.state ?? state ?? ''),
  ),
} as const satisfies Record<string, Condition>;

export type ConditionName = keyof typeof conditions;
