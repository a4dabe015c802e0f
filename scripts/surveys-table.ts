import { type Survey, surveyFacts, type Toggles } from '../src/flows/surveys.ts';

const header = [
  'path',
  'flow',
  'offer',
  'affiliate',
  'language',
  'thank-you page',
  'differs in',
] as const;

/**
 * The table of all surveys as Markdown, in the order of `src/flows/surveys.ts`: what `docs/surveys.md`
 * must hold. "Differs in" names the columns and toggles that are not those of most surveys.
 */
export function surveysTable(surveys: readonly Survey[]): string {
  const usual = mostCommonToggles(surveys);
  const rows = surveys.map((survey) => [
    `\`${survey.path}\``,
    `[${survey.flow}](flows/${survey.flow}.md)`,
    String(survey.offerId),
    String(survey.affiliateId),
    survey.language,
    `\`${survey.thankYouPath}\``,
    differences(survey, usual).join(', '),
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    '# Surveys',
    '',
    'Written by `npm run flows` from `src/flows/surveys.ts`; do not edit.',
    '',
    'Unless the last column says otherwise, a survey opens a partner tab for disqualified visitors and',
    'delivers to all destinations. Exceptions of a flow (partner tab, thank-you query) are under',
    '`submit` of its file in `src/flows/variants/`. Rules: [survey paths](specification.md#survey-paths).',
    '',
    line(header),
    line(header.map(() => '---')),
    ...rows.map(line),
    '',
    `Toggles of most surveys: ${onToggles(usual).join(', ') || 'none'}.`,
    '',
  ].join('\n');
}

function onToggles(toggles: Toggles): string[] {
  return Object.entries(toggles)
    .filter(([, isOn]) => isOn)
    .map(([name]) => name);
}

function mostCommonToggles(surveys: readonly Survey[]): Toggles {
  const counts = new Map<string, { toggles: Toggles; count: number }>();
  for (const { toggles } of surveys) {
    const key = JSON.stringify(toggles);
    counts.set(key, { toggles, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const [first, ...others] = counts.values();
  if (!first) throw new Error('there are no surveys');
  return others.reduce((best, each) => (each.count > best.count ? each : best), first).toggles;
}

/** The flows in which the survey says whether it starts with AutoAccidentCaseWorth. */
const caseWorthFlows: readonly Survey['flow'][] = ['v4', 'group'];

function differences(survey: Survey, usual: Toggles): string[] {
  const toggles = Object.entries(survey.toggles)
    .filter(([name, isOn]) => usual[name as keyof Toggles] !== isOn)
    .map(([name, isOn]) => `${isOn ? '' : 'no '}${name}`);
  return [
    ...(survey.theme === 'default' ? [] : [`theme ${survey.theme}`]),
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
