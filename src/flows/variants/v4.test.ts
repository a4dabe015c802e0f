import { describe, expect, test } from 'vitest';
import type { Answers } from '../../domain/answers.ts';
import { allPaths } from '../engine/paths.ts';
import { testSamples } from '../engine/test-samples.ts';
import { nextStep, type WalkContext } from '../engine/walk.ts';
import { type Survey, surveyAt, surveyFacts } from '../surveys.ts';
import { v4 } from './v4.ts';

const today = { year: 2026, month: 11, day: 20 };

function contextOf(path: string, toggles: Partial<Survey['toggles']> = {}): WalkContext {
  const survey = surveyAt(path);
  if (!survey) throw new Error(`no survey at ${path}`);
  const facts = surveyFacts({ ...survey, toggles: { ...survey.toggles, ...toggles } });
  return { today, survey: facts, settings: { dateOfBirthStates: ['AL', 'NE'] } };
}

const v4nv = contextOf('/survey/v4nv');
const within14Days = { injury_month: '11', injury_year: '2026', injury_day: '06' };
const day15 = { ...within14Days, injury_day: '05' };
const month12 = { injury_month: '11', injury_year: '2025', injury_day: '20' };
const month13 = { injury_month: '10', injury_year: '2025', injury_day: '20' };
const day729 = { injury_month: '11', injury_year: '2024', injury_day: '21' };
const day730 = { injury_month: '11', injury_year: '2024', injury_day: '20' };
const severe = { at_Fault: 'yes', physical_injury: 'Yes', specific_injury: 'Whiplash' };

/** docs/specification.md#v4-flow, line by line: step, answers, next step. */
const journey: [
  context: WalkContext,
  step: keyof typeof v4.steps,
  answers: Answers,
  next?: string,
][] = [
  [v4nv, 'StartPath', {}, 'WhenWasTheAccident'],
  [contextOf('/survey/v4nv-es'), 'StartPath', {}, 'WhenWasTheAccident'],
  [contextOf('/survey/v4'), 'StartPath', {}, 'AutoAccidentCaseWorth'],
  [contextOf('/survey/v5nv'), 'StartPath', {}, 'AutoAccidentCaseWorth'],
  [v4nv, 'AutoAccidentCaseWorth', {}, 'WhenWasTheAccident'],
  [v4nv, 'WhenWasTheAccident', {}, 'AtFault'],
  [v4nv, 'AtFault', {}, 'WasUserInjured'],
  [v4nv, 'WasUserInjured', { ...severe, ...month12 }, 'ActiveInsurancePolicy'],
  [v4nv, 'WasUserInjured', { ...severe, ...month13 }, 'DidYouReceiveMedicalTreatment'],
  [
    v4nv,
    'WasUserInjured',
    { ...severe, ...month12, at_Fault: 'no' },
    'DidYouReceiveMedicalTreatment',
  ],
  [
    v4nv,
    'WasUserInjured',
    { ...severe, ...month12, specific_injury: 'Other' },
    'DidYouReceiveMedicalTreatment',
  ],
  [
    v4nv,
    'WasUserInjured',
    { at_Fault: 'yes', physical_injury: 'No', ...month12 },
    'PoliceReportFiled',
  ],
  [v4nv, 'ActiveInsurancePolicy', { active_insurance_policy: 'yes' }, 'MissedWork'],
  [
    v4nv,
    'ActiveInsurancePolicy',
    { active_insurance_policy: 'no' },
    'DidYouReceiveMedicalTreatment',
  ],
  [v4nv, 'MissedWork', { missed_work: 'yes' }, 'SpeakingWithADoctor'],
  [v4nv, 'MissedWork', { missed_work: 'no' }, 'DidYouReceiveMedicalTreatment'],
  [v4nv, 'SpeakingWithADoctor', { speaking_with_doctor: 'no' }, 'DidYouReceiveMedicalTreatment'],
  [
    v4nv,
    'DidYouReceiveMedicalTreatment',
    { doctor_treatment: 'no', ...within14Days },
    'WillingToTreat',
  ],
  [
    v4nv,
    'DidYouReceiveMedicalTreatment',
    { doctor_treatment: 'no', ...day15 },
    'PoliceReportFiled',
  ],
  [
    v4nv,
    'DidYouReceiveMedicalTreatment',
    { doctor_treatment: 'yes', ...within14Days },
    'PoliceReportFiled',
  ],
  [v4nv, 'WillingToTreat', { willing_to_treat: 'no' }, 'PoliceReportFiled'],
  [v4nv, 'PoliceReportFiled', { police_report: 'no' }, 'HasLawyer'],
  [v4nv, 'HasLawyer', { with_Lawyer: 'yes', ...day729 }, 'ConfirmationHasLawyer'],
  [v4nv, 'HasLawyer', { with_Lawyer: 'yes', ...day730 }, 'IncidentDescription'],
  [v4nv, 'HasLawyer', { with_Lawyer: 'no', ...day729 }, 'IncidentDescription'],
  [contextOf('/survey/v5'), 'HasLawyer', { with_Lawyer: 'yes', ...day729 }, 'InterestedInFunding'],
  [
    contextOf('/survey/v4nv-es'),
    'HasLawyer',
    { with_Lawyer: 'yes', ...day729 },
    'IncidentDescription',
  ],
  [v4nv, 'ConfirmationHasLawyer', { with_Lawyer: 'yes', ...day729 }, 'InterestedInFunding'],
  [v4nv, 'ConfirmationHasLawyer', { with_Lawyer: 'no', ...day729 }, 'IncidentDescription'],
  [v4nv, 'InterestedInFunding', { interested_in_psf: 'yes' }, 'FundingAmount'],
  [v4nv, 'InterestedInFunding', { interested_in_psf: 'no' }, 'IncidentDescription'],
  [v4nv, 'FundingAmount', { funding_amount: 'under_2500' }, 'HasCaseBeenSettled'],
  [v4nv, 'HasCaseBeenSettled', { settled_case: 'yes' }, 'IncidentDescription'],
  [v4nv, 'HasCaseBeenSettled', { settled_case: 'no' }, 'HasReceivedFunding'],
  [v4nv, 'HasReceivedFunding', { prior_funding: 'yes' }, 'IncidentDescription'],
  [v4nv, 'HasReceivedFunding', { prior_funding: 'no' }, 'LawFirmDetails'],
  [v4nv, 'LawFirmDetails', {}, 'IncidentDescription'],
  [v4nv, 'IncidentDescription', {}, 'NameAndEmail'],
  [v4nv, 'IncidentDescription', { hit_and_run: 'no' }, 'NameAndEmail'],
  [v4nv, 'IncidentDescription', { hit_and_run: 'yes' }, 'HitAndRunIdentified'],
  [contextOf('/survey/v4nv', { combinedLastStep: true }), 'IncidentDescription', {}, 'AllPii'],
  [v4nv, 'HitAndRunIdentified', { hit_and_run_identified: 'yes' }, 'NameAndEmail'],
  [v4nv, 'HitAndRunIdentified', { hit_and_run_identified: 'no' }, 'UninsuredMotoristCoverage'],
  [
    contextOf('/survey/v4nv', { combinedLastStep: true }),
    'HitAndRunIdentified',
    { hit_and_run_identified: 'yes' },
    'AllPii',
  ],
  [v4nv, 'UninsuredMotoristCoverage', { uninsured_motorist_coverage: 'yes' }, 'NameAndEmail'],
  [
    contextOf('/survey/v4nv', { combinedLastStep: true }),
    'UninsuredMotoristCoverage',
    { uninsured_motorist_coverage: 'no' },
    'AllPii',
  ],
  [v4nv, 'NameAndEmail', {}, 'PhoneAndZip'],
  [v4nv, 'NameAndEmail', { state: 'AL' }, 'DateOfBirth'],
  [v4nv, 'NameAndEmail', { state: 'TX' }, 'PhoneAndZip'],
  [v4nv, 'DateOfBirth', {}, 'PhoneAndZip'],
  [v4nv, 'PhoneAndZip', {}, undefined],
  [v4nv, 'AllPii', {}, undefined],
];

describe('the v4 flow', () => {
  test.each(journey)('%#: %s', (context, step, answers, next) => {
    expect(nextStep(v4, step, answers, context)).toBe(next);
  });

  test('the table covers every step', () => {
    expect(new Set(journey.map(([, step]) => step))).toEqual(new Set(Object.keys(v4.steps)));
  });

  // 9 paths to the police report, 6 from the lawyer to the description, 3 from there to the contact step.
  test.each([
    ['/survey/v4nv', {}, 9 * 6 * 3],
    ['/survey/v4nv', { combinedLastStep: true }, 9 * 6 * 3],
    ['/survey/v5', {}, 9 * 5 * 3],
    ['/survey/v4nv-es', {}, 9 * 1 * 3],
  ])('%s %o has as many ways as its branches multiply to', (path, toggles, count) => {
    const paths = allPaths(v4, contextOf(path, toggles), testSamples(today));
    expect(paths).toHaveLength(count);
    const last = 'combinedLastStep' in toggles ? 'AllPii' : 'PhoneAndZip';
    expect(new Set(paths.map((way) => way.steps.at(-1)))).toEqual(new Set([last]));
  });

  test('every path passes DateOfBirth in a listed state', () => {
    const paths = allPaths(v4, v4nv, testSamples(today), { state: 'NE' });
    expect(paths.every((way) => way.steps.includes('DateOfBirth'))).toBe(true);
  });
});
