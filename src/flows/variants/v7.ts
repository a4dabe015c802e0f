import { defineFlow } from '../engine/flow.ts';
import { adPixelOnInjury } from '../engine/page-scripts.ts';
import { hasLawyer, startPath } from './fragments/steps.ts';
import { v4FromDescription, v4UntilLawyer } from './fragments/v4-logic.ts';

/**
 * V7 (docs/specification.md#v7-flow): StartPath, GetStartedFirstStep, WhenWasTheAccident, then the v4
 * logic without the lawyer-confirmation branch. GetStartedFirstStep is an introduction with one button.
 */
export const v7 = defineFlow({
  id: 'v7',
  progress: 'stages',
  start: 'StartPath',
  rules: { appendsHitAndRun: true },
  scripts: [adPixelOnInjury],
  steps: {
    StartPath: startPath({ stage: 'accident', next: ['GetStartedFirstStep'] }),
    GetStartedFirstStep: { kind: 'start', stage: 'accident', next: ['WhenWasTheAccident'] },
    ...v4UntilLawyer,
    HasLawyer: hasLawyer({ stage: 'case', next: ['IncidentDescription'] }),
    ...v4FromDescription,
  },
});
