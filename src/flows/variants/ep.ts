import { defineFlow, when } from '../engine/flow.ts';
import { adPixelOnInjury } from '../engine/page-scripts.ts';
import {
  dateAndFault,
  lawyerToPhone,
  policeReport,
  receivedTreatment,
  specificInjury,
  startButton,
} from './fragments/steps.ts';

/** Ep variant of the v4 family (docs/specification.md#ep-flow). */
export const ep = defineFlow({
  id: 'ep',
  progress: 'stages',
  start: 'StartPath',
  rules: { neverSendsToDq: true },
  submit: { specialStates: 'most_populous' },
  scripts: [adPixelOnInjury],
  steps: {
    StartPath: startButton({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    ...dateAndFault,
    WasUserInjured: specificInjury({
      stage: 'injuries',
      next: [when('isInjured', 'DidYouReceiveMedicalTreatment'), 'PoliceReportFiled'],
    }),
    DidYouReceiveMedicalTreatment: receivedTreatment({
      stage: 'injuries',
      next: ['PoliceReportFiled'],
    }),
    PoliceReportFiled: policeReport({ stage: 'case', next: ['HasLawyer'] }),
    ...lawyerToPhone,
  },
});
