import { defineFlow } from '../engine/flow.ts';
import {
  accidentDate,
  atFault,
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

/** Variant C (docs/specification.md#variant-c): linear. */
export const variantC = defineFlow({
  id: 'variant-c',
  progress: 'percent',
  start: 'StartPath',
  steps: {
    StartPath: startPath({ progress: 5, next: ['WhenWasTheAccident'] }),
    WhenWasTheAccident: accidentDate({ progress: 10, next: ['OtherDriversVehicleType'] }),
    OtherDriversVehicleType: otherVehicle({ progress: 30, next: ['AtFault'] }),
    AtFault: atFault({ progress: 40, next: ['WasUserInjured'] }),
    WasUserInjured: wasUserInjured({ progress: 55, next: ['TypeOfMedicalTreatment'] }),
    TypeOfMedicalTreatment: typeOfMedicalTreatment({ progress: 70, next: ['PoliceReportFiled'] }),
    PoliceReportFiled: policeReport({ progress: 80, next: ['HasLawyer'] }),
    HasLawyer: hasLawyer({ progress: 95, next: ['IncidentDescription'] }),
    IncidentDescription: incidentDescription({ progress: 98, next: ['NameAndEmail'] }),
    NameAndEmail: nameAndEmail({ progress: 99, next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ next: [] }),
  },
});
