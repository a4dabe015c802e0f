import type { Answers, AskedFieldName } from '../../fields/answers.ts';
import type { FlowRules } from '../../rules/derive-fields.ts';
import type { ConditionName } from '../../rules/facts.ts';
import type { SubmitRules } from '../../rules/submit-rules.ts';

/** The labels of the stages in the progress area. */
export const stages = ['accident', 'injuries', 'case', 'contact'] as const;
export type Stage = (typeof stages)[number];

/** The kind of screen that displays a step. */
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

/** The answers that the visitor gives by pressing one button. */
export type Choice = Readonly<Partial<Record<AskedFieldName, string>>>;

/** A rule that answers `field` with `value` if the visitor gave the answers `when`. */
type Implied = {
  readonly when: Choice;
  readonly field: AskedFieldName;
  readonly value: string;
};

/** A possible next step, with conditions. */
export type Edge<Name extends string = string> =
  | Name
  | { readonly when: readonly ConditionName[]; readonly to: Name };

/** A step of a flow. `Name` is the type of the flow's step names. */
export type Step<Name extends string = string> = {
  readonly kind: ScreenKind;
  readonly choices?: readonly Choice[];
  /** The fields that the step requires, without the fields of `choices`. */
  readonly asks?: readonly AskedFieldName[];
  readonly optional?: readonly AskedFieldName[];
  /** Fields whose values follow from other answers of the same form. */
  readonly implies?: readonly Implied[];
  /** Fields that the server derives from the step's answers, such as the state of a zip code. */
  readonly finds?: readonly AskedFieldName[];
  readonly mapsLead?: true;
  readonly sets?: Choice;
  readonly stage?: Stage;
  /** The percentage that the progress area shows. */
  readonly progress?: number;
  /** True if the page posts the lead after this step. */
  readonly submits?: true;
  /** The possible next steps. The first edge with true conditions leads to the next step. */
  readonly next: readonly Edge<Name>[];
  readonly ends?: true;
};

/** A third-party script of a flow (docs/specification.md#scripts-of-third-parties). */
export type ScriptName = 'pixel' | 'caseWorth' | 'ticket' | 'adPixel';

/** A third-party script with the conditions under which a page loads the script. */
export type ScriptRule<Name extends string = string> = {
  readonly script: ScriptName;
  readonly at?: Name;
  /** The page loads the script after this step. */
  readonly after?: Name;
  readonly answer?: Choice;
  /** Only visitors from this affiliate load the script. */
  readonly affid?: string;
};

/** A survey flow, as plain data. */
export type Flow<Name extends string = string> = {
  readonly id: string;
  /** The style of the progress area: labelled stages or a percentage. */
  readonly progress: 'stages' | 'percent';
  readonly start: Name;
  readonly steps: Readonly<Record<Name, Step<Name>>>;
  readonly rules?: FlowRules;
  readonly submit?: SubmitRules;
  readonly scripts?: readonly ScriptRule<Name>[];
};

/** A step in the declaration of a flow. Without `next`, the step below comes next. */
export type DeclaredStep<Name extends string = string> = Omit<Step<Name>, 'next'> &
  Partial<Pick<Step<Name>, 'next'>>;

/** Declares a flow. The first step is the start of the flow. */
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

/** Returns the steps of a flow without the named steps. */
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

/** Returns an edge with conditions. */
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

/** Returns the name and the value of the button for a choice. */
export function buttonOf(choice: Choice): [name: AskedFieldName, value: string] {
  return Object.entries(choice)[0] as [AskedFieldName, string];
}

/** Returns the choice that matches the visitor's answers. */
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

/** Returns the further answers that follow from the visitor's answers to the step. */
export function impliedBy(step: Step, answers: Answers): Answers {
  const implied = (step.implies ?? []).filter(({ when }) => matches(when, answers));
  return Object.fromEntries(implied.map(({ field, value }) => [field, value]));
}

const fieldsByStep = new WeakMap<Step, readonly AskedFieldName[]>();

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

/** Returns the required and the optional fields of a step. */
export function inputFields(step: Step): AskedFieldName[] {
  return [...(step.asks ?? []), ...(step.optional ?? [])];
}

/** Matches the suffix of copied steps. The copy `HasLawyerVW3` has the texts of `HasLawyer`. */
const copySuffix = /(VW3|TikTok)$/;

/** Returns the texts of a step in a flow. */
export function stepWords<Words>(
  steps: Readonly<Record<string, Words | undefined>>,
  flowId: string,
  name: string,
): Words | undefined {
  return steps[`${flowId}/${name}`] ?? steps[name] ?? steps[name.replace(copySuffix, '')];
}
