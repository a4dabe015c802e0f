import { defineFlow, when } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow v4g, the group variant of v4 (docs/specification.md#flows). */
export const group = defineFlow({
  id: 'group',
  progress: 'stages',
  submit: { specialStates: 'most_populous' },
  steps: {
    StartPath: ask.startPath({
      stage: 'accident',
      next: [when('startsWithCaseWorth', 'AutoAccidentCaseWorth'), 'WhenWasTheAccident'],
    }),
    AutoAccidentCaseWorth: ask.caseWorth({ stage: 'accident' }),
    WhenWasTheAccident: ask.accidentDate({ stage: 'accident' }),
    AtFault: ask.atFault({ stage: 'accident' }),
    AccidentResultInMedicalTreatment: ask.oneOf('doctor_treatment', { stage: 'injuries' }),
    PoliceReportFiled: ask.policeReport({ stage: 'case' }),
    HasLawyer: ask.hasLawyer({ stage: 'case' }),
    NameAndEmail: ask.nameAndEmail({
      stage: 'contact',
      next: [when('asksDateOfBirth', 'DateOfBirth'), 'PhoneAndZip'],
    }),
    DateOfBirth: ask.dateOfBirth({ stage: 'contact' }),
    PhoneAndZip: ask.phoneAndZip({ stage: 'contact' }),
  },
});
