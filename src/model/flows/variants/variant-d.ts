import { defineFlow, when } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow of variant D (docs/specification.md#flows). */
export const variantD = defineFlow({
  id: 'variant-d',
  progress: 'percent',
  steps: {
    WereYouInAMotorVehicleAccident: ask.oneOf('motor_vehicle_accident', { progress: 10 }),
    SocialDropWhenWasTheAccident: ask.accidentMonth({ progress: 20 }),
    WasUserInjured: ask.wasUserInjured({
      progress: 30,
      next: [when('isInjured', 'DidYouRequireMedicalTreatment'), 'AtFault'],
    }),
    DidYouRequireMedicalTreatment: ask.oneOf('required_medical_treatment', { progress: 40 }),
    AtFault: ask.atFault({ progress: 50 }),
    PoliceReportFiled: ask.policeReport({ progress: 60 }),
    HasLawyer: ask.hasLawyer({ progress: 70 }),
    IncidentDescription: ask.incidentDescription({ progress: 80 }),
    NameAndEmail: ask.nameAndEmail({ progress: 90 }),
    PhoneAndZip: ask.phoneAndZip({ progress: 95 }),
  },
});
