import type { Answers, AskedFieldName } from '../../fields/answers.ts';
import type { FlowRules } from '../../rules/derive-fields.ts';
import type { ConditionName } from '../../rules/facts.ts';
import type { SubmitRules } from '../../rules/submit-rules.ts';

/** The labels of the numbered progress area, in order. */
export const stages = ['accident', 'injuries', 'case', 'contact'] as const;
export type Stage = (typeof stages)[number];

/** The kind of screen for a step. `src/web/survey/screens/` has a component for each kind. */
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

/** The answers of a button. The first answer is the button's `name` and `value` in the page. */
export type Choice = Readonly<Partial<Record<AskedFieldName, string>>>;

/** A rule that answers `field` with `value` if the visitor gave the answers `when`. */
type Implied = {
  readonly when: Choice;
  readonly field: AskedFieldName;
  readonly value: string;
};

/** A possible next step. The visitor takes the first edge whose conditions are all true. */
export type Edge<Name extends string = string> =
  | Name
  | { readonly when: readonly ConditionName[]; readonly to: Name };

/** A step of a flow. `Name` is the union of the flow's step names. */
export type Step<Name extends string = string> = {
  readonly kind: ScreenKind;
  /** The buttons of a `choice` step, or the buttons within a form. */
  readonly choices?: readonly Choice[];
  /** The step's required fields, in addition to the fields of `choices`. */
  readonly asks?: readonly AskedFieldName[];
  readonly optional?: readonly AskedFieldName[];
  /** Questions of a form that the form's other answers decide. */
  readonly implies?: readonly Implied[];
  /** Fields that the server sets after the step, such as the state of a zip code. */
  readonly finds?: readonly AskedFieldName[];
  /** True if the page requests the lead's ingest account during this step. */
  readonly mapsLead?: true;
  readonly sets?: Choice;
  readonly stage?: Stage;
  /** The percentage that the progress area shows. Default: as at the previous step. */
  readonly progress?: number;
  /** True if the page posts the lead when the visitor leaves this step. */
  readonly submits?: true;
  /** The possible next steps, in order. Empty if the step submits or ends the flow. */
  readonly next: readonly Edge<Name>[];
  readonly ends?: true;
};

/** A third-party script that a flow may load (docs/specification.md#scripts-of-third-parties). */
export type ScriptName = 'pixel' | 'caseWorth' | 'ticket' | 'adPixel';

/** A third-party script and the conditions for loading it. All conditions must be true. */
export type ScriptRule<Name extends string = string> = {
  readonly script: ScriptName;
  readonly at?: Name;
  /** The step after which the page loads the script, if the visitor's answers include `answer`. */
  readonly after?: Name;
  readonly answer?: Choice;
  /** The affiliate whose visitors load the script. Default: visitors of every affiliate. */
  readonly affid?: string;
};

/** A survey flow. Plain data, because page, server and tests read it. */
export type Flow<Name extends string = string> = {
  readonly id: string;
  /** `stages`: the progress area shows stages with labels. `percent`: it shows a percentage. */
  readonly progress: 'stages' | 'percent';
  readonly start: Name;
  readonly steps: Readonly<Record<Name, Step<Name>>>;
  readonly rules?: FlowRules;
  readonly submit?: SubmitRules;
  readonly scripts?: readonly ScriptRule<Name>[];
};

/** A step as a flow declares it. Without `next`, the next step is the step declared below. */
export type DeclaredStep<Name extends string = string> = Omit<Step<Name>, 'next'> &
  Partial<Pick<Step<Name>, 'next'>>;

/** Declares a flow that starts at its first step. `check()` in test-support/ finds mistakes. */
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

/** Removes steps and conditional edges to them. Redirects other edges to the steps that follow. */
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

export function edgeTarget(edge: Edge): string {
  return typeof edge === 'string' ? edge : edge.to;
}

/** Returns whether the flow has only one screen. */
export function hasOneScreen(flow: Flow): boolean {
  return stepOf(flow, flow.start).submits === true;
}

/** Returns an edge with conditions: `when('isInjured', 'DidYouReceiveMedicalTreatment')`. */
export function when<const Name extends string>(
  conditions: ConditionName | readonly ConditionName[],
  to: Name,
): { readonly when: readonly ConditionName[]; readonly to: Name } {
  return { when: typeof conditions === 'string' ? [conditions] : conditions, to };
}

/** Returns the named step. @throws for an unknown name */
export function stepOf(flow: Flow, name: string): Step {
  const step = flow.steps[name];
  if (!step) throw new Error(`flow ${flow.id} has no step ${name}`);
  return step;
}

/** Returns the name and value of the choice's button, which is the choice's first answer. */
export function buttonOf(choice: Choice): [name: AskedFieldName, value: string] {
  return Object.entries(choice)[0] as [AskedFieldName, string];
}

/** Returns the choice whose answers were all given. Prefers the choice with the most answers. */
export function chosenOf({ choices = [] }: Step, answers: Answers): Choice | undefined {
  const size = (choice: Choice) => Object.keys(choice).length;
  return choices
    .filter((choice) => matches(choice, answers))
    .sort((one, other) => size(other) - size(one))[0];
}

function matches(choice: Choice, answers: Answers): boolean {
  return (Object.keys(choice) as AskedFieldName[]).every(
    (field) => answers[field] === choice[field],
  );
}

/** Returns the answers that the step's `implies` adds to the given answers. */
export function impliedBy(step: Step, answers: Answers): Answers {
  const implied = (step.implies ?? []).filter(({ when }) => matches(when, answers));
  return Object.fromEntries(implied.map(({ field, value }) => [field, value]));
}

const fieldsByStep = new WeakMap<Step, readonly AskedFieldName[]>();

/** Returns all fields that the step can set. */
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

/** Returns the step's fields that are inputs, not buttons. */
export function inputFields(step: Step): AskedFieldName[] {
  return [...(step.asks ?? []), ...(step.optional ?? [])];
}

/** Suffix of a copied step. For example, `HasLawyerVW3` has the texts of `HasLawyer`. */
const copySuffix = /(VW3|TikTok)$/;

/** Returns a step's texts: for this flow, else for any flow, else for the step that it copies. */
export function stepWords<Words>(
  steps: Readonly<Record<string, Words | undefined>>,
  flowId: string,
  name: string,
): Words | undefined {
  return steps[`${flowId}/${name}`] ?? steps[name] ?? steps[name.replace(copySuffix, '')];
}
