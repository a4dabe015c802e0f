import { defineFlow, when } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow VW3 of an English and a Spanish survey (docs/specification.md#flows). */
export const vw3 = defineFlow({
  id: 'vw3',
  progress: 'stages',
  submit: {
    thankYou: { reason: 'lawyer' },
    partnerTab: {
      onlyReasons: ['have_attorney|yes', 'have_attorney|yes_but_I_want_a_new_lawyer'],
      exceptAffiliates: ['20', '23'],
    },
    fields: { sets: { accident_type: 'Car Accident' } },
  },
  steps: {
    StartPath: ask.startButton({ stage: 'accident' }),
    WhenWasTheAccidentVW3: ask.accidentDate({ stage: 'accident' }),
    AtFaultVW3: ask.atFault({ stage: 'accident' }),
    WasUserInjuredVW3: ask.wasUserInjured({
      stage: 'injuries',
      next: [when('isInjured', 'TypeOfMedicalTreatmentVW3'), 'PoliceReportFiledVW3'],
    }),
    TypeOfMedicalTreatmentVW3: ask.typeOfMedicalTreatment({ stage: 'injuries' }),
    PoliceReportFiledVW3: ask.policeReport({ stage: 'case' }),
    HasLawyerVW3: ask.hasLawyer({ stage: 'case' }),
    IncidentDescriptionVW3: ask.incidentDescription({ stage: 'case' }),
    NameAndEmailVW3: ask.nameAndEmail({ stage: 'contact' }),
    PhoneAndZipVW3: ask.phoneAndZip({ stage: 'contact' }),
  },
});
