import { defineFlow, when } from '../../../src/model/flows/engine/flow.ts';
import * as ask from '../../../src/model/flows/variants/questions.ts';

/** A flow in which visitors who missed work are asked about a doctor. */
export const workLoss = defineFlow({
  id: 'work-loss',
  progress: 'percent',
  steps: {
    StartPath: ask.startPath({ progress: 10 }),
    WhenWasTheAccident: ask.accidentDate({ progress: 25 }),
    CouldYouWork: ask.oneOf('missed_work', {
      progress: 40,
      next: [when('missedWork', 'LikeToSeeADoctor'), 'HasLawyer'],
    }),
    LikeToSeeADoctor: ask.oneOf('speaking_with_doctor', { progress: 55 }),
    HasLawyer: ask.hasLawyer({ progress: 70 }),
    NameAndEmail: ask.nameAndEmail({ progress: 85 }),
    PhoneAndZip: ask.phoneAndZip({ progress: 95 }),
  },
});
