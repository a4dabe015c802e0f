import { logoNames, progressStyles, themeNames } from '../fields/look.ts';
import type { Survey, Toggles } from './surveys.ts';

type VariantChanges = Partial<Pick<Survey, 'theme' | 'logo' | 'progress'>> & {
  readonly toggles?: Partial<Omit<Toggles, 'combinedLastStep'>>;
};

export type Variant = {
  readonly changes: VariantChanges;
  /** Relative frequency of the variant. The weight 0 disables the variant. */
  readonly weight: number;
};

export type Experiment = {
  readonly id: string;
  readonly surveys: readonly string[];
  /** The variants by name. The first variant changes nothing. */
  readonly variants: Readonly<Record<string, Variant>>;
};

/** Returns an experiment whose variants change one value. Only the variants in `usual` are drawn. */
const values = <Name extends string>(
  id: string,
  names: readonly Name[],
  usual: readonly Name[],
  changesTo: (name: Name) => VariantChanges,
): Experiment => {
  const variants = names.map((name): [string, Variant] => [
    name,
    { changes: changesTo(name), weight: Number(usual.includes(name)) },
  ]);
  const plain: Variant = { changes: {}, weight: 1 };
  return { id, surveys: [], variants: { plain, ...Object.fromEntries(variants) } };
};

const toggle = (id: string, name: string, toggles: Partial<Toggles>): Experiment =>
  values(id, [name], [name], () => ({ toggles }));

/** All experiments (docs/design.md#experiments). */
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

/** Maximum number of variants of a page. The server renders each of them. */
export const MOST_VARIANTS = 16;

/** Returns the experiments of a survey that have at least two enabled variants. */
export function runningOn(path: string, all: readonly Experiment[]): Experiment[] {
  return all.filter(
    ({ surveys, variants }) =>
      surveys.includes(path) &&
      Object.values(variants).filter(({ weight }) => weight > 0).length > 1,
  );
}

/** The visitor's variants, by experiment id. */
type Assignment = Readonly<Record<string, string>>;

/** Returns all combinations of the variants that a survey can have. */
export function assignmentsOn(path: string, all: readonly Experiment[]): Assignment[] {
  return runningOn(path, all).reduce<Assignment[]>(
    (assignments, { id, variants }) =>
      Object.entries(variants)
        .filter(([, { weight }]) => weight > 0)
        .flatMap(([name]) => assignments.map((each) => ({ ...each, [id]: name }))),
    [{}],
  );
}

/** Encodes an assignment as sorted text, such as `buttons.rounded~theme.plain`. */
export function assignmentText(assignment: Assignment): string {
  return Object.entries(assignment)
    .map(([id, name]) => `${id}.${name}`)
    .sort()
    .join('~');
}

/** Decodes a text of `assignmentText`. */
export function readAssignment(text: string, all: readonly Experiment[]): Assignment {
  const assignment: Record<string, string> = {};
  for (const part of text.split('~')) {
    const [id = '', name = ''] = part.split('.');
    const experiment = all.find((each) => each.id === id);
    if (experiment && Object.hasOwn(experiment.variants, name)) assignment[id] = name;
  }
  return assignment;
}

/** Assigns variants to a visitor of a survey. */
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

/** Returns the survey with the changes of the visitor's variants. */
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
