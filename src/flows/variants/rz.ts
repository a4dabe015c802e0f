import { defineFlow, when } from '../engine/flow.ts';
import { adPixelOnInjury } from '../engine/page-scripts.ts';
import {
  accidentDate,
  atFault,
  hasLawyer,
  incidentDescription,
  nameAndEmail,
  phoneAndZip,
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
  rules: { forcedTreatment: 'up_to_15_days' },
  scripts: [adPixelOnInjury],
  steps: {
    StartPath: startPath({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    WhenWasTheAccident: accidentDate({ stage: 'accident', next: ['AtFault'] }),
    AtFault: atFault({ stage: 'accident', next: ['WasUserInjured'] }),
    WasUserInjured: specificInjury({
      stage: 'injuries',
      next: [when('isInjured', 'DidYouReceiveMedicalTreatment'), 'HasLawyer'],
    }),
    DidYouReceiveMedicalTreatment: receivedTreatment({
      stage: 'injuries',
      next: [when('isUntreatedWithinFollowUp', 'WillingToTreat'), 'HasLawyer'],
    }),
    WillingToTreat: willingToTreat({ stage: 'injuries', next: ['HasLawyer'] }),
    HasLawyer: hasLawyer({ stage: 'case', next: ['IncidentDescription'] }),
    IncidentDescription: incidentDescription({ stage: 'case', next: ['NameAndEmail'] }),
    NameAndEmail: nameAndEmail({ stage: 'contact', next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ stage: 'contact', next: [] }),
  },
});
