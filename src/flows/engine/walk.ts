import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import { conditions, type Facts } from '../../domain/facts.ts';
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

/** What was answered, step by step. A later step may answer a field again; the later answer counts. */
export type StepAnswers = Readonly<Record<string, Answers>>;

/** What a flow needs to know beside the answers: `Facts` without them. */
export type WalkContext = Omit<Facts, 'answers'>;

export type Walk = {
  /** The steps from the start, in order; the last is the one to show. */
  readonly steps: readonly string[];
  /** The step to show: the first without an answer, or the last one when all are answered. */
  readonly current: string;
  /** The answers of the steps passed, later ones over earlier ones: what the lead is made of. */
  readonly answers: Answers;
  /** Every step up to the end has its answer. */
  readonly complete: boolean;
};

/** The step that follows `name`, given everything answered up to and including it; undefined at an end. */
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

/**
 * Follows a flow from its start along the answers given, up to the first step without any
 * (or up to `until`). Answers of steps that are no longer on the way are not in the result: they
 * are kept by the caller and come back when the way does.
 */
export function walk(flow: Flow, given: StepAnswers, context: WalkContext, until?: string): Walk {
  const steps: string[] = [];
  let answers: Answers = {};
  let name: string | undefined = flow.start;
  while (name !== undefined) {
    steps.push(name);
    const own: Answers | undefined = given[name];
    if (own === undefined || name === until) {
      return { steps, current: name, answers, complete: false };
    }
    answers = { ...answers, ...stepOf(flow, name).sets, ...own };
    name = nextStep(flow, name, answers, context);
  }
  return { steps, current: steps.at(-1) as string, answers, complete: true };
}

/** Whether a record of answers answers a step: one of its choices in full, and every asked field. */
export function answersStep(step: Step, own: Answers): boolean {
  const asked = (step.asks ?? []).every((field) => own[field] !== undefined);
  const chosen = step.kind !== 'choice' || !step.choices || chosenOf(step, own) !== undefined;
  return asked && chosen;
}

/**
 * Reads a flat lead (the posted body) as answers of this flow: walks it with each step's own fields
 * taken from the flat record. Stops at the first step that the record does not answer.
 *
 * @returns the walk, and `unreached`: the given fields that no step on the way asks for.
 */
export function walkFlat(
  flow: Flow,
  flat: Answers,
  context: WalkContext,
): Walk & { readonly unreached: readonly AskedFieldName[] } {
  const steps: string[] = [];
  const answers: Partial<Record<AskedFieldName, string>> = {};
  const reached = new Set<AskedFieldName>();
  let complete = true;
  for (let name: string | undefined = flow.start; name !== undefined; ) {
    steps.push(name);
    const step = stepOf(flow, name);
    const fields = fieldsOf(step);
    for (const field of fields) reached.add(field);
    const posted = pick(flat, fields);
    const own = step.implies ? { ...impliedBy(step, posted), ...posted } : posted;
    if (step.ends !== true && !answersStep(step, own)) {
      complete = false;
      break;
    }
    Object.assign(answers, step.sets, own);
    name = nextStep(flow, name, answers, context);
  }
  const unreached = (Object.keys(flat) as AskedFieldName[]).filter((field) => !reached.has(field));
  return { steps, current: steps.at(-1) as string, answers, complete, unreached };
}

/** What the progress area shows at the last of `steps`. */
export type Progress =
  | {
      readonly style: 'stages';
      readonly position: number;
      readonly count: number;
      /** How far a bar reaches, 0 to 100: every step moves it. */
      readonly reach: number;
    }
  | {
      readonly style: 'percent';
      /** What is said: the specified value, which a step without one keeps. */
      readonly percent: number;
      readonly reach: number;
    };

/**
 * How far the bar of a flow without percentages reaches at its first and its last step, in percent. It always reaches
 * the position of its stage, which stands at 0, 25, 50 or 75 percent.
 */
const FIRST_STEP = 8;
const LAST_STEP = 95;

/**
 * The progress at the end of a walked way: the position of its stage (from 1), or the percentage of the
 * last step that has one (docs/specification.md#progress: a step without a value keeps the last one),
 * and how far a bar reaches.
 */
export function progress(flow: Flow, steps: readonly string[]): Progress {
  const way = steps.map((name) => stepOf(flow, name));
  if (flow.progress === 'stages') {
    const { stage = 'accident', submits, ends } = way.at(-1) ?? {};
    const position = stages.indexOf(stage) + 1;
    const inStage = way.filter((step) => step.stage === stage).length;
    const count = stages.length;
    const done = (position - 1 + share(inStage - 1)) / count;
    const under = FIRST_STEP + (100 - FIRST_STEP) * done;
    const reach = ends ? 100 : submits ? LAST_STEP : under;
    return { style: 'stages', position, count, reach };
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

/**
 * The part of a stretch that so many steps make up: each adds less, as nobody knows how many will come,
 * so that the position never goes back and never arrives before the stretch ends. 0, 1/3, 1/2, 3/5 …
 */
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
