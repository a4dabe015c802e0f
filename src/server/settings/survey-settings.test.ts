import { expect, it } from 'vitest';
import { parseSettings } from './settings.ts';

it('the setting EXPERIMENTS sets the surveys and weights of an experiment', () => {
  const on = { surveys: ['/survey/v4nv'], weights: { plain: 9 } };
  const { experiments } = parseSettings({ EXPERIMENTS: JSON.stringify({ buttons: on }) });
  expect(experiments.filter(({ surveys }) => surveys.length > 0)).toMatchObject([
    {
      id: 'buttons',
      surveys: ['/survey/v4nv'],
      variants: { plain: { weight: 9 }, rounded: { weight: 1 } },
    },
  ]);
});
