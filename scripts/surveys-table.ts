import { unusualRules } from '../src/flows/survey-words.ts';
import { base, type Survey, type Toggles } from '../src/flows/surveys.ts';

/**
 * Returns the table of all surveys as Markdown, in the order of `src/flows/surveys.ts`, for
 * `docs/surveys.md`. "Differs in" names columns and toggles with unusual values.
 */
export function surveysTable(surveys: readonly Survey[]): string {
  const toggles = Object.entries(base.toggles).flatMap(([name, isOn]) => (isOn ? [name] : []));
  const rows = surveys.map((survey) => {
    const flow = `[${survey.flow}](flows/${survey.flow}.md)`;
    return `| \`${survey.path}\` | ${flow} | ${differences(survey).join(', ')} |`;
  });
  return [
    '# Surveys',
    '',
    'Written by `npm run flows` from `src/flows/surveys.ts`.',
    '',
    `A survey has offer ${base.offerId}, affiliate ${base.affiliateId}, language ${base.language}, the page`,
    `\`${base.thankYouPath}\`, a partner tab for disqualified visitors, all destinations and the toggles`,
    `${toggles.join(' and ')}, unless the last column says otherwise.`,
    'Exceptions of a flow (partner tab, thank-you query) are under `submit` of its file in',
    '`src/flows/variants/`. Rules: [survey paths](specification.md#survey-paths).',
    '',
    '| path | flow | differs in |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function differences(survey: Survey): string[] {
  const toggles = Object.entries(survey.toggles)
    .filter(([name, isOn]) => base.toggles[name as keyof Toggles] !== isOn)
    .map(([name, isOn]) => `${isOn ? '' : 'no '}${name}`);
  return [
    ...(survey.offerId === base.offerId ? [] : [`offer ${survey.offerId}`]),
    ...(survey.affiliateId === base.affiliateId ? [] : [`affiliate ${survey.affiliateId}`]),
    ...(survey.language === base.language ? [] : [survey.language]),
    ...(survey.thankYouPath === base.thankYouPath ? [] : [`\`${survey.thankYouPath}\``]),
    ...(survey.theme === base.theme ? [] : [`theme ${survey.theme}`]),
    ...(survey.logo === undefined ? [] : [`logo ${survey.logo}`]),
    ...(survey.progress === undefined ? [] : [`progress ${survey.progress}`]),
    ...unusualRules(survey),
    ...toggles,
  ];
}
