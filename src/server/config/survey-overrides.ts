import * as v from 'valibot';
import { languages } from '../../domain/language.ts';
import { logoNames, progressStyles, themeNames } from '../../domain/look.ts';
import { flowLoaders, type Survey } from '../../flows/surveys.ts';

const id = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The columns of a survey's row that can be overridden: all but its key, `path`. */
const changes = v.strictObject(
  v.entriesFromObjects([
    v.partial(
      v.object({
        flow: v.picklist(Object.keys(flowLoaders) as (keyof typeof flowLoaders)[]),
        language: v.picklist(languages),
        offerId: id,
        affiliateId: id,
        translation: v.string(),
        thankYouPath: v.string(),
        theme: v.picklist(themeNames),
        logo: v.picklist(logoNames),
        progress: v.picklist(progressStyles),
        toggles: v.partial(
          v.strictObject({
            roundedButtons: v.boolean(),
            firstQuestionHeader: v.boolean(),
            lastStepHeader: v.boolean(),
            hidePercentSign: v.boolean(),
            hidePrivacyGuarantee: v.boolean(),
            socialProof: v.boolean(),
            combinedLastStep: v.boolean(),
          } satisfies Record<keyof Survey['toggles'], v.GenericSchema>),
        ),
        startsWithCaseWorth: v.boolean(),
        confirmsLawyer: v.boolean(),
        skipsLawyerFunding: v.boolean(),
        asksTimeframe: v.boolean(),
        asksZipAlone: v.boolean(),
        opensPartnerTab: v.boolean(),
        thankYouReason: v.boolean(),
        redirectsOnSuccess: v.boolean(),
        removesLawyerReason: v.boolean(),
        verifiesPhone: v.boolean(),
        deliversToIngest: v.boolean(),
        destinations: v.array(v.string()),
        buyers: v.union([
          v.literal('fetched'),
          v.pipe(
            v.array(
              v.strictObject({
                name: v.pipe(v.string(), v.regex(/^[^|]{1,120}$/)),
                ids: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))), v.minLength(1)),
              }),
            ),
            v.minLength(1),
          ),
        ]),
      } satisfies Record<Exclude<keyof Survey, 'path'>, v.GenericSchema>),
    ),
  ]),
);

/** The only flow that shows buyers and their consent text. With any other flow all leads would be held. */
const FLOW_WITH_BUYERS: Survey['flow'] = 'one-to-one';

/** Flows without SMS verification: the three-step form always sends `sms_verified` no, benefits asks no number. */
const flowsWithoutVerification: readonly Survey['flow'][] = ['three-step', 'benefits'];

type Changes = v.InferOutput<typeof changes>;

/** Returns sentences about destinations, thank-you pages or services that a row names but that don't exist. */
function whatIsMissing(
  { destinations = [], thankYouPath, buyers }: Changes,
  thankYouPages: readonly string[],
  there: { readonly destinations: readonly string[]; readonly hasBuyersService: boolean },
): string[] {
  const unknown = destinations.filter((name) => !there.destinations.includes(name));
  const sentences = unknown.map(
    (name) => `has no destination "${name}"; there are ${there.destinations.join(', ')}`,
  );
  if (thankYouPath !== undefined && !thankYouPages.includes(thankYouPath)) {
    sentences.push(
      `has no thank-you page "${thankYouPath}"; there are ${thankYouPages.join(', ')}`,
    );
  }
  if (buyers === 'fetched' && !there.hasBuyersService) {
    sentences.push('has buyers "fetched", but there is no buyers service: set BUYERS_URL');
  }
  return sentences;
}

/**
 * Applies the operator's overrides (setting SURVEY_OVERRIDES) to the survey table.
 * @param there the existing destinations, and whether there is a buyers service
 * @returns the merged table, or sentences about what is wrong
 */
export function overrideSurveys(
  table: readonly Survey[],
  overrides: Readonly<Record<string, unknown>>,
  there: { readonly destinations: readonly string[]; readonly hasBuyersService: boolean },
): { surveys: readonly Survey[] } | { problems: readonly string[] } {
  const problems: string[] = [];
  const say = (path: string, sentence: string) =>
    problems.push(`SURVEY_OVERRIDES: "${path}" ${sentence}`);
  const changed = new Map<string, Changes>();
  const thankYouPages = [...new Set(table.map(({ thankYouPath }) => thankYouPath))];
  for (const [path, given] of Object.entries(overrides)) {
    if (!table.some((survey) => survey.path === path)) {
      problems.push(
        `SURVEY_OVERRIDES: there is no survey "${path}"; surveys are ${table.map((each) => each.path).join(', ')}`,
      );
      continue;
    }
    const result = v.safeParse(changes, given);
    if (result.success) {
      changed.set(path, result.output);
      for (const sentence of whatIsMissing(result.output, thankYouPages, there))
        say(path, sentence);
    } else {
      for (const issue of result.issues) {
        const column = v.getDotPath(issue) ?? '';
        say(path, `column "${column}" is unknown or not ${issue.expected ?? 'allowed'}`);
      }
    }
  }
  const surveys = table.map((survey) => {
    const own = changed.get(survey.path);
    if (own === undefined) return survey;
    return { ...survey, ...own, toggles: { ...survey.toggles, ...own.toggles } };
  });
  for (const { path, language, translation } of surveys) {
    const other = surveys.find((survey) => survey.path === translation);
    if (translation === undefined || (other !== undefined && other.language !== language)) continue;
    say(path, `has no survey in the other language at "${translation}"`);
  }
  for (const { path, flow, buyers } of surveys) {
    if (buyers === undefined || flow === FLOW_WITH_BUYERS) continue;
    const only = `only "${FLOW_WITH_BUYERS}" does`;
    say(path, `has buyers, but its flow "${flow}" does not show them; ${only}`);
  }
  for (const { path, flow, verifiesPhone } of surveys) {
    if (!verifiesPhone || !flowsWithoutVerification.includes(flow)) continue;
    const why = 'asks for none, or always sends them as unverified';
    say(path, `cannot verify phone numbers: its flow "${flow}" ${why}`);
  }
  return problems.length > 0 ? { problems } : { surveys };
}
