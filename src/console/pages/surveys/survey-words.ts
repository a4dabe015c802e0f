/** What a survey's row says, in words. */
import type { SurveyAnswer } from '../../../contract/console/work.ts';
import type { AnyScriptName, ThirdPartyScript } from '../../../contract/third-party-scripts.ts';
import { unusualRules } from '../../../flows/survey-words.ts';
import { base, type Survey } from '../../../flows/surveys.ts';

const toggleNames: Readonly<Record<keyof SurveyAnswer['toggles'], string>> = {
  roundedButtons: 'rounded buttons',
  firstQuestionHeader: 'header on the first question',
  lastStepHeader: 'header on the last step',
  hidePercentSign: 'no percent sign',
  hidePrivacyGuarantee: 'no privacy guarantee',
  socialProof: 'social proof',
  combinedLastStep: 'combined last step',
};

/** Returns in what a survey differs from the plain one, in words. */
export function deviations(survey: Survey): string[] {
  const { theme, thankYouPath } = survey;
  return [
    ...unusualRules(survey),
    ...unusualToggles(survey),
    ...(theme === base.theme ? [] : [`theme ${theme}`]),
    ...(thankYouPath === base.thankYouPath ? [] : [`thanks at ${thankYouPath}`]),
  ];
}

/** Returns the toggles in which a survey differs from most surveys. */
export function unusualToggles({ toggles }: Pick<SurveyAnswer, 'toggles'>): string[] {
  return Object.entries(toggleNames).flatMap(([key, words]) => {
    const name = key as keyof SurveyAnswer['toggles'];
    if (toggles[name] === base.toggles[name]) return [];
    return [toggles[name] ? words : `no ${words}`];
  });
}

const scriptTitles: Readonly<Record<AnyScriptName, string>> = {
  pixel: 'pixel on injury',
  caseWorth: 'ad script at the case’s worth',
  ticket: 'ticket script',
  adPixel: 'ad pixel',
  clickTracker: 'click tracker',
  serverClick: 'click tracker, by our server',
  trustedForm: 'TrustedForm',
  leadid: 'LeadiD',
  callTracking: 'call tracking',
};

/** Returns a script's title, host and when it loads. */
export function scriptWords(script: ThirdPartyScript): {
  readonly title: string;
  readonly host: string;
  readonly when: string;
} {
  const { name, src, at, after, affid, pool, withoutAnswer } = script;
  const conditions = [
    at !== undefined ? `at ${at}` : after !== undefined ? `after ${after}` : '',
    affid !== undefined ? `for affiliate ${affid} only` : '',
    pool !== undefined ? `for visitors from ${pool}` : '',
  ].filter(Boolean);
  const usual = withoutAnswer ? 'when the page is idle' : 'after the first answer';
  return {
    title: scriptTitles[name],
    host: URL.parse(src)?.host ?? 'our own server',
    when: conditions.join(', ') || usual,
  };
}
