import { expect, test } from 'vitest';
import { thankYouOptions } from './after-submit.ts';

// tests/conformance/after-submit.test.ts proves the fields and the partner tab of every survey.
test('the thank-you query has the visit’s referer only where the flow asks for it', () => {
  const survey = { language: 'en', thankYouReason: false } as const;
  const lead = { qualified: false, answers: {}, affid: '7' };
  const more = { referer: 'https://ads.example/', compensationLevel: '' };
  expect(thankYouOptions(survey, { referer: true }, lead, more).referer).toBe(more.referer);
  expect(thankYouOptions(survey, {}, lead, more)).not.toHaveProperty('referer');
});
