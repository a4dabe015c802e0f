import { expect, it } from 'vitest';
import { flowOf, surveys } from '../flows/surveys.ts';
import { type FormVisit, withSaves } from './form-visit.ts';
import { initialState } from './state.ts';

it('saved steps named __proto__ or constructor pollute no prototype', async () => {
  const survey = surveys.find(({ path }) => path === '/survey-sl');
  if (!survey) throw new Error('There is no survey /survey-sl');
  const flow = await flowOf(survey);
  const form = {
    visit: { timeOnSteps: '' },
    state: initialState(flow),
    seq: 0,
    shownAt: '',
    more: {},
  } as unknown as FormVisit;
  const names = ['__proto__', 'constructor', 'toString'];
  const entries = names.flatMap((step, at) =>
    (['answered', 'viewed'] as const).map((kind, part) => ({
      ...{ seq: 2 * at + part + 1, kind, step, answers: { at_Fault: 'no' } },
      ...{ seconds: 1, at: '2026-11-22T10:00:00.000Z' },
    })),
  );
  const context = {
    ...{ today: { year: 2026, month: 11, day: 22 }, settings: {}, path: survey.path },
  } as unknown as Parameters<typeof withSaves>[3];
  const { given, at } = withSaves(flow, form, entries, context).state;
  expect(Object.keys(given)).toEqual(names);
  expect('at_Fault' in given).toBe(false);
  expect(at).toBe(flow.start);
});
