/** Reads and applies the settings SURVEY_OVERRIDES and EXPERIMENTS. */
import * as v from 'valibot';
import {
  assignmentsOn,
  type Experiment,
  experiments,
  MOST_VARIANTS,
} from '../../model/flows/experiments.ts';
import { type Survey, surveyColumns, surveys } from '../../model/flows/surveys.ts';

const paths = surveys.map(({ path }) => path);
const thankYouPages = new Set(surveys.map(({ thankYouPath }) => thankYouPath));

/** The schema of SURVEY_OVERRIDES: by path, any columns of a survey except `path`. */
export const surveyOverrides = v.record(
  v.picklist(paths),
  v.partial(
    v.strictObject({
      ...surveyColumns.entries,
      thankYouPath: v.picklist([...thankYouPages]),
      toggles: v.partial(surveyColumns.entries.toggles),
    }),
  ),
);

/** The only flow whose consent text names buyers. */
const FLOW_WITH_BUYERS: Survey['flow'] = 'one-to-one';

/** Flows that send no SMS codes. */
const flowsWithoutVerification: readonly Survey['flow'][] = ['three-step', 'benefits'];

/** Returns the surveys with the changes of SURVEY_OVERRIDES. Adds a sentence to `problems` for each error. */
export function overrideSurveys(
  overrides: v.InferOutput<typeof surveyOverrides>,
  there: { readonly destinations: readonly string[]; readonly hasBuyersService: boolean },
  problems: string[],
): readonly Survey[] {
  const changed = surveys.map((survey) => {
    const own = overrides[survey.path];
    return own ? { ...survey, ...own, toggles: { ...survey.toggles, ...own.toggles } } : survey;
  });
  for (const { path, language, translation, flow, buyers, verifiesPhone, ...more } of changed) {
    const report = (sentence: string) => problems.push(`SURVEY_OVERRIDES: "${path}" ${sentence}`);
    const other = changed.find((survey) => survey.path === translation);
    if (translation !== undefined && (other === undefined || other.language === language)) {
      report(`has no survey in the other language at "${translation}"`);
    }
    for (const name of more.destinations ?? []) {
      if (!there.destinations.includes(name)) report(`names no destination with "${name}"`);
    }
    if (buyers !== undefined && flow !== FLOW_WITH_BUYERS) {
      const only = `only "${FLOW_WITH_BUYERS}" does`;
      report(`has buyers, but its flow "${flow}" does not show them; ${only}`);
    }
    if (overrides[path]?.buyers === 'fetched' && !there.hasBuyersService) {
      report('has buyers "fetched", but there is no buyers service: set BUYERS_URL');
    }
    if (verifiesPhone && flowsWithoutVerification.includes(flow)) {
      const why = 'asks for none, or always sends them as unverified';
      report(`cannot verify phone numbers: its flow "${flow}" ${why}`);
    }
  }
  return changed;
}

const weight = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The schema of EXPERIMENTS: by id, where an experiment runs. */
export const experimentChanges = v.strictObject(
  Object.fromEntries(
    experiments.map(({ id, variants }) => {
      const run = v.strictObject({
        surveys: v.array(v.picklist(paths)),
        weights: v.optional(v.record(v.picklist(Object.keys(variants)), weight), {}),
      });
      return [id, v.optional(run)];
    }),
  ),
);

/** Returns the experiments with the changes of EXPERIMENTS. Adds a sentence to `problems` for each error. */
export function runExperiments(
  given: v.InferOutput<typeof experimentChanges>,
  problems: string[],
): readonly Experiment[] {
  const running = experiments.map((experiment): Experiment => {
    const { weights, ...changes } = given[experiment.id] ?? {};
    const variants = Object.entries(experiment.variants).map(([name, variant]) => [
      name,
      { ...variant, weight: weights?.[name] ?? variant.weight },
    ]);
    return { ...experiment, ...changes, variants: Object.fromEntries(variants) };
  });
  for (const path of paths) {
    const count = assignmentsOn(path, running).length;
    if (count <= MOST_VARIANTS) continue;
    problems.push(`EXPERIMENTS: ${path} has ${count} variants, more than ${MOST_VARIANTS}`);
  }
  return running;
}
