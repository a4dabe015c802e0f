import { defineFlow, when } from '../engine/flow.ts';
import { pixelOnInjury } from '../engine/page-scripts.ts';
import {
  accidentDate,
  atFault,
  caseWorth,
  hasLawyer,
  incidentDescription,
  nameAndEmail,
  otherVehicle,
  phoneAndZip,
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
  rules: { forcedTreatment: 'up_to_15_days' },
  scripts: [{ script: 'caseWorth', at: 'AutoAccidentCaseWorth' }, pixelOnInjury],
  steps: {
    StartPath: startPath({ stage: 'accident', next: ['AutoAccidentCaseWorth'] }),
    AutoAccidentCaseWorth: caseWorth({ stage: 'accident', next: ['OtherDriversVehicleType'] }),
    OtherDriversVehicleType: otherVehicle({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    WhenWasTheAccident: accidentDate({ stage: 'accident', next: ['AtFault'] }),
    AtFault: atFault({ stage: 'accident', next: ['WasUserInjured'] }),
    WasUserInjured: wasUserInjured({
      stage: 'injuries',
      next: [when('isInjured', 'TypeOfMedicalTreatment'), 'PoliceReportFiled'],
    }),
    TypeOfMedicalTreatment: typeOfMedicalTreatment({ stage: 'injuries', next: ['HasLawyer'] }),
    PoliceReportFiled: policeReport({ stage: 'case', next: ['HasLawyer'] }),
    HasLawyer: hasLawyer({ stage: 'case', next: ['IncidentDescription'] }),
    IncidentDescription: incidentDescription({ stage: 'case', next: ['NameAndEmail'] }),
    NameAndEmail: nameAndEmail({ stage: 'contact', next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ stage: 'contact', next: [] }),
  },
});
