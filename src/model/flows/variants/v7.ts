import { type Flow, without } from '../engine/flow.ts';
import * as ask from './questions.ts';
import { v4 } from './v4.ts';

const asked = without(v4, 'AutoAccidentCaseWorth', 'ConfirmationHasLawyer', 'InterestedInFunding');
const { StartPath: _, ...others } = asked.steps;

/** The flow V7, which is v4 with an introduction (docs/specification.md#flows). */
export const v7: Flow = {
  ...asked,
  id: 'v7',
  steps: {
    StartPath: { ...ask.startPath({ stage: 'accident' }), next: ['GetStartedFirstStep'] },
    GetStartedFirstStep: { kind: 'start', stage: 'accident', next: ['WhenWasTheAccident'] },
    ...others,
  },
};
