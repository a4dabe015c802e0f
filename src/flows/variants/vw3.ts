import { defineFlow, when } from '../engine/flow.ts';
import {
  accidentDate,
  atFault,
  hasLawyer,
  incidentDescription,
  nameAndEmail,
  phoneAndZip,
  policeReport,
  startButton,
  typeOfMedicalTreatment,
  wasUserInjured,
} from './fragments/steps.ts';

/** VW3, also the Spanish page's flow (docs/specification.md#vw3). */
export const vw3 = defineFlow({
  id: 'vw3',
  progress: 'stages',
  start: 'StartPath',
  submit: {
    thankYou: { reason: 'lawyer' },
    partnerTab: {
      onlyReasons: ['have_attorney|yes', 'have_attorney|yes_but_I_want_a_new_lawyer'],
      exceptAffiliates: ['20', '23'],
    },
    fields: { sets: { accident_type: 'Car Accident' } },
  },
  steps: {
    StartPath: startButton({ stage: 'accident', next: ['WhenWasTheAccidentVW3'] }),
    WhenWasTheAccidentVW3: accidentDate({ stage: 'accident', next: ['AtFaultVW3'] }),
    AtFaultVW3: atFault({ stage: 'accident', next: ['WasUserInjuredVW3'] }),
    WasUserInjuredVW3: wasUserInjured({
      stage: 'injuries',
      next: [when('isInjured', 'TypeOfMedicalTreatmentVW3'), 'PoliceReportFiledVW3'],
    }),
    TypeOfMedicalTreatmentVW3: typeOfMedicalTreatment({
      stage: 'injuries',
      next: ['PoliceReportFiledVW3'],
    }),
    PoliceReportFiledVW3: policeReport({ stage: 'case', next: ['HasLawyerVW3'] }),
    HasLawyerVW3: hasLawyer({ stage: 'case', next: ['IncidentDescriptionVW3'] }),
    IncidentDescriptionVW3: incidentDescription({ stage: 'case', next: ['NameAndEmailVW3'] }),
    NameAndEmailVW3: nameAndEmail({ stage: 'contact', next: ['PhoneAndZipVW3'] }),
    PhoneAndZipVW3: phoneAndZip({ stage: 'contact', next: [] }),
  },
});
