import { defineFlow } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow of variant E. The progress goes back once on purpose (docs/specification.md#flows). */
export const variantE = defineFlow({
  id: 'variant-e',
  progress: 'percent',
  steps: {
    WereYouInAMotorVehicleAccident: ask.oneOf('motor_vehicle_accident', { progress: 5 }),
    SocialDropWhenWasTheAccident: ask.accidentMonth({ progress: 8 }),
    HasLawyer: ask.hasLawyer({ progress: 10 }),
    AtFault: ask.atFault({ progress: 85 }),
    NameAndEmail: ask.nameAndEmail({ progress: 50 }),
    PhoneAndZip: ask.phoneAndZip({ progress: 95 }),
  },
});
