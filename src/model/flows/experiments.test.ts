import { expect, it } from 'vitest';
import {
  assign,
  assignmentsOn,
  assignmentText,
  type Experiment,
  experiments,
  withVariants,
} from './experiments.ts';
import { surveys } from './surveys.ts';

const path = '/survey/v4nv';
const on = (id: string, weights: Record<string, number> = {}): Experiment => {
  const found = experiments.find((each) => each.id === id);
  if (!found) throw new Error(`no experiment ${id}`);
  const variants = Object.fromEntries(
    Object.entries(found.variants).map(([name, variant]) => [
      name,
      { ...variant, weight: weights[name] ?? variant.weight },
    ]),
  );
  return { ...found, surveys: [path], variants };
};
const row = surveys.find((each) => each.path === path);
if (!row) throw new Error('no such survey');

it('assign draws the variants of a new visitor by weight', () => {
  const all = [on('buttons', { plain: 3, rounded: 1 })];
  const drawn = (random: number) => assign(path, {}, all, () => random).buttons;
  expect([0, 0.74, 0.75, 0.999].map(drawn)).toEqual(['plain', 'plain', 'rounded', 'rounded']);
  expect(assign(path, { buttons: 'rounded' }, all, () => 0)).toEqual({ buttons: 'rounded' });
  const ended = [on('buttons', { rounded: 0 }), on('theme', { paper: 0 })];
  expect(assign(path, { buttons: 'rounded', theme: 'paper' }, ended, () => 0)).toEqual({
    theme: 'plain',
  });
  expect(assign('/survey/v4', {}, all, () => 0)).toEqual({});
});

it('withVariants applies the assigned variants to a survey', () => {
  const all = [on('theme'), on('buttons'), on('social-proof')];
  const { theme, toggles, ...rest } = withVariants(
    row,
    { theme: 'paper', buttons: 'rounded' },
    all,
  );
  const { theme: _, toggles: before, ...same } = row;
  expect([theme, toggles, rest]).toEqual(['paper', { ...before, roundedButtons: true }, same]);
  const drawn = assignmentsOn(path, all).map(assignmentText);
  expect(new Set(drawn).size).toBe(12);
  expect(drawn).toHaveLength(12);
  expect(assignmentsOn('/survey/none', all)).toEqual([{}]);
});
