import { defineFlow } from '../engine/flow.ts';
import {
  accidentDate,
  atFault,
  hasLawyer,
  nameAndEmail,
  phoneAndZip,
  receivedTreatment,
  sending,
  startPath,
} from './fragments/steps.ts';

/** The two short variants (docs/specification.md#short-flows). */
export const short = defineFlow({
  id: 'short',
  progress: 'stages',
  start: 'StartPath',
  rules: { forcedTreatment: 'exactly_15_days' },
  submit: {
    fields: {
      copies: {
        landing_page_url: 'landing_page',
        jornaya_leadid: 'leadid_token',
        case_type: 'accident_type',
        state_accident_occurred: 'state',
        injuries_sustained: 'physical_injury',
        settlement_offers: 'settled_case',
      },
    },
  },
  steps: {
    StartPath: startPath({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    WhenWasTheAccident: accidentDate({ stage: 'accident', next: ['AtFault'] }),
    AtFault: atFault({ stage: 'accident', next: ['HasLawyer'] }),
    HasLawyer: hasLawyer({ stage: 'case', next: ['DidYouReceiveMedicalTreatment'] }),
    DidYouReceiveMedicalTreatment: receivedTreatment({ stage: 'case', next: ['NameAndEmail'] }),
    NameAndEmail: nameAndEmail({ stage: 'contact', next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ stage: 'contact', next: ['ThankYouStep'] }),
    ThankYouStep: sending({ stage: 'contact' }),
  },
});
