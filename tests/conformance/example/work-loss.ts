import { defineFlow, when } from '../../../src/flows/engine/flow.ts';
import {
  accidentDate,
  hasLawyer,
  nameAndEmail,
  phoneAndZip,
  startPath,
  yesOrNo,
} from '../../../src/flows/variants/fragments/steps.ts';

/** People who could not work after the accident; those who could are asked about a lawyer at once. */
export const workLoss = defineFlow({
  id: 'work-loss',
  progress: 'percent',
  start: 'StartPath',
  steps: {
    StartPath: startPath({ progress: 10, next: ['WhenWasTheAccident'] }),
    WhenWasTheAccident: accidentDate({ progress: 25, next: ['CouldYouWork'] }),
    CouldYouWork: yesOrNo('missed_work', {
      progress: 40,
      next: [when('missedWork', 'LikeToSeeADoctor'), 'HasLawyer'],
    }),
    LikeToSeeADoctor: yesOrNo('speaking_with_doctor', { progress: 55, next: ['HasLawyer'] }),
    HasLawyer: hasLawyer({ progress: 70, next: ['NameAndEmail'] }),
    NameAndEmail: nameAndEmail({ progress: 85, next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ progress: 95, next: [] }),
  },
});
