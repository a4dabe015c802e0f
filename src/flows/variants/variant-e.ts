import { defineFlow } from '../engine/flow.ts';
import {
  accidentMonth,
  atFault,
  hasLawyer,
  motorVehicleAccident,
  nameAndEmail,
  phoneAndZip,
} from './fragments/steps.ts';

/** Variant E, short (docs/specification.md#variant-e). Its percentage decreases once, as specified. */
export const variantE = defineFlow({
  id: 'variant-e',
  progress: 'percent',
  start: 'WereYouInAMotorVehicleAccident',
  steps: {
    WereYouInAMotorVehicleAccident: motorVehicleAccident({
      progress: 5,
      next: ['SocialDropWhenWasTheAccident'],
    }),
    SocialDropWhenWasTheAccident: accidentMonth({ progress: 8, next: ['HasLawyer'] }),
    HasLawyer: hasLawyer({ progress: 10, next: ['AtFault'] }),
    AtFault: atFault({ progress: 85, next: ['NameAndEmail'] }),
    NameAndEmail: nameAndEmail({ progress: 50, next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ progress: 95, next: [] }),
  },
});
