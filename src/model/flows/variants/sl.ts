import { defineFlow } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The short-form flow (docs/specification.md#flows). */
export const sl = defineFlow({
  id: 'sl',
  progress: 'stages',
  submit: { phoneCheck: 'length_only' },
  steps: {
    StartPath: ask.startPath({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    ...ask.dateAndFault,
    WasUserInjured: ask.wasUserInjured({ stage: 'injuries', next: ['NameAndEmail'] }),
    ...ask.nameThenPhone,
  },
});
