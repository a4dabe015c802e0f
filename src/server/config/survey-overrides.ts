import * as v from 'valibot';
import { languages } from '../../domain/language.ts';
import { flowLoaders, type Survey } from '../../flows/surveys.ts';

const id = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What may differ from a survey's row; `path` is the row's key and stays. */
const changes = v.strictObject(
  v.entriesFromObjects([
    v.partial(
      v.object({
        flow: v.picklist(Object.keys(flowLoaders) as (keyof typeof flowLoaders)[]),
        language: v.picklist(languages),
        offerId: id,
        affiliateId: id,
        thankYouPath: v.pipe(v.string(), v.regex(/^\/[a-z0-9/-]*\/$/)),
        theme: v.picklist(['default']),
        toggles: v.partial(
          v.strictObject({
            roundedButtons: v.boolean(),
            firstQuestionHeader: v.boolean(),
            lastStepHeader: v.boolean(),
            hidePercentSign: v.boolean(),
            hidePrivacyGuarantee: v.boolean(),
            socialProof: v.boolean(),
            combinedLastStep: v.boolean(),
          }),
        ),
        startsWithCaseWorth: v.boolean(),
        confirmsLawyer: v.boolean(),
        skipsLawyerFunding: v.boolean(),
        opensPartnerTab: v.boolean(),
        thankYouReason: v.boolean(),
        destinations: v.array(v.picklist(['ingest'])),
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
      }),
    ),
  ]),
);

/**
 * The survey table with an operator's changes over it (setting SURVEY_OVERRIDES).
 * @returns the merged table, or sentences about what is wrong: an unknown path, column or value.
 */
export function overrideSurveys(
  table: readonly Survey[],
  overrides: Readonly<Record<string, unknown>>,
): { surveys: readonly Survey[] } | { problems: readonly string[] } {
  const problems: string[] = [];
  const changed = new Map<string, v.InferOutput<typeof changes>>();
  for (const [path, given] of Object.entries(overrides)) {
    const row = table.find((survey) => survey.path === path);
    if (row === undefined) {
      problems.push(
        `SURVEY_OVERRIDES: there is no survey "${path}"; surveys are ${table.map((each) => each.path).join(', ')}`,
      );
      continue;
    }
    const result = v.safeParse(changes, given);
    if (result.success) changed.set(path, result.output);
    else {
      for (const issue of result.issues) {
        const column = v.getDotPath(issue) ?? '';
        problems.push(
          `SURVEY_OVERRIDES: "${path}" column "${column}" is unknown or not ${issue.expected ?? 'allowed'}`,
        );
      }
    }
  }
  if (problems.length > 0) return { problems };
  return {
    surveys: table.map((survey) => {
      const own = changed.get(survey.path);
      if (own === undefined) return survey;
      return { ...survey, ...own, toggles: { ...survey.toggles, ...own.toggles } };
    }),
  };
}
