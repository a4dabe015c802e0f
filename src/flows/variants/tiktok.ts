import { defineFlow } from '../engine/flow.ts';
import {
  accidentDate,
  atFault,
  caseWorth,
  hasLawyer,
  incidentDescription,
  nameAndEmail,
  phoneAndZip,
  policeReport,
  startPath,
  wasUserInjured,
} from './fragments/steps.ts';

/** TikTok (docs/specification.md#tiktok). */
export const tiktok = defineFlow({
  id: 'tiktok',
  progress: 'stages',
  start: 'StartPath',
  steps: {
    StartPath: startPath({ stage: 'accident', next: ['AutoAccidentCaseWorth'] }),
    AutoAccidentCaseWorth: caseWorth({ stage: 'accident', next: ['WhenWasTheAccidentTikTok'] }),
    WhenWasTheAccidentTikTok: accidentDate({ stage: 'accident', next: ['AtFault'] }),
    AtFault: atFault({ stage: 'accident', next: ['WasUserInjured'] }),
    WasUserInjured: wasUserInjured({ stage: 'injuries', next: ['PoliceReportFiledTikTok'] }),
    PoliceReportFiledTikTok: policeReport({ stage: 'case', next: ['HasLawyer'] }),
    HasLawyer: hasLawyer({ stage: 'case', next: ['IncidentDescriptionTikTok'] }),
    IncidentDescriptionTikTok: incidentDescription({ stage: 'case', next: ['NameAndEmailTikTok'] }),
    NameAndEmailTikTok: nameAndEmail({ stage: 'contact', next: ['PhoneAndZipTikTok'] }),
    PhoneAndZipTikTok: phoneAndZip({ stage: 'contact', next: [] }),
  },
});
