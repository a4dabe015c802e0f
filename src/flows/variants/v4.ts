import { defineFlow, when } from '../engine/flow.ts';
import { adPixelOnInjury } from '../engine/page-scripts.ts';
import { caseWorth, startPath } from './fragments/steps.ts';
import { v4FromDescription, v4LawyerBranch, v4UntilLawyer } from './fragments/v4-logic.ts';

/**
 * The v4 family's main flow (docs/specification.md#v4-flow). It serves the English, the Spanish and the
 * crash-comped surveys, whose rows open its branches. DateOfBirth needs the visitor's state, which is
 * known before the last step only if the visit began with one (docs/specification.md#date-of-birth).
 */
export const v4 = defineFlow({
  id: 'v4',
  progress: 'stages',
  start: 'StartPath',
  rules: { appendsHitAndRun: true },
  scripts: [adPixelOnInjury],
  steps: {
    StartPath: startPath({
      stage: 'accident',
      next: [when('startsWithCaseWorth', 'AutoAccidentCaseWorth'), 'WhenWasTheAccident'],
    }),
    AutoAccidentCaseWorth: caseWorth({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    ...v4UntilLawyer,
    ...v4LawyerBranch,
    ...v4FromDescription,
  },
});
