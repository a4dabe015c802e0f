import { when } from '../../engine/flow.ts';
import {
  allPii,
  dateAndFault,
  dateOfBirth,
  descriptionWithHitAndRun,
  hasLawyer,
  nameAndEmail,
  phoneAndZip,
  policeReport,
  receivedTreatment,
  specificInjury,
  willingToTreat,
  yesOrNo,
} from './steps.ts';

/** The v4 logic up to the lawyer question (docs/specification.md#v4-flow). */
export const v4UntilLawyer = {
  ...dateAndFault,
  WasUserInjured: specificInjury({
    stage: 'injuries',
    next: [
      when('isSeverelyInjuredAndAtFault', 'ActiveInsurancePolicy'),
      when('isInjured', 'DidYouReceiveMedicalTreatment'),
      'PoliceReportFiled',
    ],
  }),
  ActiveInsurancePolicy: yesOrNo('active_insurance_policy', {
    stage: 'injuries',
    next: [when('hasActiveInsurance', 'MissedWork'), 'DidYouReceiveMedicalTreatment'],
  }),
  MissedWork: yesOrNo('missed_work', {
    stage: 'injuries',
    next: [when('missedWork', 'SpeakingWithADoctor'), 'DidYouReceiveMedicalTreatment'],
  }),
  SpeakingWithADoctor: yesOrNo('speaking_with_doctor', {
    stage: 'injuries',
    next: ['DidYouReceiveMedicalTreatment'],
  }),
  DidYouReceiveMedicalTreatment: receivedTreatment({
    stage: 'injuries',
    next: [when('isUntreatedWithinFollowUp', 'WillingToTreat'), 'PoliceReportFiled'],
  }),
  WillingToTreat: willingToTreat({ stage: 'injuries', next: ['PoliceReportFiled'] }),
  PoliceReportFiled: policeReport({ stage: 'case', next: ['HasLawyer'] }),
};

/** The v4 logic from the lawyer question to the description: confirmation, funding, law firm. */
export const v4LawyerBranch = {
  HasLawyer: hasLawyer({
    stage: 'case',
    next: [
      when('skipsLawyerFunding', 'IncidentDescription'),
      when(['hasLawyerOnRecentAccident', 'confirmsLawyer'], 'ConfirmationHasLawyer'),
      when('hasLawyerOnRecentAccident', 'InterestedInFunding'),
      'IncidentDescription',
    ],
  }),
  ConfirmationHasLawyer: yesOrNo('with_Lawyer', {
    stage: 'case',
    next: [when('hasLawyerOnRecentAccident', 'InterestedInFunding'), 'IncidentDescription'],
  }),
  InterestedInFunding: yesOrNo('interested_in_psf', {
    stage: 'case',
    next: [when('isInterestedInFunding', 'FundingAmount'), 'IncidentDescription'],
  }),
  FundingAmount: {
    kind: 'choice',
    stage: 'case',
    choices: [
      { funding_amount: 'under_2500' },
      { funding_amount: '2500_to_5000' },
      { funding_amount: '5000_to_10000' },
      { funding_amount: 'over_10000' },
    ],
    next: ['HasCaseBeenSettled'],
  },
  HasCaseBeenSettled: yesOrNo('settled_case', {
    stage: 'case',
    next: [when('caseIsSettled', 'IncidentDescription'), 'HasReceivedFunding'],
  }),
  HasReceivedFunding: yesOrNo('prior_funding', {
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

/** The v4 logic from the description to the post (docs/specification.md#v4-flow). */
export const v4FromDescription = {
  IncidentDescription: descriptionWithHitAndRun({
    stage: 'case',
    next: [
      when('isHitAndRun', 'HitAndRunIdentified'),
      when('hasCombinedLastStep', 'AllPii'),
      'NameAndEmail',
    ],
  }),
  HitAndRunIdentified: yesOrNo('hit_and_run_identified', {
    stage: 'case',
    next: [
      when(['driverWasIdentified', 'hasCombinedLastStep'], 'AllPii'),
      when('driverWasIdentified', 'NameAndEmail'),
      'UninsuredMotoristCoverage',
    ],
  }),
  UninsuredMotoristCoverage: yesOrNo('uninsured_motorist_coverage', {
    stage: 'case',
    next: [when('hasCombinedLastStep', 'AllPii'), 'NameAndEmail'],
  }),
  NameAndEmail: nameAndEmail({
    stage: 'contact',
    next: [when('asksDateOfBirth', 'DateOfBirth'), 'PhoneAndZip'],
  }),
  DateOfBirth: dateOfBirth({ stage: 'contact', next: ['PhoneAndZip'] }),
  PhoneAndZip: phoneAndZip({ stage: 'contact', next: [] }),
  AllPii: allPii({ stage: 'contact', next: [] }),
};
