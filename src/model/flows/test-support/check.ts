import type { AskedFieldName } from '../../fields/answers.ts';
import { askedFields } from '../../fields/asked-fields.ts';
import { conditions } from '../../rules/facts.ts';
import {
  type Choice,
  edgeTarget,
  type Flow,
  fieldsOf,
  type Step,
  stepWords,
} from '../engine/flow.ts';

/** The texts of a flow in one language. */
export type FlowTexts = {
  readonly steps: Readonly<Record<string, { readonly question: string } | undefined>>;
  readonly choices: Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  readonly fields: Readonly<Record<string, { readonly label: string } | undefined>>;
};

/** A problem in the definition of a flow. */
type FlowProblem = {
  readonly kind:
    | 'unknown-step'
    | 'dead-end'
    | 'unreachable-step'
    | 'unreachable-edge'
    | 'cycle'
    | 'gated-by-own-answer'
    | 'missing-text'
    | 'unknown-value'
    | 'missing-stage';
  readonly step: string;
  readonly detail: string;
};

/** Returns the problems of a flow, such as dead ends and missing texts. */
export function check(flow: Flow, texts: Readonly<Record<string, FlowTexts>>): FlowProblem[] {
  return [
    ...checkTargets(flow),
    ...checkEnds(flow),
    ...checkReach(flow),
    ...checkCycles(flow),
    ...checkGates(flow),
    ...checkStages(flow),
    ...checkButtonValues(flow),
    ...Object.entries(texts).flatMap(([language, words]) => checkTexts(flow, language, words)),
  ];
}

function entries(flow: Flow): [string, Step][] {
  return Object.entries(flow.steps);
}

function problem(kind: FlowProblem['kind'], step: string, detail: string): FlowProblem {
  return { kind, step, detail };
}

function checkTargets(flow: Flow): FlowProblem[] {
  const unknown = (from: string, to: string | undefined, detail: string) =>
    to === undefined || Object.hasOwn(flow.steps, to)
      ? []
      : [problem('unknown-step', from, detail)];
  const { start, submit: { disqualifiedStep } = {} } = flow;
  return [
    ...unknown(start, start, 'the start step does not exist'),
    ...unknown(disqualifiedStep ?? '', disqualifiedStep, 'the disqualified step does not exist'),
    ...entries(flow).flatMap(([name, step]) =>
      step.next
        .map(edgeTarget)
        .flatMap((to) => unknown(name, to, `leads to the unknown step ${to}`)),
    ),
  ];
}

function checkEnds(flow: Flow): FlowProblem[] {
  const problems: FlowProblem[] = [];
  const conditional = 'its last edge is conditional, so a visitor may have no next step';
  for (const [name, step] of entries(flow)) {
    const last = step.next.at(-1);
    if (last === undefined && !step.ends && !step.submits) {
      problems.push(problem('dead-end', name, 'has no next step and is not an end'));
    } else if (typeof last === 'object') {
      problems.push(problem('dead-end', name, conditional));
    }
    step.next.slice(0, -1).forEach((edge, index) => {
      if (typeof edge !== 'string') return;
      const detail = `edge ${index + 1} to ${edge} always matches, so later ones never do`;
      problems.push(problem('unreachable-edge', name, detail));
    });
  }
  return problems;
}

function descendants(flow: Flow, from: string): Set<string> {
  const seen = new Set<string>();
  const todo = [from];
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    for (const target of flow.steps[name]?.next.map(edgeTarget) ?? []) {
      if (!seen.has(target)) {
        seen.add(target);
        todo.push(target);
      }
    }
  }
  return seen;
}

function checkReach(flow: Flow): FlowProblem[] {
  const reached = descendants(flow, flow.start).add(flow.start);
  if (flow.submit?.disqualifiedStep) reached.add(flow.submit.disqualifiedStep);
  return Object.keys(flow.steps)
    .filter((name) => !reached.has(name))
    .map((step) => problem('unreachable-step', step, 'no edge leads here'));
}

function checkCycles(flow: Flow): FlowProblem[] {
  return Object.keys(flow.steps)
    .filter((name) => descendants(flow, name).has(name))
    .map((step) => problem('cycle', step, 'leads back to itself'));
}

function checkGates(flow: Flow): FlowProblem[] {
  const askedAt = new Map<AskedFieldName, string[]>();
  for (const [name, step] of entries(flow)) {
    for (const field of fieldsOf(step)) {
      // Skips fields that the step derives, because a visit may have such a field before the step.
      if (step.finds?.includes(field)) continue;
      askedAt.set(field, [...(askedAt.get(field) ?? []), name]);
    }
  }
  const problems: FlowProblem[] = [];
  for (const [name, step] of entries(flow)) {
    for (const edge of step.next) {
      if (typeof edge === 'string') continue;
      for (const condition of edge.when) {
        for (const field of conditions[condition].reads) {
          const asking = askedAt.get(field) ?? [];
          const isKnown = asking.some((at) => at === name || descendants(flow, at).has(name));
          if (asking.length > 0 && !isKnown) {
            const detail = `${name} leads here when ${condition}, which reads ${field}, asked only at ${asking.join(', ')}`;
            problems.push(problem('gated-by-own-answer', edge.to, detail));
          }
        }
      }
    }
  }
  return problems;
}

function checkStages(flow: Flow): FlowProblem[] {
  if (flow.progress !== 'stages') return [];
  return entries(flow)
    .filter(([, step]) => step.stage === undefined)
    .map(([step]) =>
      problem('missing-stage', step, 'numbered progress needs a stage on every step'),
    );
}

function valuesOf(choice: Choice): [AskedFieldName, string][] {
  return Object.entries(choice) as [AskedFieldName, string][];
}

function checkButtonValues(flow: Flow): FlowProblem[] {
  return entries(flow).flatMap(([name, step]) =>
    [
      ...(step.choices ?? []).flatMap((choice) => valuesOf(choice)),
      ...valuesOf(step.sets ?? {}).filter(([field]) => 'values' in askedFields[field]),
    ]
      .filter(([field, value]) => !askedFields[field].values?.includes(value))
      .map(([field, value]) => problem('unknown-value', name, `${field} has no value ${value}`)),
  );
}

function checkTexts(flow: Flow, language: string, texts: FlowTexts): FlowProblem[] {
  const problems: FlowProblem[] = [];
  const miss = (step: string, key: string) =>
    problems.push(problem('missing-text', step, `${language} has no ${key}`));
  for (const [name, step] of entries(flow)) {
    if (!stepWords(texts.steps, flow.id, name)?.question) miss(name, `steps.${name}.question`);
    for (const choice of step.choices ?? []) {
      const [field, value] = Object.entries(choice)[0] as [string, string];
      if (!texts.choices[field]?.[value]) miss(name, `choices.${field}.${value}`);
    }
    for (const field of [...(step.asks ?? []), ...(step.optional ?? [])]) {
      if (!texts.fields[field]?.label) miss(name, `fields.${field}.label`);
    }
  }
  return problems;
}
