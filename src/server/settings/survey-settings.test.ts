import { expect, it } from 'vitest';
import { surveys } from '../../model/flows/surveys.ts';
import { runExperiments } from './survey-settings.ts';

const on = { surveys: ['/survey/v4nv'] };

it('the setting EXPERIMENTS sets the surveys and weights of an experiment', () => {
  const given = { buttons: { ...on, weights: { plain: 9 }, sentAs: 'ab_buttons' } };
  const problems: string[] = [];
  const running = runExperiments(given, surveys, problems).filter(
    (each) => each.surveys.length > 0,
  );
  expect(problems).toEqual([]);
  expect(running).toMatchObject([
    {
      id: 'buttons',
      surveys: ['/survey/v4nv'],
      sentAs: 'ab_buttons',
      variants: { plain: { weight: 9 }, rounded: { weight: 1 } },
    },
  ]);
});

it.each([
  [{ button: on }, /"button" does not exist; there are buttons/],
  [{ buttons: { surveys: ['/survey/none'] } }, /names no survey with "\/survey\/none"/],
  [{ buttons: { ...on, weights: { round: 1 } } }, /has no variant "round"/],
  [{ buttons: { ...on, weights: { plain: -1 } } }, /has to be/],
  [{ buttons: { ...on, sentAs: 'email' } }, /may not be sent as "email"/],
  [{ buttons: on, theme: on, logo: on }, /has 18 variants, more than 16/],
])('an invalid EXPERIMENTS is refused with a message about the error', (given, sentence) => {
  const problems: string[] = [];
  runExperiments(given, surveys, problems);
  expect(problems.join()).toMatch(sentence);
});
