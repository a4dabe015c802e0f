import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ExperimentAnswer, JudgedArm } from '../../../contract/console/numbers.ts';
import type { SurveyAnswer } from '../../../contract/console/work.ts';
import { type Survey, surveyAt } from '../../../flows/surveys.ts';
import { ExperimentTable } from './experiments.tsx';
import { GoesTo, TryIt } from './survey-detail.tsx';
import { deviations, scriptWords, togglesOn, unusualToggles } from './survey-words.ts';

const survey: SurveyAnswer = {
  ...(surveyAt('/survey/v4nv') as Survey),
  address: 'http://localhost:3000/survey/v4nv',
  testAddress: 'http://localhost:3000/survey/v4nv?lp_action=test',
  ...{ isPublic: false, hasScreens: true, scripts: [] },
  goesTo: [
    {
      ...{ destination: 'contact', title: 'contact', takes: 'none', text: 'Takes none.' },
      testText: '',
    },
    {
      ...{ destination: 'automation', title: 'automation', takes: 'some', text: 'Takes some.' },
      testText: 'Gets test leads like real ones: what it gets does not say that they are tests.',
    },
  ],
};

test('a survey can be tried as a test, and says who cannot tell it from a real one', () => {
  const html = renderToStaticMarkup(<TryIt survey={survey} />);
  expect(html).toContain('href="http://localhost:3000/survey/v4nv?lp_action=test"');
  expect(html).toContain('QR code of http://localhost:3000/survey/v4nv?lp_action=test');
  expect(html).toContain('automation cannot tell it from a real one');
  expect(html).toContain('Set <code class="code">PUBLIC_URL</code>');
});

test('destinations that get leads stand before those that get none', () => {
  const html = renderToStaticMarkup(<GoesTo goesTo={survey.goesTo} />);
  expect(html.indexOf('Takes some.')).toBeLessThan(html.indexOf('Takes none.'));
});

test('toggles: those that are on, and those that are unusual', () => {
  expect(togglesOn(survey)).toEqual(['header on the first question', 'header on the last step']);
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

test('when a third party’s script loads', () => {
  const src = 'https://pixel.example/p.js';
  expect(scriptWords({ name: 'adPixel', src, after: 'WasUserInjured', affid: '389' })).toEqual({
    title: 'ad pixel',
    host: 'pixel.example',
    when: 'after WasUserInjured, for affiliate 389 only',
  });
  expect(scriptWords({ name: 'leadid', src })).toMatchObject({ when: 'after the first answer' });
  expect(scriptWords({ name: 'serverClick', src: '/click', withoutAnswer: true })).toMatchObject({
    host: 'our own server',
    when: 'when the page is idle',
  });
});

test('an experiment shows its verdicts, and none if visitors were not assigned by the weights', () => {
  const arm = (
    variant: string,
    verdict: JudgedArm['verdict'],
    difference: JudgedArm['difference'],
  ) => ({
    ...{ variant, verdict, difference, weight: 1, visits: 990, completed: 150, accepted: 150 },
    ...{ delivered: 150, refusals: 0, held: 2, pageErrors: 0 },
  });
  const running: ExperimentAnswer = {
    ...{ id: 'buttons', isMismatch: false, summary: 'Not enough visitors yet (1980).' },
    arms: [arm('plain', 'base', null), arm('rounded', 'keep', { low: 0.008, high: 0.062 })],
  };
  const html = renderToStaticMarkup(<ExperimentTable experiment={running} />);
  expect(html).toContain('+0.8 to +6.2');
  expect(html).toContain('keep');
  expect(html).toContain('of 990');
  const skewed = <ExperimentTable experiment={{ ...running, isMismatch: true }} />;
  expect(renderToStaticMarkup(skewed)).not.toContain('keep');
});
