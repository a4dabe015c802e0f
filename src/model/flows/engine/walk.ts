import type { Answers, AskedFieldName } from '../../fields/answers.ts';
import { conditions, type Facts } from '../../rules/facts.ts';
import {
  chosenOf,
  type Edge,
  type Flow,
  fieldsOf,
  impliedBy,
  type Step,
  stages,
  stepOf,
} from './flow.ts';

export type StepAnswers = Readonly<Record<string, Answers>>;

/** The inputs of a flow's conditions, except the answers. */
export type WalkContext = Omit<Facts, 'answers'>;

type Walk = {
  /** The steps up to the first unanswered one, or to the last step of the flow. */
  readonly steps: readonly string[];
  /** The visitor's answers to the steps before the first unanswered one, by field. */
  readonly answers: Answers;
};

/** Returns the step after `name`, or undefined at the end of the flow. */
export function nextStep<Name extends string>(
  flow: Flow<Name>,
  name: Name,
  answers: Answers,
  context: WalkContext,
): Name | undefined {
  const facts: Facts = { ...context, answers };
  const edge = flow.steps[name].next.find((candidate: Edge<Name>) =>
    typeof candidate === 'string'
      ? true
      : candidate.when.every((condition) => conditions[condition].test(facts)),
  );
  return typeof edge === 'object' ? edge.to : edge;
}

/** Follows the visitor's answers through the flow to the first unanswered step, or to the step `until`. */
export function walk(flow: Flow, given: StepAnswers, context: WalkContext, until?: string): Walk {
  const steps: string[] = [];
  let answers: Answers = {};
  for (let name: string | undefined = flow.start; name !== undefined; ) {
    steps.push(name);
    const own: Answers | undefined = given[name];
    if (own === undefined || name === until) break;
    answers = { ...answers, ...stepOf(flow, name).sets, ...own };
    name = nextStep(flow, name, answers, context);
  }
  return { steps, answers };
}

function answersStep(step: Step, own: Answers): boolean {
  const asked = (step.asks ?? []).every((field) => own[field] !== undefined);
  const chosen = step.kind !== 'choice' || !step.choices || chosenOf(step, own) !== undefined;
  return asked && chosen;
}

/**
 * Follows answers, by field, through a flow. `unanswered` is the first unanswered step, and
 * `unreached` lists the fields whose steps were not reached.
 */
export function walkByField(flow: Flow, flat: Answers, context: WalkContext) {
  const answers: Partial<Record<AskedFieldName, string>> = {};
  const reached = new Set<AskedFieldName>();
  let unanswered: string | undefined;
  for (let name: string | undefined = flow.start; name !== undefined; ) {
    const step = stepOf(flow, name);
    const fields = fieldsOf(step);
    for (const field of fields) reached.add(field);
    const posted = pick(flat, fields);
    const own = step.implies ? { ...impliedBy(step, posted), ...posted } : posted;
    if (step.ends !== true && !answersStep(step, own)) {
      unanswered = name;
      break;
    }
    Object.assign(answers, step.sets, own);
    name = nextStep(flow, name, answers, context);
  }
  const unreached = (Object.keys(flat) as AskedFieldName[]).filter((field) => !reached.has(field));
  return { answers, unanswered, unreached };
}

/** The contents of the progress area. */
export type Progress =
  | {
      readonly style: 'stages';
      readonly position: number;
      /** Length of the bar, in percent. */
      readonly reach: number;
    }
  | {
      readonly style: 'percent';
      readonly percent: number;
      readonly reach: number;
    };

/** Length of the bar at the first step of a flow with stages, in percent. */
const FIRST_STEP = 8;
const LAST_STEP = 95;

/** Returns the progress at the last step of `steps` (docs/specification.md#progress). */
export function progress(flow: Flow, steps: readonly string[]): Progress {
  const way = steps.map((name) => stepOf(flow, name));
  if (flow.progress === 'stages') {
    const { stage = 'accident', submits, ends } = way.at(-1) ?? {};
    const position = stages.indexOf(stage) + 1;
    const inStage = way.filter((step) => step.stage === stage).length;
    const done = (position - 1 + share(inStage - 1)) / stages.length;
    const under = FIRST_STEP + (100 - FIRST_STEP) * done;
    const reach = ends ? 100 : submits ? LAST_STEP : under;
    return { style: 'stages', position, reach };
  }
  const last = way.findLastIndex((step) => step.progress !== undefined);
  const percent = way[last]?.progress ?? 0;
  const next = Math.min(
    100,
    ...Object.values(flow.steps)
      .map((step) => step.progress ?? 0)
      .filter((each) => each > percent),
  );
  const reach = percent + (next - percent) * share(way.length - 1 - last);
  return { style: 'percent', percent, reach };
}

/** Returns the filled share of a stage. Each further step adds less. */
function share(steps: number): number {
  return steps / (steps + 2);
}

function pick(answers: Answers, fields: readonly AskedFieldName[]): Answers {
  const picked: Partial<Record<AskedFieldName, string>> = {};
  for (const field of fields) {
    const value = answers[field];
    if (value !== undefined) picked[field] = value;
  }
  return picked;
}
