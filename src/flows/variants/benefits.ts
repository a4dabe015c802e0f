import { defineFlow } from '../engine/flow.ts';

/**
 * Age and citizenship flow (docs/specification.md#benefits-flow). It ends on a result screen with the
 * call button, asks no contact details and posts no lead; its answers are saved as progress.
 */
export const benefits = defineFlow({
  id: 'benefits',
  progress: 'percent',
  start: 'StartPath',
  rules: { isWithoutAccident: true },
  steps: {
    StartPath: { kind: 'start', progress: 0, next: ['SelectAgeGroup'] },
    SelectAgeGroup: {
      kind: 'choice',
      progress: 33,
      choices: [
        { ageGroup: 'under_18' },
        { ageGroup: '18_to_25' },
        { ageGroup: '26_to_49' },
        { ageGroup: '50_to_64' },
        { ageGroup: '65_or_more' },
      ],
      next: ['USCitizen'],
    },
    USCitizen: {
      kind: 'choice',
      progress: 66,
      choices: [{ isUSCitizen: 'yes' }, { isUSCitizen: 'no' }],
      next: ['SecuredBenefits'],
    },
    SecuredBenefits: { kind: 'result', progress: 100, ends: true, next: [] },
  },
});
