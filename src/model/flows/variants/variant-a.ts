import { defineFlow, when } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow of variant A (docs/specification.md#flows). */
export const variantA = defineFlow({
  id: 'variant-a',
  progress: 'stages',
  scripts: [{ script: 'caseWorth', at: 'AutoAccidentCaseWorth' }, ask.pixelOnInjury],
  steps: {
    StartPath: ask.startPath({ stage: 'accident' }),
    AutoAccidentCaseWorth: ask.caseWorth({ stage: 'accident' }),
    OtherDriversVehicleType: ask.oneOf('other_vehicle_type', {
      stage: 'accident',
      next: ['WhenWasTheAccident'],
    }),
    ...ask.dateAndFault,
    WasUserInjured: ask.wasUserInjured({
      stage: 'injuries',
      next: [when('isInjured', 'TypeOfMedicalTreatment'), 'PoliceReportFiled'],
    }),
    TypeOfMedicalTreatment: ask.typeOfMedicalTreatment({ stage: 'injuries', next: ['HasLawyer'] }),
    PoliceReportFiled: ask.policeReport({ stage: 'case', next: ['HasLawyer'] }),
    ...ask.lawyerToPhone,
  },
});
