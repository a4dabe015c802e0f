import { type Answers, isNo, isYes } from '../fields/answers.ts';
import { type CalendarDate, daysBetween, formatIso } from '../fields/dates.ts';
import { NEAR_DEADLINE_DAYS } from '../fields/thresholds.ts';
import { accidentAge, incidentDate } from './accident-age.ts';
import { type FlowRules, isDriverGone } from './derive-fields.ts';
import { lastDaysToSue, limitationTable } from './limitation.ts';
import { isOverLimit, limitYears } from './limitation-years.ts';

/** The usual time to sue in a US state. */
export type TimeToSue = {
  readonly state: string;
  readonly years: number;
  /** The last day, or the earliest possible one. Undefined if only a timeframe is known. */
  readonly lastDay: CalendarDate | undefined;
  readonly isOver: boolean;
};

/** The facts that a page shows before the visitor sends a lead (docs/specification.md#guidance). */
export type Guidance = {
  /** The time in the visitor's state, else in each state, earliest first. Empty: may not sue. */
  readonly times: readonly TimeToSue[];
  /** `over` if one of the times has ended, `near` if one ends soon. */
  readonly urgency: 'none' | 'near' | 'over';
  readonly steps: readonly GuidanceStep[];
};

/** A thing to do now. `doctorIfNone` is for visitors who were not asked about a doctor. */
export type GuidanceStep =
  | 'doctor'
  | 'doctorIfNone'
  | 'doctorIfPain'
  | 'bills'
  | 'askForReport'
  | 'copyReport'
  | 'reportNow'
  | 'askCameras'
  | 'ownPolicy'
  | 'keepPhotos';

/** The inputs of the guidance. `isDescription` is true on the step that asks for a description. */
export type GuidanceInput = {
  readonly answers: Answers;
  /** The visitor's US state before a zip code is known. */
  readonly visitState: string | undefined;
  readonly today: CalendarDate;
  readonly rules: FlowRules | undefined;
  readonly isDescription: boolean;
};

/** Returns the guidance for a step, or undefined if it would be untrue or say too little. */
export function guidanceFor(input: GuidanceInput): Guidance | undefined {
  const { answers, visitState, today, rules, isDescription } = input;
  // A flow that clears rejections is about charges against the visitor.
  if (rules?.isWithoutAccident || rules?.clearsRejectionsAfter) return undefined;
  const state = answers.state_accident_occurred ?? answers.state ?? visitState;
  const isComplete = state && accidentAge(answers, today) && answers.physical_injury;
  if (!isDescription && !isComplete) return undefined;
  const times = maySue(answers) ? timesToSue(answers, state, today) : [];
  return { times, urgency: urgencyOf(times, today), steps: stepsFor(answers) };
}

function maySue({ physical_injury, at_Fault, partial_fault }: Answers): boolean {
  return !isNo(physical_injury) && (!isYes(at_Fault) || isYes(partial_fault));
}

function timesToSue(
  answers: Answers,
  given: string | undefined,
  today: CalendarDate,
): readonly TimeToSue[] {
  const age = accidentAge(answers, today);
  const incident = incidentDate(answers);
  const states = given ? [given] : limitationTable.map(({ code }) => code);
  const times = states.flatMap((state): TimeToSue | [] => {
    const years = limitYears(state, 'present', incident);
    if (years === undefined) return [];
    const days = lastDaysToSue(state, answers);
    const [first] = days;
    const latest = days.at(-1);
    const isOver = latest
      ? daysBetween(latest, today) > 0
      : age !== undefined && isOverLimit({ state, age, which: 'present', today }) === true;
    // If a law changed within the month, the earliest day may follow from fewer years.
    const fewest = first && incident ? first.year - incident.year : years;
    return { state, years: fewest, lastDay: first, isOver };
  });
  const orderOf = ({ lastDay, years }: TimeToSue) => (lastDay ? formatIso(lastDay) : `${years}`);
  return times.sort((one, other) => orderOf(one).localeCompare(orderOf(other)));
}

function urgencyOf(times: readonly TimeToSue[], today: CalendarDate): Guidance['urgency'] {
  if (times.some(({ isOver }) => isOver)) return 'over';
  const days = times.map(({ lastDay }) => (lastDay ? daysBetween(today, lastDay) : Infinity));
  return Math.min(...days) < NEAR_DEADLINE_DAYS ? 'near' : 'none';
}

function stepsFor(answers: Answers): GuidanceStep[] {
  const { physical_injury, doctor_treatment, police_report } = answers;
  const treated = doctor_treatment ?? answers.required_medical_treatment;
  const care = isNo(physical_injury)
    ? 'doctorIfPain'
    : isYes(treated)
      ? 'bills'
      : isNo(doctor_treatment)
        ? 'doctor'
        : 'doctorIfNone';
  const isGone = isDriverGone(answers);
  const toReport = isGone ? 'reportNow' : isNo(police_report) && 'askForReport';
  const report = isYes(police_report) ? 'copyReport' : toReport;
  const last: GuidanceStep[] = isGone ? ['askCameras', 'ownPolicy'] : ['keepPhotos'];
  return [care, ...(report ? [report] : []), ...last] as GuidanceStep[];
}
