/** Applies the settings SURVEY_OVERRIDES and EXPERIMENTS. */
import * as v from 'valibot';
import { isLeadField } from '../../model/fields/lead-fields.ts';
import {
  assignmentsOn,
  type Experiment,
  experiments,
  MOST_VARIANTS,
} from '../../model/flows/experiments.ts';
import { type Survey, surveyColumns } from '../../model/flows/surveys.ts';

type Given = Readonly<Record<string, unknown>>;

const id = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Returns the schema of an override: any columns of a survey except `path`. */
const changesOf = (thankYouPages: readonly string[], destinations: readonly string[]) =>
  v.partial(
    v.strictObject({
      ...surveyColumns.entries,
      thankYouPath: v.picklist(thankYouPages),
      toggles: v.partial(surveyColumns.entries.toggles),
      destinations: v.array(v.picklist(destinations)),
    }),
  );

/** The only flow whose consent text names buyers. */
const FLOW_WITH_BUYERS: Survey['flow'] = 'one-to-one';

/** Flows that send no SMS codes. */
const flowsWithoutVerification: readonly Survey['flow'][] = ['three-step', 'benefits'];

type Changes = v.InferOutput<ReturnType<typeof changesOf>>;

/** Returns the survey table with the changes of SURVEY_OVERRIDES, or unchanged after an error. */
export function overrideSurveys(
  table: readonly Survey[],
  overrides: Given,
  there: { readonly destinations: readonly string[]; readonly hasBuyersService: boolean },
  problems: string[],
): readonly Survey[] {
  const before = problems.length;
  const report = (path: string, sentence: string) =>
    problems.push(`SURVEY_OVERRIDES: "${path}" ${sentence}`);
  const changed = new Map<string, Changes>();
  const thankYouPages = new Set(table.map(({ thankYouPath }) => thankYouPath));
  const changes = changesOf([...thankYouPages], there.destinations);
  for (const [path, given] of Object.entries(overrides)) {
    const result = v.safeParse(changes, given);
    if (!table.some((survey) => survey.path === path)) {
      const paths = table.map((survey) => survey.path).join(', ');
      problems.push(`SURVEY_OVERRIDES: there is no survey "${path}"; surveys are ${paths}`);
    } else if (result.success) {
      changed.set(path, result.output);
    }
    for (const issue of result.issues ?? []) {
      const column = v.getDotPath(issue) ?? '';
      if (issue.expected === 'never') report(path, `has no column "${column}"`);
      else {
        // Issues of our own checks have a message instead of an expected value.
        const expected = issue.expected === null ? issue.message : issue.expected;
        report(path, `column "${column}" is ${issue.received}; expected ${expected}`);
      }
    }
  }
  const surveys = table.map((survey) => {
    const own = changed.get(survey.path);
    return own ? { ...survey, ...own, toggles: { ...survey.toggles, ...own.toggles } } : survey;
  });
  for (const { path, language, translation, flow, buyers, verifiesPhone } of surveys) {
    const other = surveys.find((survey) => survey.path === translation);
    if (translation !== undefined && (other === undefined || other.language === language)) {
      report(path, `has no survey in the other language at "${translation}"`);
    }
    if (buyers !== undefined && flow !== FLOW_WITH_BUYERS) {
      const only = `only "${FLOW_WITH_BUYERS}" does`;
      report(path, `has buyers, but its flow "${flow}" does not show them; ${only}`);
    }
    if (changed.get(path)?.buyers === 'fetched' && !there.hasBuyersService) {
      report(path, 'has buyers "fetched", but there is no buyers service: set BUYERS_URL');
    }
    if (verifiesPhone && flowsWithoutVerification.includes(flow)) {
      const why = 'asks for none, or always sends them as unverified';
      report(path, `cannot verify phone numbers: its flow "${flow}" ${why}`);
    }
  }
  return problems.length > before ? table : surveys;
}

const run = v.strictObject({
  surveys: v.array(v.string()),
  weights: v.optional(v.record(v.string(), id), {}),
  sentAs: v.optional(v.pipe(v.string(), v.regex(/^[a-z]\w{0,63}$/))),
});

/** Applies the setting EXPERIMENTS. Adds a sentence to `problems` for each error. */
export function runExperiments(
  given: Given,
  surveys: readonly Survey[],
  problems: string[],
): readonly Experiment[] {
  const report = (subject: string, sentence: string) =>
    problems.push(`EXPERIMENTS: ${subject} ${sentence}`);
  const paths = surveys.map(({ path }) => path);
  const running = experiments.map((experiment): Experiment => {
    const { id: name, variants } = experiment;
    if (!Object.hasOwn(given, name)) return experiment;
    const { success, output } = v.safeParse(run, given[name]);
    if (!success) {
      const form = '{"surveys":[…],"weights":{…},"sentAs":"…"}; the last two are optional';
      report(`"${name}"`, `has to be ${form}`);
      return experiment;
    }
    const { surveys: on, weights, sentAs } = output;
    for (const path of on) {
      if (!paths.includes(path)) report(`"${name}"`, `names no survey with "${path}"`);
    }
    for (const variant of Object.keys(weights)) {
      if (!Object.hasOwn(variants, variant)) report(`"${name}"`, `has no variant "${variant}"`);
    }
    if (sentAs && isLeadField(sentAs)) report(`"${name}"`, `may not be sent as "${sentAs}"`);
    const weighted = Object.entries(variants).map(
      ([key, variant]) => [key, { ...variant, weight: weights[key] ?? variant.weight }] as const,
    );
    const changed = { ...experiment, surveys: on, variants: Object.fromEntries(weighted) };
    return sentAs === undefined ? changed : { ...changed, sentAs };
  });
  const names = experiments.map((each) => each.id);
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) report(`"${name}"`, `does not exist; there are ${names.join(', ')}`);
  }
  for (const path of paths) {
    const count = assignmentsOn(path, running).length;
    if (count > MOST_VARIANTS) report(path, `has ${count} variants, more than ${MOST_VARIANTS}`);
  }
  return running;
}
