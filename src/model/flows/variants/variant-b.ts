import { defineFlow, when } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow of variant B (docs/specification.md#flows). */
export const variantB = defineFlow({
  id: 'variant-b',
  progress: 'percent',
  steps: {
    StartPath: ask.startPath({ progress: 10 }),
    SocialDropPII: ask.nameAndEmail({}),
    OtherDriversVehicleType: ask.oneOf('other_vehicle_type', { progress: 20 }),
    WhenWasTheAccident: ask.accidentDate({ progress: 30 }),
    AtFault: ask.atFault({ progress: 40 }),
    WasUserInjured: ask.wasUserInjured({
      progress: 50,
      next: [when('isInjured', 'TypeOfMedicalTreatment'), 'PoliceReportFiled'],
    }),
    TypeOfMedicalTreatment: ask.typeOfMedicalTreatment({ progress: 60, next: ['HasLawyer'] }),
    PoliceReportFiled: ask.policeReport({ progress: 70 }),
    HasLawyer: ask.hasLawyer({ progress: 80 }),
    IncidentDescription: ask.incidentDescription({ progress: 90 }),
    PhoneAndZip: ask.phoneAndZip({ progress: 98 }),
  },
});
