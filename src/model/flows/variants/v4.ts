import { defineFlow, when } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The steps of the main flow before the lawyer question (docs/specification.md#v4-flow). */
export const untilLawyer = {
  ...ask.dateAndFault,
  WasUserInjured: ask.specificInjury({
    stage: 'injuries',
    next: [
      when('isSeverelyInjuredAndAtFault', 'ActiveInsurancePolicy'),
      when('isInjured', 'DidYouReceiveMedicalTreatment'),
      'PoliceReportFiled',
    ],
  }),
  ActiveInsurancePolicy: ask.oneOf('active_insurance_policy', {
    stage: 'injuries',
    next: [when('hasActiveInsurance', 'MissedWork'), 'DidYouReceiveMedicalTreatment'],
  }),
  MissedWork: ask.oneOf('missed_work', {
    stage: 'injuries',
    next: [when('missedWork', 'SpeakingWithADoctor'), 'DidYouReceiveMedicalTreatment'],
  }),
  SpeakingWithADoctor: ask.oneOf('speaking_with_doctor', {
    stage: 'injuries',
    next: ['DidYouReceiveMedicalTreatment'],
  }),
  DidYouReceiveMedicalTreatment: ask.oneOf('doctor_treatment', {
    stage: 'injuries',
    next: [when('isUntreatedWithinFollowUp', 'WillingToTreat'), 'PoliceReportFiled'],
  }),
  WillingToTreat: ask.oneOf('willing_to_treat', { stage: 'injuries', next: ['PoliceReportFiled'] }),
  PoliceReportFiled: ask.policeReport({ stage: 'case', next: ['HasLawyer'] }),
};

export const lawyerBranch = {
  HasLawyer: ask.hasLawyer({
    stage: 'case',
    next: [
      when('skipsLawyerFunding', 'IncidentDescription'),
      when(['hasLawyerOnRecentAccident', 'confirmsLawyer'], 'ConfirmationHasLawyer'),
      when('hasLawyerOnRecentAccident', 'InterestedInFunding'),
      'IncidentDescription',
    ],
  }),
  ConfirmationHasLawyer: ask.oneOf('with_Lawyer', {
    stage: 'case',
    next: [when('hasLawyerOnRecentAccident', 'InterestedInFunding'), 'IncidentDescription'],
  }),
  InterestedInFunding: ask.oneOf('interested_in_psf', {
    stage: 'case',
    next: [when('isInterestedInFunding', 'FundingAmount'), 'IncidentDescription'],
  }),
  FundingAmount: ask.oneOf('funding_amount', { stage: 'case', next: ['HasCaseBeenSettled'] }),
  HasCaseBeenSettled: ask.oneOf('settled_case', {
    stage: 'case',
    next: [when('caseIsSettled', 'IncidentDescription'), 'HasReceivedFunding'],
  }),
  HasReceivedFunding: ask.oneOf('prior_funding', {
    stage: 'case',
    next: [when('receivedFunding', 'IncidentDescription'), 'LawFirmDetails'],
  }),
  LawFirmDetails: {
    kind: 'form',
    stage: 'case',
    asks: ['law_firm_name'],
    optional: ['law_firm_phone'],
    next: ['IncidentDescription'],
  },
} as const;

/** The main flow (docs/specification.md#v4-flow). */
export const v4 = defineFlow({
  id: 'v4',
  progress: 'stages',
  rules: { appendsHitAndRun: true },
  scripts: [ask.adPixelOnInjury],
  steps: {
    StartPath: ask.startPath({
      stage: 'accident',
      next: [when('startsWithCaseWorth', 'AutoAccidentCaseWorth'), 'WhenWasTheAccident'],
    }),
    AutoAccidentCaseWorth: ask.caseWorth({ stage: 'accident' }),
    ...untilLawyer,
    ...lawyerBranch,
    IncidentDescription: ask.descriptionWithHitAndRun({
      stage: 'case',
      next: [
        when('isHitAndRun', 'HitAndRunIdentified'),
        when('hasCombinedLastStep', 'AllPii'),
        'NameAndEmail',
      ],
    }),
    HitAndRunIdentified: ask.oneOf('hit_and_run_identified', {
      stage: 'case',
      next: [
        when(['driverWasIdentified', 'hasCombinedLastStep'], 'AllPii'),
        when('driverWasIdentified', 'NameAndEmail'),
        'UninsuredMotoristCoverage',
      ],
    }),
    UninsuredMotoristCoverage: ask.oneOf('uninsured_motorist_coverage', {
      stage: 'case',
      next: [when('hasCombinedLastStep', 'AllPii'), 'NameAndEmail'],
    }),
    NameAndEmail: ask.nameAndEmail({
      stage: 'contact',
      next: [when('asksDateOfBirth', 'DateOfBirth'), 'PhoneAndZip'],
    }),
    DateOfBirth: ask.dateOfBirth({ stage: 'contact', next: ['PhoneAndZip'] }),
    PhoneAndZip: ask.phoneAndZip({ stage: 'contact' }),
    AllPii: ask.allPii({ stage: 'contact' }),
  },
});
