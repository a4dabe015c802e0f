import { expect, test } from 'vitest';
import { pageData, today } from '../../web/survey/test-support/survey-fixture.ts';
import { v4 } from '../flows/variants/v4.ts';
import {
  initialState,
  reduce,
  resumedState,
  type VisitAction,
  type VisitState,
  walkContext,
} from './state.ts';

const context = walkContext(pageData(), today);
const run = (state: VisitState, ...actions: VisitAction[]) =>
  actions.reduce((each, action) => reduce(v4, context, each, action), state);
const answer = (state: VisitState, answers: VisitState['given'][string]) =>
  run(state, { type: 'answered', screen: state.screen, answers });

const start = initialState(v4);
const dated = answer(answer(start, { accident_type: 'Other' }), {
  injury_month: '03',
  injury_year: '2026',
});

test('reduce ignores a second tap on an answer', () => {
  const once = answer(start, { accident_type: 'Other' });
  expect(once).toMatchObject({ at: 'WhenWasTheAccident', screen: 1, direction: 'forward' });
  const twice = run(once, { type: 'answered', screen: 0, answers: { accident_type: 'Other' } });
  expect(twice).toBe(once);
});

test('reduce ignores all actions except notices while the page posts the lead', () => {
  const sending = run(dated, { type: 'sending', answers: {} });
  for (const action of [
    { type: 'answered', screen: sending.screen, answers: { at_Fault: 'no' } },
    { type: 'moved', index: 0 },
    { type: 'edited', field: 'phone', values: {} },
    { type: 'refused', screen: sending.screen, errors: { phone: 'required' } },
    { type: 'sending', answers: {} },
    { type: 'checking', screen: sending.screen },
  ] satisfies VisitAction[]) {
    expect(run(sending, action)).toBe(sending);
  }
  expect(run(sending, { type: 'notice', sending: 'saved' }).sending).toBe('saved');
});

test('reduce stores what the visitor types while the server checks the form', () => {
  const checking = run(dated, { type: 'checking', screen: dated.screen });
  const typed = run(checking, { type: 'edited', field: 'phone', values: { phone: '2145550142' } });
  expect(typed).toMatchObject({ phase: 'checking', drafts: { AtFault: { phone: '2145550142' } } });
});

test('resumedState chooses another step if the flow no longer contains the stored step', () => {
  const stored = { given: dated.given, drafts: { AtFault: { at_Fault: 'no' } }, at: 'AtFault' };
  expect(resumedState(v4, stored, context)).toMatchObject({ at: 'AtFault', resumed: true });
  const stale = resumedState(v4, { ...stored, at: 'StepOfAnOlderFlow' }, context);
  expect(stale.at).toBe('AtFault');
  const given = { ...stored.given, Gone: { at_Fault: 'no' } } as const;
  expect(resumedState(v4, { ...stored, given }, context)).toMatchObject({ at: 'AtFault', given });
  expect(resumedState(v4, start, context).resumed).toBe(false);
});
