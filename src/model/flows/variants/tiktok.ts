import { defineFlow } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow of the TikTok surveys (docs/specification.md#flows). */
export const tiktok = defineFlow({
  id: 'tiktok',
  progress: 'stages',
  steps: {
    StartPath: ask.startPath({ stage: 'accident' }),
    AutoAccidentCaseWorth: ask.caseWorth({ stage: 'accident' }),
    WhenWasTheAccidentTikTok: ask.accidentDate({ stage: 'accident' }),
    AtFault: ask.atFault({ stage: 'accident' }),
    WasUserInjured: ask.wasUserInjured({ stage: 'injuries' }),
    PoliceReportFiledTikTok: ask.policeReport({ stage: 'case' }),
    HasLawyer: ask.hasLawyer({ stage: 'case' }),
    IncidentDescriptionTikTok: ask.incidentDescription({ stage: 'case' }),
    NameAndEmailTikTok: ask.nameAndEmail({ stage: 'contact' }),
    PhoneAndZipTikTok: ask.phoneAndZip({ stage: 'contact' }),
  },
});
