import { describe, expect, test } from 'vitest';
import { check, type FlowTexts } from './check.ts';
import { defineFlow, type Flow, when } from './flow.ts';

const rules = { forcedTreatment: 'up_to_15_days' } as const;

/** Complete texts, so that only the flow itself can have a defect. */
const everything: FlowTexts = {
  steps: new Proxy({}, { get: () => ({ question: 'x' }) }),
  choices: new Proxy({}, { get: () => new Proxy({}, { get: () => 'x' }) }),
  fields: new Proxy({}, { get: () => ({ label: 'x' }) }),
};

const kinds = (flow: Flow, texts: Record<string, FlowTexts> = { en: everything }) =>
  check(flow, texts).map((problem) => `${problem.kind} ${problem.step}`);

const sound = defineFlow({
  id: 'sound',
  progress: 'percent',
  start: 'A',
  rules,
  steps: {
    A: {
      kind: 'choice',
      choices: [{ physical_injury: 'Yes' }, { physical_injury: 'No' }],
      next: [when('isInjured', 'B'), 'C'],
    },
    B: { kind: 'form', asks: ['first_name'], next: ['C'] },
    C: { kind: 'contact', asks: ['phone'], submits: true, next: [] },
  },
});

describe('check', () => {
  test('finds no defect in a sound flow', () => {
    expect(kinds(sound)).toEqual([]);
  });

  test('refuses a dead end', () => {
    const steps = { ...sound.steps, B: { ...sound.steps.B, next: [] } };
    expect(kinds({ ...sound, steps })).toContain('dead-end B');
  });

  test('refuses a step without an unconditional edge', () => {
    const steps = { ...sound.steps, B: { ...sound.steps.B, next: [when('isInjured', 'C')] } };
    expect(kinds({ ...sound, steps })).toContain('dead-end B');
  });

  test('refuses an unreachable step', () => {
    const steps = { ...sound.steps, A: { ...sound.steps.A, next: ['C'] as const } };
    expect(kinds({ ...sound, steps })).toEqual(['unreachable-step B']);
  });

  test('refuses an edge after an unconditional one', () => {
    const next = ['C', when('isInjured', 'B'), 'C'] as const;
    const steps = { ...sound.steps, A: { ...sound.steps.A, next } };
    expect(kinds({ ...sound, steps })).toContain('unreachable-edge A');
  });

  test('refuses a cycle', () => {
    const next = [when('isInjured', 'A'), 'C'] as const;
    const steps = { ...sound.steps, B: { ...sound.steps.B, next } };
    expect(kinds({ ...sound, steps })).toEqual(expect.arrayContaining(['cycle A', 'cycle B']));
  });

  test('refuses an edge to an unknown step', () => {
    const flow: Flow = sound;
    const steps = { ...flow.steps, B: { kind: 'form', next: ['Nowhere'] } } as Flow['steps'];
    expect(kinds({ ...flow, steps })).toContain('unknown-step B');
  });

  test('refuses a question that depends on its own answer', () => {
    const gated = defineFlow({
      id: 'gated',
      progress: 'percent',
      start: 'A',
      rules,
      steps: {
        A: { kind: 'form', asks: ['first_name'], next: [when('isInjured', 'B'), 'C'] },
        B: { kind: 'choice', choices: [{ physical_injury: 'Yes' }], next: ['C'] },
        C: { kind: 'contact', asks: ['phone'], submits: true, next: [] },
      },
    });
    expect(kinds(gated)).toEqual(['gated-by-own-answer B']);
  });

  test('refuses a button with a value that its field does not allow', () => {
    const choices = [{ physical_injury: 'Perhaps' }];
    const steps = { ...sound.steps, A: { ...sound.steps.A, choices } };
    expect(kinds({ ...sound, steps })).toEqual(['unknown-value A']);
  });

  test('refuses a text that is missing in one language', () => {
    const es: FlowTexts = { ...everything, choices: { physical_injury: { Yes: 'Sí' } } };
    expect(check(sound, { en: everything, es })).toEqual([
      { kind: 'missing-text', step: 'A', detail: 'es has no choices.physical_injury.No' },
    ]);
  });

  test('refuses numbered progress without a stage', () => {
    expect(kinds({ ...sound, progress: 'stages' })).toContain('missing-stage A');
  });
});
