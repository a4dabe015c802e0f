import { defineFlow } from '../engine/flow.ts';
import { dateAndFault, nameThenPhone, startPath, wasUserInjured } from './fragments/steps.ts';

/** Short-form variant (docs/specification.md#short-form-flow). */
export const sl = defineFlow({
  id: 'sl',
  progress: 'stages',
  start: 'StartPath',
  submit: { phoneCheck: 'length_only' },
  steps: {
    StartPath: startPath({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    ...dateAndFault,
    WasUserInjured: wasUserInjured({ stage: 'injuries', next: ['NameAndEmail'] }),
    ...nameThenPhone,
  },
});
