import { base, type Survey, surveyFacts, type Toggles } from '../src/flows/surveys.ts';

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
    'Written by `npm run flows` from `src/flows/surveys.ts`; do not edit.',
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

/** The flows whose surveys set whether they start with AutoAccidentCaseWorth. */
const caseWorthFlows: readonly Survey['flow'][] = ['v4', 'group'];

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
    ...(caseWorthFlows.includes(survey.flow) && surveyFacts(survey).startsWithCaseWorth
      ? ['starts with AutoAccidentCaseWorth']
      : []),
    ...(survey.buyers === 'fetched' ? ['buyers fetched'] : []),
    ...(Array.isArray(survey.buyers) ? [`buyers fixed: ${survey.buyers.length}`] : []),
    ...(survey.confirmsLawyer ? [] : ['does not ask to confirm the lawyer']),
    ...(survey.skipsLawyerFunding ? ['skips the lawyer-funding branch'] : []),
    ...(survey.asksTimeframe ? ['asks the accident timeframe'] : []),
    ...(survey.asksZipAlone ? ['asks the zip code on a step of its own'] : []),
    ...(survey.thankYouReason ? ['thank-you query gives the reason'] : []),
    ...(survey.redirectsOnSuccess ? ['redirects only on success'] : []),
    ...(survey.verifiesPhone ? ['verifies the phone number by SMS'] : []),
    ...(survey.removesLawyerReason ? ['removes the lawyer reason'] : []),
    ...(survey.opensPartnerTab ? [] : ['no partner tab']),
    ...(survey.destinations ? [`destinations: ${survey.destinations.join(', ') || 'none'}`] : []),
    ...(survey.deliversToIngest ? [] : ['not to ingest']),
    ...toggles,
  ];
}
