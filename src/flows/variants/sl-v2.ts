import { defineFlow } from '../engine/flow.ts';
import {
  accidentDate,
  atFault,
  hasLawyer,
  incidentDescription,
  nameAndEmail,
  phoneAndZip,
  policeReport,
  startPath,
  wasUserInjured,
} from './fragments/steps.ts';

/** SlV2 (docs/specification.md#slv2). */
export const slV2 = defineFlow({
  id: 'sl-v2',
  progress: 'percent',
  start: 'NameAndEmail',
  steps: {
    NameAndEmail: nameAndEmail({ progress: 12, next: ['TypeOfAccident'] }),
    TypeOfAccident: startPath({ progress: 25, next: ['WhenWasTheAccident'] }),
    WhenWasTheAccident: accidentDate({ progress: 36, next: ['WasUserInjured'] }),
    WasUserInjured: wasUserInjured({ progress: 45, next: ['PoliceReportFiled'] }),
    PoliceReportFiled: policeReport({ progress: 68, next: ['AtFault'] }),
    AtFault: atFault({ progress: 72, next: ['HasLawyer'] }),
    HasLawyer: hasLawyer({ progress: 87, next: ['IncidentDescription'] }),
    IncidentDescription: incidentDescription({ progress: 95, next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ progress: 98, next: [] }),
  },
});
