import { defineFlow, when } from '../engine/flow.ts';
import { pixelOnInjury } from '../engine/page-scripts.ts';
import {
  caseWorth,
  dateAndFault,
  lawyerToPhone,
  otherVehicle,
  policeReport,
  startPath,
  typeOfMedicalTreatment,
  wasUserInjured,
} from './fragments/steps.ts';

/** Variant A (docs/specification.md#variant-a). */
export const variantA = defineFlow({
  id: 'variant-a',
  progress: 'stages',
  start: 'StartPath',
  scripts: [{ script: 'caseWorth', at: 'AutoAccidentCaseWorth' }, pixelOnInjury],
  steps: {
    StartPath: startPath({ stage: 'accident', next: ['AutoAccidentCaseWorth'] }),
    AutoAccidentCaseWorth: caseWorth({ stage: 'accident', next: ['OtherDriversVehicleType'] }),
    OtherDriversVehicleType: otherVehicle({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    ...dateAndFault,
    WasUserInjured: wasUserInjured({
      stage: 'injuries',
      next: [when('isInjured', 'TypeOfMedicalTreatment'), 'PoliceReportFiled'],
    }),
    TypeOfMedicalTreatment: typeOfMedicalTreatment({ stage: 'injuries', next: ['HasLawyer'] }),
    PoliceReportFiled: policeReport({ stage: 'case', next: ['HasLawyer'] }),
    ...lawyerToPhone,
  },
});
