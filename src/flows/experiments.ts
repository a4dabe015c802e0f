/**
 * The experiments (docs/decisions/0035-experiments.md): what of a survey's look may differ
 * from visitor to visitor. Plain data; the setting EXPERIMENTS says which of them run, where and how often.
 */
import { logoNames, progressStyles, themeNames } from '../domain/look.ts';
import type { Survey, Toggles } from './surveys.ts';

/** What a variant changes of a survey's row: its look alone, never its questions. */
export type VariantChanges = Partial<Pick<Survey, 'theme' | 'logo' | 'progress'>> & {
  readonly toggles?: Partial<Omit<Toggles, 'combinedLastStep'>>;
};

export type Variant = {
  readonly changes: VariantChanges;
  /** How often it is drawn, among the weights of its experiment; 0: never. */
  readonly weight: number;
};

export type Experiment = {
  readonly id: string;
  /** The paths of the surveys that it runs on; none: it does not run. */
  readonly surveys: readonly string[];
  /** By name; the first is how the row says it. */
  readonly variants: Readonly<Record<string, Variant>>;
  /** The lead's outward field that says the variant; not said: it is not sent. */
  readonly sentAs?: string;
};

const half = (changes: VariantChanges): Variant => ({ changes, weight: 1 });
const asRow = half({});
const toggle = (id: string, name: string, toggles: VariantChanges['toggles'] = {}): Experiment => ({
  id,
  surveys: [],
  variants: { plain: asRow, [name]: half({ toggles }) },
});

/** One variant for each value; those that are not `usual` are drawn only where the setting weighs them. */
const values = <Name extends string>(
  id: string,
  names: readonly Name[],
  usual: readonly Name[],
  changesTo: (name: Name) => VariantChanges,
): Experiment => {
  const variants = names.map((name): [string, Variant] => [
    name,
    { changes: changesTo(name), weight: usual.includes(name) ? 1 : 0 },
  ]);
  return { id, surveys: [], variants: { plain: asRow, ...Object.fromEntries(variants) } };
};

/** Every experiment that there is; none runs by itself. */
export const experiments: readonly Experiment[] = [
  toggle('buttons', 'rounded', { roundedButtons: true }),
  toggle('first-header', 'none', { firstQuestionHeader: false }),
  toggle('last-header', 'none', { lastStepHeader: false }),
  toggle('percent-sign', 'hidden', { hidePercentSign: true }),
  toggle('privacy-guarantee', 'hidden', { hidePrivacyGuarantee: true }),
  toggle('social-proof', 'shown', { socialProof: true }),
  values('theme', themeNames, ['harbor', 'paper'], (theme) => ({ theme })),
  values('logo', logoNames, ['arch', 'word'], (logo) => ({ logo })),
  values('progress', progressStyles, ['bar', 'dots'], (progress) => ({ progress })),
];

/** Variants of one page at most: each is rendered and kept whole. Enough for all themes at once. */
export const MOST_VARIANTS = 16;

/** The experiments that run on a survey: those of which more than one variant can be drawn. */
export function runningOn(path: string, all: readonly Experiment[]): Experiment[] {
  return all.filter(
    ({ surveys, variants }) =>
      surveys.includes(path) &&
      Object.values(variants).filter(({ weight }) => weight > 0).length > 1,
  );
}

/** Which variant of each experiment, by the experiment's id. */
export type Assignment = Readonly<Record<string, string>>;

/** Returns every assignment that a visitor of a survey can be drawn: one without a variant where none runs. */
export function assignmentsOn(path: string, all: readonly Experiment[]): Assignment[] {
  return runningOn(path, all).reduce<Assignment[]>(
    (assignments, { id, variants }) =>
      Object.entries(variants)
        .filter(([, { weight }]) => weight > 0)
        .flatMap(([name]) => assignments.map((each) => ({ ...each, [id]: name }))),
    [{}],
  );
}

/** As it is kept in the cookie, on steps and on leads: `buttons.rounded~theme.plain`, in a fixed order. */
export function assignmentText(assignment: Assignment): string {
  return Object.entries(assignment)
    .map(([id, name]) => `${id}.${name}`)
    .sort()
    .join('~');
}

/** Reads such a text; what is no experiment or no variant of it is left out. */
export function readAssignment(text: string, all: readonly Experiment[]): Assignment {
  const assignment: Record<string, string> = {};
  for (const part of text.split('~')) {
    const [id = '', name = ''] = part.split('.');
    const experiment = all.find((each) => each.id === id);
    if (experiment && Object.hasOwn(experiment.variants, name)) assignment[id] = name;
  }
  return assignment;
}

/**
 * The variants that a visitor sees on a survey: those that they have, of others one drawn by weight. One that
 * is no longer drawn is drawn anew.
 * @param random from 0 to below 1
 */
export function assign(
  path: string,
  had: Assignment,
  all: readonly Experiment[],
  random: () => number,
): Assignment {
  return Object.fromEntries(
    runningOn(path, all).map(({ id, variants }) => {
      const kept = had[id];
      if (kept !== undefined && (variants[kept]?.weight ?? 0) > 0) return [id, kept];
      const open = Object.entries(variants).filter(([, { weight }]) => weight > 0);
      let at = random() * open.reduce((sum, [, { weight }]) => sum + weight, 0);
      const drawn = open.find(([, { weight }]) => {
        at -= weight;
        return at < 0;
      });
      return [id, (drawn ?? open[0])?.[0] ?? ''];
    }),
  );
}

/** A survey's row as the visitor's variants have it. */
export function withVariants(
  survey: Survey,
  assignment: Assignment,
  all: readonly Experiment[],
): Survey {
  let changed = survey;
  for (const { id, variants } of all) {
    const changes = variants[assignment[id] ?? '']?.changes;
    if (!changes) continue;
    changed = { ...changed, ...changes, toggles: { ...changed.toggles, ...changes.toggles } };
  }
  return changed;
}

/** What of a browser's variants goes out with its lead: those of experiments that say as what. */
export function variantFields(
  text: string,
  all: readonly Experiment[],
): Readonly<Record<string, string>> {
  const seen = readAssignment(text, all);
  return Object.fromEntries(
    all.flatMap(({ id, sentAs }) => {
      const name = seen[id];
      return sentAs !== undefined && name !== undefined ? [[sentAs, name]] : [];
    }),
  );
}
