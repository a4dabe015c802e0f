import { defineFlow } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** Age and citizenship flow (docs/specification.md#benefits-flow). It posts no lead. */
export const benefits = defineFlow({
  id: 'benefits',
  progress: 'percent',
  rules: { isWithoutAccident: true },
  steps: {
    StartPath: { kind: 'start', progress: 0 },
    SelectAgeGroup: ask.oneOf('ageGroup', { progress: 33 }),
    USCitizen: ask.oneOf('isUSCitizen', { progress: 66 }),
    SecuredBenefits: { kind: 'result', progress: 100, ends: true },
  },
});
