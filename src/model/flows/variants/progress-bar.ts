import { defineFlow } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow with a progress bar (docs/specification.md#flows). */
export const progressBar = defineFlow({
  id: 'progress-bar',
  progress: 'percent',
  submit: { thankYou: { qualifiedYes: true } },
  scripts: [{ script: 'pixel', after: 'HowWasUserHurt' }],
  steps: {
    StartPath: ask.startPath({ progress: 0 }),
    HowWasUserHurt: ask.wasUserInjured({ progress: 10 }),
    WhenWasTheAccident: ask.accidentDate({ progress: 18 }),
    AtFault: ask.atFault({ progress: 27 }),
    DescribeInjuries: ask.describeInjuries({ progress: 36 }),
    PoliceReport: ask.policeReport({ progress: 45 }),
    HasAttorney: ask.hasLawyer({ progress: 54 }),
    Description: ask.incidentDescription({ progress: 63 }),
    EmailAndName: ask.nameAndEmail({ progress: 87 }),
    ZipAndPhone: ask.phoneAndZip({ progress: 95, next: ['End'] }),
    End: ask.sending({ progress: 100 }),
  },
});
