import { defineFlow } from '../engine/flow.ts';
import {
  accidentDate,
  atFault,
  describeInjuries,
  hasLawyer,
  incidentDescription,
  nameAndEmail,
  phoneAndZip,
  policeReport,
  sending,
  startPath,
  wasUserInjured,
} from './fragments/steps.ts';

/** Progress-bar variant (docs/specification.md#progress-bar-flow). */
export const progressBar = defineFlow({
  id: 'progress-bar',
  progress: 'percent',
  start: 'StartPath',
  submit: { thankYou: { qualifiedYes: true } },
  scripts: [{ script: 'pixel', after: 'HowWasUserHurt' }],
  steps: {
    StartPath: startPath({ progress: 0, next: ['HowWasUserHurt'] }),
    HowWasUserHurt: wasUserInjured({ progress: 10, next: ['WhenWasTheAccident'] }),
    WhenWasTheAccident: accidentDate({ progress: 18, next: ['AtFault'] }),
    AtFault: atFault({ progress: 27, next: ['DescribeInjuries'] }),
    DescribeInjuries: describeInjuries({ progress: 36, next: ['PoliceReport'] }),
    PoliceReport: policeReport({ progress: 45, next: ['HasAttorney'] }),
    HasAttorney: hasLawyer({ progress: 54, next: ['Description'] }),
    Description: incidentDescription({ progress: 63, next: ['EmailAndName'] }),
    EmailAndName: nameAndEmail({ progress: 87, next: ['ZipAndPhone'] }),
    ZipAndPhone: phoneAndZip({ progress: 95, next: ['End'] }),
    End: sending({ progress: 100 }),
  },
});
