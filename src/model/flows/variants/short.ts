import { defineFlow } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow of the two short surveys (docs/specification.md#flows). */
export const short = defineFlow({
  id: 'short',
  progress: 'stages',
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
    StartPath: ask.startPath({ stage: 'accident' }),
    WhenWasTheAccident: ask.accidentDate({ stage: 'accident' }),
    AtFault: ask.atFault({ stage: 'accident' }),
    HasLawyer: ask.hasLawyer({ stage: 'case' }),
    DidYouReceiveMedicalTreatment: ask.oneOf('doctor_treatment', { stage: 'case' }),
    NameAndEmail: ask.nameAndEmail({ stage: 'contact' }),
    PhoneAndZip: ask.phoneAndZip({ stage: 'contact', next: ['ThankYouStep'] }),
    ThankYouStep: ask.sending({ stage: 'contact' }),
  },
});
