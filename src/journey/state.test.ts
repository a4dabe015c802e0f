import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stepOf } from '../flows/engine/flow.ts';
import { walk } from '../flows/engine/walk.ts';
import { v4 } from '../flows/variants/v4.ts';
import { pageData, today } from '../survey/test-support/survey-fixture.ts';
import {
  initialState,
  type JourneyAction,
  type JourneyState,
  reduce,
  resumedState,
  wayTo,
} from './state.ts';
import { walkContext } from './walk-context.ts';

const context = walkContext(pageData(), today);
const run = (state: JourneyState, ...actions: JourneyAction[]) =>
  actions.reduce((each, action) => reduce(v4, context, each, action), state);
const answer = (state: JourneyState, answers: JourneyState['given'][string]) =>
  run(state, { type: 'answered', screen: state.screen, answers });

const start = initialState(v4);
const dated = answer(answer(start, { accident_type: 'Other' }), {
  injury_month: '03',
  injury_year: '2026',
});

describe('reduce', () => {
  test('an answer leads to the next step and a new screen; a second tap on the old one is ignored', () => {
    const once = answer(start, { accident_type: 'Other' });
    expect(once).toMatchObject({ at: 'WhenWasTheAccident', screen: 1, direction: 'forward' });
    const twice = run(once, { type: 'answered', screen: 0, answers: { accident_type: 'Other' } });
    expect(twice).toBe(once);
  });

  test('ignores everything but a notice while the lead is being posted', () => {
    const sending = run(dated, { type: 'sending', answers: {} });
    for (const action of [
      { type: 'answered', screen: sending.screen, answers: { at_Fault: 'no' } },
      { type: 'moved', index: 0 },
      { type: 'edited', field: 'phone', values: {} },
      { type: 'refused', screen: sending.screen, errors: { phone: 'required' } },
      { type: 'sending', answers: {} },
      { type: 'checking', screen: sending.screen },
    ] satisfies JourneyAction[]) {
      expect(run(sending, action)).toBe(sending);
    }
    expect(run(sending, { type: 'notice', sending: 'saved' }).sending).toBe('saved');
  });

  test('goes back and forward along the path, and keeps the answers', () => {
    const back = run(dated, { type: 'moved', index: 0 });
    expect(back).toMatchObject({ at: 'StartPath', direction: 'back' });
    expect(back.given.StartPath).toEqual({ accident_type: 'Other' });
    const forward = { at: 'AtFault', direction: 'forward' };
    expect(run(back, { type: 'moved', index: 99 })).toMatchObject(forward);
    expect(run(start, { type: 'moved', index: -1 })).toBe(start);
  });

  test('keeps the answers of steps off the path', () => {
    let state = answer(dated, { at_Fault: 'no' });
    state = answer(state, { specific_injury: 'Whiplash', physical_injury: 'Yes' });
    state = answer(state, { doctor_treatment: 'yes' });
    expect(state.at).toBe('PoliceReportFiled');
    state = run(state, { type: 'moved', index: 3 });
    expect(state.at).toBe('WasUserInjured');
    state = answer(state, { physical_injury: 'No' });
    expect(state.at).toBe('PoliceReportFiled');
    expect(state.given.DidYouReceiveMedicalTreatment).toEqual({ doctor_treatment: 'yes' });
    expect(walk(v4, state.given, context).answers.doctor_treatment).toBeUndefined();
  });

  test('editing a field removes only its own error', () => {
    const errors = { phone: 'required', zip_code: 'required' } as const;
    const refused = run(start, { type: 'refused', screen: start.screen, errors });
    expect(refused.refusals).toBe(1);
    const edited = run(refused, { type: 'edited', field: 'phone', values: { phone: '2' } });
    expect(edited.errors).toEqual({ zip_code: 'required' });
    expect(edited.drafts.StartPath).toEqual({ phone: '2' });
  });

  test('ignores a late look-up error of an earlier screen', () => {
    const doubt = { type: 'doubted', screen: 0, errors: { email: 'not_reachable' } } as const;
    expect(run(dated, doubt)).toBe(dated);
    expect(run(start, doubt).errors).toEqual({ email: 'not_reachable' });
  });

  test('resumes a visit at its step, or at the last step on the path', () => {
    const kept = { given: dated.given, drafts: { AtFault: { at_Fault: 'no' } }, at: 'AtFault' };
    expect(resumedState(v4, kept, context)).toMatchObject({ at: 'AtFault', resumed: true });
    const stale = resumedState(v4, { ...kept, at: 'StepOfAnOlderFlow' }, context);
    expect(stale.at).toBe('AtFault');
    const given = { ...kept.given, Gone: { at_Fault: 'no' } } as const;
    expect(resumedState(v4, { ...kept, given }, context)).toMatchObject({ at: 'AtFault', given });
    expect(resumedState(v4, start, context).resumed).toBe(false);
  });

  test('stays on the path after any actions in any order', () => {
    const action = fc.record({
      kind: fc.constantFrom('answer', 'late answer', 'move'),
      pick: fc.integer({ min: -2, max: 30 }),
    });
    const property = fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      let state = start;
      for (const { kind, pick } of actions) {
        const before = state;
        const choices = stepOf(v4, state.at).choices ?? [{}];
        const answers = choices.at(pick % choices.length) ?? {};
        const screen = kind === 'late answer' ? state.screen - 1 : state.screen;
        if (kind === 'move') state = run(state, { type: 'moved', index: pick });
        else state = run(state, { type: 'answered', screen, answers });
        if (kind === 'late answer') expect(state).toBe(before);
        expect(Object.keys(v4.steps)).toContain(state.at);
        expect(wayTo(v4, state, context).at(-1)).toBe(state.at);
        expect(state.screen - before.screen).toBe(state === before ? 0 : 1);
      }
    });
    fc.assert(property, { verbose: 1 });
  });
});
