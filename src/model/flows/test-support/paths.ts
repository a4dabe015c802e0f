import type { Answers } from '../../fields/answers.ts';
import { conditions } from '../../rules/facts.ts';
import { edgeTarget, type Flow, type Step, stepOf } from '../engine/flow.ts';
import { nextStep, type StepAnswers, type WalkContext } from '../engine/walk.ts';

/** A path through a flow, with the answers that lead along the path. */
export type FlowPath = {
  readonly steps: readonly string[];
  readonly answers: StepAnswers;
};

/** Returns the sample answers for a step. */
export type Samples = (name: string, step: Step) => readonly Answers[] | undefined;

/** Returns every path through a flow. */
export function allPaths(
  flow: Flow,
  context: WalkContext,
  samples: Samples,
  known: Answers = {},
): FlowPath[] {
  const relevant = conditionsBelow(flow);
  const memo = new Map<string, readonly FlowPath[]>();

  const suffixes = (name: string, answers: Answers): readonly FlowPath[] => {
    const step = stepOf(flow, name);
    const values: Readonly<Record<string, string | undefined>> = answers;
    const read = (relevant.get(name) ?? []).map((field) => `${field}=${values[field] ?? ''}`);
    const key = `${name}|${read.join('&')}`;
    const found = memo.get(key);
    if (found) return found;
    const ways = new Map<string, FlowPath>();
    const candidates = samples(name, step) ?? (step.choices?.length ? step.choices : [{}]);
    for (const own of candidates) {
      const merged = { ...answers, ...step.sets, ...own };
      const next = nextStep(flow, name, merged, context);
      const rest: readonly FlowPath[] =
        next === undefined ? [{ steps: [], answers: {} }] : suffixes(next, merged);
      for (const suffix of rest) {
        const steps = [name, ...suffix.steps];
        const id = steps.join('>');
        if (!ways.has(id)) ways.set(id, { steps, answers: { [name]: own, ...suffix.answers } });
      }
    }
    const result = [...ways.values()];
    memo.set(key, result);
    return result;
  };

  return [...suffixes(flow.start, known)];
}

function conditionsBelow(flow: Flow): Map<string, readonly string[]> {
  const fields = new Map<string, readonly string[]>();
  const visit = (name: string): readonly string[] => {
    const known = fields.get(name);
    if (known) return known;
    const step = stepOf(flow, name);
    const all = new Set<string>();
    for (const edge of step.next) {
      const read = typeof edge === 'string' ? [] : edge.when.map((name) => conditions[name].reads);
      for (const field of [...read.flat(), ...visit(edgeTarget(edge))]) all.add(field);
    }
    fields.set(name, [...all]);
    return [...all];
  };
  visit(flow.start);
  return fields;
}
