import { defineFlow, when } from '../engine/flow.ts';
import {
  accidentMonth,
  atFault,
  hasLawyer,
  incidentDescription,
  motorVehicleAccident,
  nameAndEmail,
  phoneAndZip,
  policeReport,
  requiredTreatment,
  wasUserInjured,
} from './fragments/steps.ts';

/** Variant D (docs/specification.md#variant-d). */
export const variantD = defineFlow({
  id: 'variant-d',
  progress: 'percent',
  start: 'WereYouInAMotorVehicleAccident',
  steps: {
    WereYouInAMotorVehicleAccident: motorVehicleAccident({
      progress: 10,
      next: ['SocialDropWhenWasTheAccident'],
    }),
    SocialDropWhenWasTheAccident: accidentMonth({ progress: 20, next: ['WasUserInjured'] }),
    WasUserInjured: wasUserInjured({
      progress: 30,
      next: [when('isInjured', 'DidYouRequireMedicalTreatment'), 'AtFault'],
    }),
    DidYouRequireMedicalTreatment: requiredTreatment({ progress: 40, next: ['AtFault'] }),
    AtFault: atFault({ progress: 50, next: ['PoliceReportFiled'] }),
    PoliceReportFiled: policeReport({ progress: 60, next: ['HasLawyer'] }),
    HasLawyer: hasLawyer({ progress: 70, next: ['IncidentDescription'] }),
    IncidentDescription: incidentDescription({ progress: 80, next: ['NameAndEmail'] }),
    NameAndEmail: nameAndEmail({ progress: 90, next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ progress: 95, next: [] }),
  },
});
