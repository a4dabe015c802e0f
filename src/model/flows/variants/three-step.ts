import { callWishNames } from '../../fields/asked-fields.ts';
import { defineFlow } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The three-step form (docs/specification.md#flows). */
export const threeStep = defineFlow({
  id: 'three-step',
  progress: 'percent',
  submit: {
    thankYou: { referer: true },
    fields: { sets: { language: 'en', sms_verified: 'no' } },
  },
  steps: {
    ShowQuestions: ask.startPath({ progress: 0 }),
    FormFirstQuestions: { kind: 'form', progress: 25, asks: ['physical_injury', 'police_report'] },
    FormSecondQuestions: {
      kind: 'form',
      progress: 50,
      asks: [
        'injury_month',
        'injury_year',
        'doctor_treatment',
        'when_seek_medical_treatment',
        'case_description',
        'zip_code',
      ],
      finds: ['state', 'state_choice'],
      implies: [
        {
          when: { doctor_treatment: 'no' },
          field: 'when_seek_medical_treatment',
          value: 'not_yet',
        },
      ],
    },
    FormThirdQuestions: {
      kind: 'contact',
      progress: 75,
      asks: ['first_name', 'last_name', 'email', 'phone', 'address'],
      optional: callWishNames,
      submits: true,
    },
  },
});
