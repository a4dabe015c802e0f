import { type Survey, surveyFacts } from './surveys.ts';

const caseWorthFlows = {
  bySurvey: ['v4', 'group'] as readonly Survey['flow'][],
  always: ['variant-a', 'tiktok'] as readonly Survey['flow'][],
};

/** Returns a phrase for each unusual part of a survey's configuration. */
export function unusualRules(survey: Survey): string[] {
  const { flow } = survey;
  const { always, bySurvey } = caseWorthFlows;
  return [
    ...(always.includes(flow) ||
    (bySurvey.includes(flow) && surveyFacts(survey).startsWithCaseWorth)
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
  ];
}
