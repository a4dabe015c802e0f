import * as v from 'valibot';
import { isLeadField } from '../../model/fields/lead-fields.ts';
import {
  assignmentsOn,
  type Experiment,
  experiments,
  MOST_VARIANTS,
} from '../../model/flows/experiments.ts';
import type { Survey } from '../../model/flows/surveys.ts';

const runs = v.strictObject({
  surveys: v.array(v.string()),
  weights: v.optional(v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0)))),
  sentAs: v.optional(v.pipe(v.string(), v.regex(/^[a-z]\w{0,63}$/))),
});

/**
 * Applies the setting EXPERIMENTS, which maps an experiment's id to its surveys, weights and
 * outgoing field.
 *
 * @param problems receives a sentence for each error
 */
export function runExperiments(
  given: Readonly<Record<string, unknown>>,
  surveys: readonly Survey[],
  problems: string[],
): readonly Experiment[] {
  const say = (id: string, sentence: string) => problems.push(`EXPERIMENTS: "${id}" ${sentence}`);
  const paths = new Set(surveys.map(({ path }) => path));
  const set = experiments.map((experiment): Experiment => {
    const { id, variants } = experiment;
    if (!Object.hasOwn(given, id)) return experiment;
    const result = v.safeParse(runs, given[id]);
    if (!result.success) {
      say(id, 'has to be {"surveys":[…],"weights":{…},"sentAs":"…"}; the last two are optional');
      return experiment;
    }
    const { surveys: on, weights = {}, sentAs } = result.output;
    for (const path of on) if (!paths.has(path)) say(id, `names no survey with "${path}"`);
    for (const name of Object.keys(weights)) {
      if (!Object.hasOwn(variants, name)) say(id, `has no variant "${name}"`);
    }
    if (sentAs !== undefined && isLeadField(sentAs)) say(id, `may not be sent as "${sentAs}"`);
    const weighted = Object.entries(variants).map(
      ([name, variant]) => [name, { ...variant, weight: weights[name] ?? variant.weight }] as const,
    );
    return {
      ...experiment,
      surveys: on,
      variants: Object.fromEntries(weighted),
      ...(sentAs !== undefined && { sentAs }),
    };
  });
  for (const id of Object.keys(given)) {
    if (!experiments.some((each) => each.id === id)) {
      say(id, `does not exist; there are ${experiments.map((each) => each.id).join(', ')}`);
    }
  }
  for (const path of paths) {
    const count = assignmentsOn(path, set).length;
    if (count > MOST_VARIANTS) {
      problems.push(`EXPERIMENTS: ${path} has ${count} variants, more than ${MOST_VARIANTS}`);
    }
  }
  return set;
}
