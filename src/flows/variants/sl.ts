import { defineFlow } from '../engine/flow.ts';
import {
  accidentDate,
  atFault,
  nameAndEmail,
  phoneAndZip,
  startPath,
  wasUserInjured,
} from './fragments/steps.ts';

/** Short-form variant (docs/specification.md#short-form-flow). */
export const sl = defineFlow({
  id: 'sl',
  progress: 'stages',
  start: 'StartPath',
  rules: { forcedTreatment: 'up_to_15_days' },
  submit: { phoneCheck: 'length_only' },
  steps: {
    StartPath: startPath({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    WhenWasTheAccident: accidentDate({ stage: 'accident', next: ['AtFault'] }),
    AtFault: atFault({ stage: 'accident', next: ['WasUserInjured'] }),
    WasUserInjured: wasUserInjured({ stage: 'injuries', next: ['NameAndEmail'] }),
    NameAndEmail: nameAndEmail({ stage: 'contact', next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ stage: 'contact', next: [] }),
  },
});
