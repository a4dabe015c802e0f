import { defineFlow, when } from '../engine/flow.ts';
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

/** Variant B (docs/specification.md#variant-b): progress 10 to 98. */
export const variantB = defineFlow({
  id: 'variant-b',
  progress: 'percent',
  start: 'StartPath',
  steps: {
    StartPath: startPath({ progress: 10, next: ['SocialDropPII'] }),
    SocialDropPII: nameAndEmail({ next: ['OtherDriversVehicleType'] }),
    OtherDriversVehicleType: otherVehicle({ progress: 20, next: ['WhenWasTheAccident'] }),
    WhenWasTheAccident: accidentDate({ progress: 30, next: ['AtFault'] }),
    AtFault: atFault({ progress: 40, next: ['WasUserInjured'] }),
    WasUserInjured: wasUserInjured({
      progress: 50,
      next: [when('isInjured', 'TypeOfMedicalTreatment'), 'PoliceReportFiled'],
    }),
    TypeOfMedicalTreatment: typeOfMedicalTreatment({ progress: 60, next: ['HasLawyer'] }),
    PoliceReportFiled: policeReport({ progress: 70, next: ['HasLawyer'] }),
    HasLawyer: hasLawyer({ progress: 80, next: ['IncidentDescription'] }),
    IncidentDescription: incidentDescription({ progress: 90, next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ progress: 98, next: [] }),
  },
});
