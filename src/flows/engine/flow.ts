import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import type { FlowRules } from '../../domain/derive.ts';
import type { ConditionName } from '../../domain/facts.ts';
import type { SubmitRules } from '../../domain/submit-rules.ts';
import type { ScriptRule } from './page-scripts.ts';

/** The four labelled positions of the numbered progress area, in their order. */
export const stages = ['accident', 'injuries', 'case', 'contact'] as const;
export type Stage = (typeof stages)[number];

/**
 * The kind of screen that shows a step; `src/survey/screens/` has one component a kind.
 * A flow says which, so that the flow stays data and the screens stay few.
 */
export type ScreenKind =
  | 'choice'
  | 'case-worth'
  | 'accident-date'
  | 'form'
  | 'description'
  | 'date-of-birth'
  | 'contact'
  | 'start'
  | 'result'
  | 'sending';

/**
 * One answer button: the answers that it gives. The first key and its value are the button's `name`
 * and `value` in the page; further keys are answers that follow from it.
 * `{ partial_fault: 'yes', at_Fault: 'yes' }` is the button `partial_fault=yes`.
 */
export type Choice = Readonly<Partial<Record<AskedFieldName, string>>>;

/** Where all of `when` is answered, `field` is `value` and no question. */
export type Implied = {
  readonly when: Choice;
  readonly field: AskedFieldName;
  readonly value: string;
};

/** Where a step leads: always, or when every named condition holds. The first that matches is taken. */
export type Edge<Name extends string = string> =
  | Name
  | { readonly when: readonly ConditionName[]; readonly to: Name };

/** One step of a flow. `Name` is the union of the flow's step names. */
export type Step<Name extends string = string> = {
  readonly kind: ScreenKind;
  /** The answer buttons of a `choice` step (and of a choice inside another kind). */
  readonly choices?: readonly Choice[];
  /** The fields that must be given here. Those of `choices` need not be repeated. */
  readonly asks?: readonly AskedFieldName[];
  /** The fields that may be given here. */
  readonly optional?: readonly AskedFieldName[];
  /** Questions of a form that another of its answers makes idle: not asked then, and answered so. */
  readonly implies?: readonly Implied[];
  /** Answers that a look-up finds when this step is left (ZipCode: the state, and the buyers). */
  readonly finds?: readonly AskedFieldName[];
  /** While this step is on screen, the ingest account of the lead is looked up (one-to-one). */
  readonly mapsLead?: true;
  /** Answers that passing this step gives without asking (Ep: accident_type is Car Accident). */
  readonly sets?: Choice;
  /** The labelled position that this step belongs to, in flows with numbered progress. */
  readonly stage?: Stage;
  /** The percentage shown while this step is on screen; without it the last one stays. */
  readonly progress?: number;
  /** Leaving this step posts the lead. */
  readonly submits?: true;
  /** Empty only where the step submits or ends the flow. */
  readonly next: readonly Edge<Name>[];
  /** A screen on which a flow ends without a post, or that shows while the post is on its way. */
  readonly ends?: true;
};

/** A survey flow: plain data that the runner, the server, the diagrams and the tests all read. */
export type Flow<Name extends string = string> = {
  readonly id: string;
  /** How the progress area shows: labelled positions, or a percentage. */
  readonly progress: 'stages' | 'percent';
  readonly start: Name;
  readonly steps: Readonly<Record<Name, Step<Name>>>;
  /** The decision rules that belong to this flow and not to all. */
  readonly rules: FlowRules;
  /** What this flow does differently when its lead is sent. */
  readonly submit?: SubmitRules;
  /** The scripts of third parties that this flow loads, each where its address is set. */
  readonly scripts?: readonly ScriptRule<Name>[];
};

/**
 * Declares a flow. Step names are checked by the type system: `start` and every `next` must name a
 * step of this flow, every asked field a field of the domain, every condition a named condition.
 * What types cannot see (dead ends, unreachable steps, texts) is for `check()`.
 */
export function defineFlow<const Name extends string>(flow: {
  id: string;
  progress: Flow['progress'];
  start: NoInfer<Name>;
  steps: { readonly [K in Name]: Step<NoInfer<Name>> };
  rules: FlowRules;
  submit?: SubmitRules;
  scripts?: readonly ScriptRule<NoInfer<Name>>[];
}): Flow<Name> {
  return flow;
}

/** Returns whether the flow asks everything on one screen, which leaves no progress to show. */
export function hasOneScreen(flow: Flow): boolean {
  return stepOf(flow, flow.start).submits === true;
}

/** A condition of a next step: `when('isInjured', 'DidYouReceiveMedicalTreatment')`. All named must hold. */
export function when<const Name extends string>(
  conditions: ConditionName | readonly ConditionName[],
  to: Name,
): { readonly when: readonly ConditionName[]; readonly to: Name } {
  return { when: typeof conditions === 'string' ? [conditions] : conditions, to };
}

/** The step by its name; throws on a name that the flow does not have (a programming error). */
export function stepOf(flow: Flow, name: string): Step {
  const step = flow.steps[name];
  if (!step) throw new Error(`flow ${flow.id} has no step ${name}`);
  return step;
}

/** The first answer that a choice gives: its button's name and value. */
export function buttonOf(choice: Choice): [name: AskedFieldName, value: string] {
  return Object.entries(choice)[0] as [AskedFieldName, string];
}

/** The choice that these answers give. Of two that match, the one that says more is meant. */
export function chosenOf({ choices = [] }: Step, answers: Answers): Choice | undefined {
  const size = (choice: Choice) => Object.keys(choice).length;
  return choices
    .filter((choice) => matches(choice, answers))
    .sort((one, other) => size(other) - size(one))[0];
}

/** Whether the answers give all that a choice gives. */
function matches(choice: Choice, answers: Answers): boolean {
  return (Object.keys(choice) as AskedFieldName[]).every(
    (field) => answers[field] === choice[field],
  );
}

/** The answers that others of a step imply: those fields are no questions then. */
export function impliedBy(step: Step, answers: Answers): Answers {
  const implied = (step.implies ?? []).filter(({ when }) => matches(when, answers));
  return Object.fromEntries(implied.map(({ field, value }) => [field, value]));
}

const fieldsByStep = new WeakMap<Step, readonly AskedFieldName[]>();

/** Every field that a step can give an answer to, in its order, each once. */
export function fieldsOf(step: Step): readonly AskedFieldName[] {
  const known = fieldsByStep.get(step);
  if (known) return known;
  const fields = new Set<AskedFieldName>([
    ...(step.choices ?? []).flatMap((choice) => Object.keys(choice) as AskedFieldName[]),
    ...(step.asks ?? []),
    ...(step.optional ?? []),
    ...(step.finds ?? []),
    ...(Object.keys(step.sets ?? {}) as AskedFieldName[]),
  ]);
  fieldsByStep.set(step, [...fields]);
  return [...fields];
}

/** The fields of a step that stand in its form as inputs, not as buttons. */
export function inputFields(step: Step): AskedFieldName[] {
  return [...(step.asks ?? []), ...(step.optional ?? [])];
}
