import { when } from '../../engine/flow.ts';
import {
  accidentDate,
  allPii,
  atFault,
  dateOfBirth,
  descriptionWithHitAndRun,
  nameAndEmail,
  phoneAndZip,
  policeReport,
  receivedTreatment,
  specificInjury,
  willingToTreat,
  yesOrNo,
} from './steps.ts';

/** The v4 logic up to the lawyer question (document 2, section 4, "v4 family"). */
export const v4UntilLawyer = {
  WhenWasTheAccident: accidentDate({ stage: 'accident', next: ['AtFault'] }),
  AtFault: atFault({ stage: 'accident', next: ['WasUserInjured'] }),
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

/** The v4 logic from the description to the post (document 2, section 4, "v4 family"). */
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
