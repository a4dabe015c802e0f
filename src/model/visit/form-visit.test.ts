import { expect, it } from 'vitest';
import { pageDataOf, today } from '../../web/survey/test-support/survey-fixture.ts';
import { type FormVisit, withSaves } from './form-visit.ts';
import { initialState, walkContext } from './state.ts';

it('withSaves never changes the prototype of an object', async () => {
  const { flow, ...data } = await pageDataOf('/survey-sl');
  const state = initialState(flow);
  const form = { visit: { timeOnSteps: '' }, state } as unknown as FormVisit;
  const names = ['__proto__', 'constructor', 'toString'];
  const entries = names.flatMap((step, at) =>
    (['answered', 'viewed'] as const).map((kind, part) => ({
      seq: 2 * at + part + 1,
      kind,
      step,
      answers: { at_Fault: 'no' },
      seconds: 1,
      at: '2026-11-22T10:00:00.000Z',
    })),
  );
  const { given, at } = withSaves(flow, form, entries, walkContext(data, today)).state;
  expect(Object.keys(given)).toEqual(names);
  expect('at_Fault' in given).toBe(false);
  expect(at).toBe(flow.start);
});
