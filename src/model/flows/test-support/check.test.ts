import { expect, test } from 'vitest';
import { defineFlow, type Flow, when } from '../engine/flow.ts';
import { check, type FlowTexts } from './check.ts';

/** Texts for every step. */
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

const { A, B } = sound.steps;
test.each<[string, Partial<Record<'A' | 'B', object>>, string[]]>([
  ['a dead end', { B: { ...B, next: [when('isInjured', 'C')] } }, ['dead-end B']],
  ['an unreachable step', { A: { ...A, next: ['C'] } }, ['unreachable-step B']],
  [
    'an edge after an unconditional edge',
    { A: { ...A, next: ['C', when('isInjured', 'B'), 'C'] } },
    ['unreachable-edge A'],
  ],
  ['a cycle', { B: { ...B, next: [when('isInjured', 'A'), 'C'] } }, ['cycle A', 'cycle B']],
  ['an edge to an unknown step', { B: { kind: 'form', next: ['Nowhere'] } }, ['unknown-step B']],
  [
    'a button with a value that its field does not allow',
    { A: { ...A, choices: [{ physical_injury: 'Perhaps' }] } },
    ['unknown-value A'],
  ],
])('check reports %s', (_, changed, problems) => {
  const steps = { ...sound.steps, ...changed } as Flow['steps'];
  expect(kinds({ ...sound, steps } as Flow)).toEqual(expect.arrayContaining(problems));
});
