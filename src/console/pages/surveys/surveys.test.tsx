import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ExperimentAnswer, JudgedArm } from '../../../contract/console/numbers.ts';
import { type Survey, surveyAt } from '../../../flows/surveys.ts';
import { deviations, ExperimentTable, unusualToggles } from './survey-detail.tsx';

const survey = surveyAt('/survey/v4nv') as Survey;

test('the unusual toggles', () => {
  expect(unusualToggles(survey)).toEqual([]);
  const { toggles } = survey;
  const other = { toggles: { ...toggles, firstQuestionHeader: false, roundedButtons: true } };
  expect(unusualToggles(other)).toEqual(['rounded buttons', 'no header on the first question']);
});

test('a row says only in what it differs from the plain survey', () => {
  const thankYouPath = '/other-thank-you/';
  expect(deviations(survey)).toEqual([]);
  expect(deviations({ ...survey, thankYouPath })).toEqual([`thanks at ${thankYouPath}`]);
});

test('an experiment shows its verdicts, and none if visitors were not assigned by the weights', () => {
  const arm = (
    variant: string,
    verdict: JudgedArm['verdict'],
    difference: JudgedArm['difference'],
  ) => ({
    variant,
    verdict,
    difference,
    weight: 1,
    visits: 990,
    accepted: 150,
    refusals: 0,
    held: 2,
    pageErrors: 0,
  });
  const running: ExperimentAnswer = {
    id: 'buttons',
    isMismatch: false,
    summary: 'Not enough visitors yet (1980).',
    arms: [arm('plain', 'base', null), arm('rounded', 'keep', { low: 0.008, high: 0.062 })],
  };
  const html = renderToStaticMarkup(<ExperimentTable experiment={running} />);
  expect(html).toContain('+0.8 to +6.2');
  expect(html).toContain('keep');
  expect(html).toContain('of 990');
  const skewed = <ExperimentTable experiment={{ ...running, isMismatch: true }} />;
  expect(renderToStaticMarkup(skewed)).not.toContain('keep');
});
