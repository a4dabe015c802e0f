import type { Answers, AskedFieldName } from '../../fields/answers.ts';
import type { FlowRules } from '../../rules/derive-fields.ts';
import type { ConditionName } from '../../rules/facts.ts';
import type { SubmitRules } from '../../rules/submit-rules.ts';

/** The four labels of the numbered progress area, in order. */
export const stages = ['accident', 'injuries', 'case', 'contact'] as const;
export type Stage = (typeof stages)[number];

/** The kind of screen that shows a step. `src/web/survey/screens/` has one component for each. */
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
 * The answers that one button gives. The first key and value are the button's `name` and `value` in the
 * page: `{ partial_fault: 'yes', at_Fault: 'yes' }` is the button `partial_fault=yes`.
 */
export type Choice = Readonly<Partial<Record<AskedFieldName, string>>>;

/** A question that other answers settle: after the answers `when`, `field` has `value` and is not asked. */
export type Implied = {
  readonly when: Choice;
  readonly field: AskedFieldName;
  readonly value: string;
};

/** A next step, with or without conditions. The visitor takes the first edge whose conditions all hold. */
export type Edge<Name extends string = string> =
  | Name
  | { readonly when: readonly ConditionName[]; readonly to: Name };

/** One step of a flow. `Name` is the union of the flow's step names. */
export type Step<Name extends string = string> = {
  readonly kind: ScreenKind;
  /** The answer buttons of a `choice` step, or answer buttons within a form. */
  readonly choices?: readonly Choice[];
  /** The required fields, besides those of `choices`. */
  readonly asks?: readonly AskedFieldName[];
  /** The optional fields. */
  readonly optional?: readonly AskedFieldName[];
  /** Questions of a form that another answer of the form settles. */
  readonly implies?: readonly Implied[];
  /** Fields that a check sets when the visitor leaves this step, such as the zip code's state. */
  readonly finds?: readonly AskedFieldName[];
  /** The page requests the lead's ingest account while it shows this step (one-to-one). */
  readonly mapsLead?: true;
  /** Answers that this step sets without a question (Ep: accident_type is Car Accident). */
  readonly sets?: Choice;
  /** The step's label in flows with numbered progress. */
  readonly stage?: Stage;
  /** The percentage shown at this step. Default: the percentage of the previous step. */
  readonly progress?: number;
  /** Leaving this step posts the lead. */
  readonly submits?: true;
  /** The edges in order. Only a step that submits or ends the flow has no edge. */
  readonly next: readonly Edge<Name>[];
  /** The flow ends at this step. The step posts nothing. */
  readonly ends?: true;
};

/** A third-party script that a flow may load (docs/specification.md#scripts-of-third-parties). */
export type ScriptName = 'pixel' | 'caseWorth' | 'ticket' | 'adPixel';

/** The conditions under which a flow loads a third-party script, once per page. All must hold. */
export type ScriptRule<Name extends string = string> = {
  readonly script: ScriptName;
  /** The page shows this step. */
  readonly at?: Name;
  /** The visitor has answered this step, with `answer` if that is given. */
  readonly after?: Name;
  readonly answer?: Choice;
  /** The visitor comes from this affiliate. */
  readonly affid?: string;
};

/** A survey flow, as plain data for the page, the server and the tests. */
export type Flow<Name extends string = string> = {
  readonly id: string;
  /** The progress area shows the labels of the stages or a percentage. */
  readonly progress: 'stages' | 'percent';
  readonly start: Name;
  readonly steps: Readonly<Record<Name, Step<Name>>>;
  /** The flow's deviations from the usual decision rules. */
  readonly rules?: FlowRules;
  /** The flow's deviations from the usual submit sequence. */
  readonly submit?: SubmitRules;
  /** The third-party scripts that this flow loads if the settings have their URLs. */
  readonly scripts?: readonly ScriptRule<Name>[];
};

/** A step as a flow declares it. Default of `next`: the step declared after it, unless the step submits or ends. */
export type DeclaredStep<Name extends string = string> = Omit<Step<Name>, 'next'> &
  Partial<Pick<Step<Name>, 'next'>>;

/**
 * Declares a flow, which starts at its first step. The types check the names of steps, fields and conditions.
 * `check()` in test-support/ reports dead ends, unreachable steps and missing texts.
 */
export function defineFlow<const Name extends string>({
  id,
  progress,
  steps,
  ...rest
}: Omit<Flow<NoInfer<Name>>, 'start' | 'steps'> & {
  readonly steps: { readonly [K in Name]: DeclaredStep<NoInfer<Name>> };
}): Flow<Name> {
  const names = Object.keys(steps) as Name[];
  const whole = names.map((name, index): [Name, Step<Name>] => {
    const step: DeclaredStep<Name> = steps[name];
    const below = step.submits || step.ends ? [] : names.slice(index + 1, index + 2);
    return [name, { ...step, next: step.next ?? below }];
  });
  const declared = Object.fromEntries(whole) as Record<Name, Step<Name>>;
  return { id, progress, start: names[0] as Name, ...rest, steps: declared };
}

/** Removes steps from a flow. Conditional edges to them go, too; other edges lead to the steps after them. */
export function without<Name extends string, Gone extends Name>(
  flow: Flow<Name>,
  ...gone: readonly Gone[]
): Flow<Exclude<Name, Gone>> {
  const old: Flow = flow;
  const isGone = (name: string) => (gone as readonly string[]).includes(name);
  const edgesOf = (name: string): Edge[] => {
    const edges = stepOf(old, name).next.flatMap((edge) => {
      if (typeof edge === 'object') return isGone(edge.to) ? [] : [edge];
      return isGone(edge) ? edgesOf(edge) : [edge];
    });
    const last = edges.at(-1);
    const other = edges.findLastIndex((edge) => edgeTarget(edge) !== last);
    return last === undefined ? [] : [...edges.slice(0, other + 1), last];
  };
  const [start] = isGone(old.start) ? edgesOf(old.start).slice(-1) : [old.start];
  const reached = new Set([edgeTarget(start as Edge)]);
  for (const name of reached) for (const edge of edgesOf(name)) reached.add(edgeTarget(edge));
  const kept = Object.entries(old.steps).filter(([name]) => reached.has(name));
  const steps = kept.map(([name, step]) => [name, { ...step, next: edgesOf(name) }]);
  return { ...flow, start: edgeTarget(start as Edge), steps: Object.fromEntries(steps) } as Flow<
    Exclude<Name, Gone>
  >;
}

/** Returns the name of the step that an edge leads to. */
export function edgeTarget(edge: Edge): string {
  return typeof edge === 'string' ? edge : edge.to;
}

/** Returns whether the flow has a single screen and so no progress area. */
export function hasOneScreen(flow: Flow): boolean {
  return stepOf(flow, flow.start).submits === true;
}

/** Returns a conditional edge: `when('isInjured', 'DidYouReceiveMedicalTreatment')`. */
export function when<const Name extends string>(
  conditions: ConditionName | readonly ConditionName[],
  to: Name,
): { readonly when: readonly ConditionName[]; readonly to: Name } {
  return { when: typeof conditions === 'string' ? [conditions] : conditions, to };
}

/** Returns the named step. Throws for an unknown name, which is a programming error. */
export function stepOf(flow: Flow, name: string): Step {
  const step = flow.steps[name];
  if (!step) throw new Error(`flow ${flow.id} has no step ${name}`);
  return step;
}

/** Returns the name and value of a choice's button: the choice's first answer. */
export function buttonOf(choice: Choice): [name: AskedFieldName, value: string] {
  return Object.entries(choice)[0] as [AskedFieldName, string];
}

/** Returns the choice that the answers match. If several match, the choice with the most answers. */
export function chosenOf({ choices = [] }: Step, answers: Answers): Choice | undefined {
  const size = (choice: Choice) => Object.keys(choice).length;
  return choices
    .filter((choice) => matches(choice, answers))
    .sort((one, other) => size(other) - size(one))[0];
}

/** Returns whether the answers include all answers of a choice. */
function matches(choice: Choice, answers: Answers): boolean {
  return (Object.keys(choice) as AskedFieldName[]).every(
    (field) => answers[field] === choice[field],
  );
}

/** Returns the answers that `step.implies` adds to the given answers. */
export function impliedBy(step: Step, answers: Answers): Answers {
  const implied = (step.implies ?? []).filter(({ when }) => matches(when, answers));
  return Object.fromEntries(implied.map(({ field, value }) => [field, value]));
}

const fieldsByStep = new WeakMap<Step, readonly AskedFieldName[]>();

/** Returns every field that a step can set, without duplicates, in order. */
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

/** Returns a step's fields that are inputs, not buttons. */
export function inputFields(step: Step): AskedFieldName[] {
  return [...(step.asks ?? []), ...(step.optional ?? [])];
}

/** Suffixes of step names: `HasLawyerVW3` asks the question of `HasLawyer`. */
const copySuffix = /(VW3|TikTok)$/;

/**
 * Returns a step's texts: of `<flow id>/<step>`, else of `<step>`, else of the step's name without suffix.
 */
export function stepWords<Words>(
  steps: Readonly<Record<string, Words | undefined>>,
  flowId: string,
  name: string,
): Words | undefined {
  return steps[`${flowId}/${name}`] ?? steps[name] ?? steps[name.replace(copySuffix, '')];
}
