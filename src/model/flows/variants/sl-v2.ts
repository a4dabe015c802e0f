import { defineFlow } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow SlV2 (docs/specification.md#flows). */
export const slV2 = defineFlow({
  id: 'sl-v2',
  progress: 'percent',
  steps: {
    NameAndEmail: ask.nameAndEmail({ progress: 12 }),
    TypeOfAccident: ask.startPath({ progress: 25 }),
    WhenWasTheAccident: ask.accidentDate({ progress: 36 }),
    WasUserInjured: ask.wasUserInjured({ progress: 45 }),
    PoliceReportFiled: ask.policeReport({ progress: 68 }),
    AtFault: ask.atFault({ progress: 72 }),
    HasLawyer: ask.hasLawyer({ progress: 87 }),
    IncidentDescription: ask.incidentDescription({ progress: 95 }),
    PhoneAndZip: ask.phoneAndZip({ progress: 98 }),
  },
});
