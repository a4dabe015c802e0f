import * as v from 'valibot';
import { languages } from '../../model/fields/language.ts';
import { logoNames, progressStyles, themeNames } from '../../model/fields/look.ts';
import { base, flowLoaders, type Survey } from '../../model/flows/surveys.ts';

type Switches<Row> = {
  [Name in keyof Row as Row[Name] extends boolean ? Name : never]: v.BooleanSchema<undefined>;
};

/** Returns the schemas of a row's columns that are true or false, each optional. */
function switchesOf<Row extends object>(row: Row) {
  const names = Object.keys(row).filter((name) => typeof row[name as keyof Row] === 'boolean');
  return v.partial(v.object(v.entriesFromList(names, v.boolean()) as Switches<Row>)).entries;
}

const id = v.pipe(v.number(), v.integer(), v.minValue(0));

const buyers = v.array(
  v.strictObject({
    name: v.pipe(v.string(), v.regex(/^[^|]{1,120}$/)),
    ids: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))), v.minLength(1)),
  }),
);

/** Returns the schema of the columns of a survey's row that can be overridden: all but its key, `path`. */
const changesOf = (thankYouPages: readonly string[], destinations: readonly string[]) =>
  v.partial(
    v.strictObject({
      flow: v.picklist(Object.keys(flowLoaders) as (keyof typeof flowLoaders)[]),
      language: v.picklist(languages),
      offerId: id,
      affiliateId: id,
      translation: v.string(),
      thankYouPath: v.picklist(thankYouPages),
      theme: v.picklist(themeNames),
      logo: v.picklist(logoNames),
      progress: v.picklist(progressStyles),
      toggles: v.strictObject(switchesOf(base.toggles)),
      ...switchesOf(base),
      startsWithCaseWorth: v.boolean(),
      destinations: v.array(v.picklist(destinations)),
      buyers: v.union([v.literal('fetched'), v.pipe(buyers, v.minLength(1))]),
    } satisfies Record<Exclude<keyof Survey, 'path'>, v.GenericSchema>),
  );

/** The only flow that shows buyers and their consent text. With any other flow all leads would be held. */
const FLOW_WITH_BUYERS: Survey['flow'] = 'one-to-one';

/** Flows without SMS verification: the three-step form always sends `sms_verified` no, benefits asks no number. */
const flowsWithoutVerification: readonly Survey['flow'][] = ['three-step', 'benefits'];

type Changes = v.InferOutput<ReturnType<typeof changesOf>>;

/**
 * Returns the survey table with the operator's overrides (setting SURVEY_OVERRIDES).
 * @param there the existing destinations, and whether there is a buyers service
 * @param problems receives a sentence for each error; with any, the table is returned as it was
 */
export function overrideSurveys(
  table: readonly Survey[],
  overrides: Readonly<Record<string, unknown>>,
  there: { readonly destinations: readonly string[]; readonly hasBuyersService: boolean },
  problems: string[],
): readonly Survey[] {
  const before = problems.length;
  const say = (path: string, sentence: string) =>
    problems.push(`SURVEY_OVERRIDES: "${path}" ${sentence}`);
  const changed = new Map<string, Changes>();
  const thankYouPages = new Set(table.map(({ thankYouPath }) => thankYouPath));
  const changes = changesOf([...thankYouPages], there.destinations);
  for (const [path, given] of Object.entries(overrides)) {
    const result = v.safeParse(changes, given);
    if (!table.some((survey) => survey.path === path)) {
      problems.push(
        `SURVEY_OVERRIDES: there is no survey "${path}"; surveys are ${table.map((each) => each.path).join(', ')}`,
      );
    } else if (result.success) {
      changed.set(path, result.output);
    }
    for (const issue of result.issues ?? []) {
      const column = v.getDotPath(issue) ?? '';
      if (issue.expected === 'never') say(path, `has no column "${column}"`);
      else say(path, `column "${column}" is ${issue.received}; expected ${issue.expected}`);
    }
  }
  const surveys = table.map((survey) => {
    const own = changed.get(survey.path);
    if (own === undefined) return survey;
    return { ...survey, ...own, toggles: { ...survey.toggles, ...own.toggles } };
  });
  for (const { path, language, translation, flow, buyers, verifiesPhone } of surveys) {
    const other = surveys.find((survey) => survey.path === translation);
    if (translation !== undefined && (other === undefined || other.language === language)) {
      say(path, `has no survey in the other language at "${translation}"`);
    }
    if (buyers !== undefined && flow !== FLOW_WITH_BUYERS) {
      const only = `only "${FLOW_WITH_BUYERS}" does`;
      say(path, `has buyers, but its flow "${flow}" does not show them; ${only}`);
    }
    if (changed.get(path)?.buyers === 'fetched' && !there.hasBuyersService) {
      say(path, 'has buyers "fetched", but there is no buyers service: set BUYERS_URL');
    }
    if (verifiesPhone && flowsWithoutVerification.includes(flow)) {
      const why = 'asks for none, or always sends them as unverified';
      say(path, `cannot verify phone numbers: its flow "${flow}" ${why}`);
    }
  }
  return problems.length > before ? table : surveys;
}
