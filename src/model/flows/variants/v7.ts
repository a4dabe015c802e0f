import { type Flow, without } from '../engine/flow.ts';
import * as ask from './questions.ts';
import { v4 } from './v4.ts';

const asked = without(v4, 'AutoAccidentCaseWorth', 'ConfirmationHasLawyer', 'InterestedInFunding');
const { StartPath: _, ...others } = asked.steps;

/** V7 (docs/specification.md#flows): v4 with an introduction and without the lawyer-confirmation branch. */
export const v7: Flow = {
  ...asked,
  id: 'v7',
  steps: {
    StartPath: { ...ask.startPath({ stage: 'accident' }), next: ['GetStartedFirstStep'] },
    GetStartedFirstStep: { kind: 'start', stage: 'accident', next: ['WhenWasTheAccident'] },
    ...others,
  },
};
