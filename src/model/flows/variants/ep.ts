import { defineFlow, when } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow Ep, a variant of v4 (docs/specification.md#flows). */
export const ep = defineFlow({
  id: 'ep',
  progress: 'stages',
  rules: { neverSendsToDq: true },
  submit: { specialStates: 'most_populous' },
  scripts: [ask.adPixelOnInjury],
  steps: {
    StartPath: ask.startButton({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    ...ask.dateAndFault,
    WasUserInjured: ask.specificInjury({
      stage: 'injuries',
      next: [when('isInjured', 'DidYouReceiveMedicalTreatment'), 'PoliceReportFiled'],
    }),
    DidYouReceiveMedicalTreatment: ask.oneOf('doctor_treatment', { stage: 'injuries' }),
    PoliceReportFiled: ask.policeReport({ stage: 'case', next: ['HasLawyer'] }),
    ...ask.lawyerToPhone,
  },
});
