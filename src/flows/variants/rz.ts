import { defineFlow, when } from '../engine/flow.ts';
import { adPixelOnInjury } from '../engine/page-scripts.ts';
import {
  dateAndFault,
  lawyerToPhone,
  receivedTreatment,
  specificInjury,
  startPath,
  willingToTreat,
} from './fragments/steps.ts';

/** Variant of the v4 family without a lawyer question (docs/specification.md#no-lawyer-question-flow). */
export const rz = defineFlow({
  id: 'rz',
  progress: 'stages',
  start: 'StartPath',
  scripts: [adPixelOnInjury],
  steps: {
    StartPath: startPath({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    ...dateAndFault,
    WasUserInjured: specificInjury({
      stage: 'injuries',
      next: [when('isInjured', 'DidYouReceiveMedicalTreatment'), 'HasLawyer'],
    }),
    DidYouReceiveMedicalTreatment: receivedTreatment({
      stage: 'injuries',
      next: [when('isUntreatedWithinFollowUp', 'WillingToTreat'), 'HasLawyer'],
    }),
    WillingToTreat: willingToTreat({ stage: 'injuries', next: ['HasLawyer'] }),
    ...lawyerToPhone,
  },
});
