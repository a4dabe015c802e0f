import { defineFlow } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow of variant C, with the same steps for all visitors (docs/specification.md#flows). */
export const variantC = defineFlow({
  id: 'variant-c',
  progress: 'percent',
  steps: {
    StartPath: ask.startPath({ progress: 5 }),
    WhenWasTheAccident: ask.accidentDate({ progress: 10 }),
    OtherDriversVehicleType: ask.oneOf('other_vehicle_type', { progress: 30 }),
    AtFault: ask.atFault({ progress: 40 }),
    WasUserInjured: ask.wasUserInjured({ progress: 55 }),
    TypeOfMedicalTreatment: ask.typeOfMedicalTreatment({ progress: 70 }),
    PoliceReportFiled: ask.policeReport({ progress: 80 }),
    HasLawyer: ask.hasLawyer({ progress: 95 }),
    IncidentDescription: ask.incidentDescription({ progress: 98 }),
    NameAndEmail: ask.nameAndEmail({ progress: 99 }),
    PhoneAndZip: ask.phoneAndZip({}),
  },
});
