import { defineFlow, when } from '../engine/flow.ts';
import {
  accidentDate,
  atFault,
  caseWorth,
  dateOfBirth,
  hasLawyer,
  nameAndEmail,
  phoneAndZip,
  policeReport,
  receivedTreatment,
  startPath,
} from './fragments/steps.ts';

/** Group variant of the v4 family, v4g (docs/specification.md#group-flow). */
export const group = defineFlow({
  id: 'group',
  progress: 'stages',
  start: 'StartPath',
  submit: { specialStates: 'most_populous' },
  steps: {
    StartPath: startPath({
      stage: 'accident',
      next: [when('startsWithCaseWorth', 'AutoAccidentCaseWorth'), 'WhenWasTheAccident'],
    }),
    AutoAccidentCaseWorth: caseWorth({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    WhenWasTheAccident: accidentDate({ stage: 'accident', next: ['AtFault'] }),
    AtFault: atFault({ stage: 'accident', next: ['AccidentResultInMedicalTreatment'] }),
    AccidentResultInMedicalTreatment: receivedTreatment({
      stage: 'injuries',
      next: ['PoliceReportFiled'],
    }),
    PoliceReportFiled: policeReport({ stage: 'case', next: ['HasLawyer'] }),
    HasLawyer: hasLawyer({ stage: 'case', next: ['NameAndEmail'] }),
    NameAndEmail: nameAndEmail({
      stage: 'contact',
      next: [when('asksDateOfBirth', 'DateOfBirth'), 'PhoneAndZip'],
    }),
    DateOfBirth: dateOfBirth({ stage: 'contact', next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ stage: 'contact', next: [] }),
  },
});
