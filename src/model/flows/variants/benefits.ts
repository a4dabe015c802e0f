import { defineFlow } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow about age and citizenship. It posts no lead (docs/specification.md#benefits-flow). */
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
