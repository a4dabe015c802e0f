import { askedFields, type FieldRules } from '../../../model/fields/asked-fields.ts';
import type { CalendarDate } from '../../../model/fields/dates.ts';
import type { Language } from '../../../model/fields/language.ts';
import { type Flow, inputFields } from '../../../model/flows/engine/flow.ts';
import { asksHealth, reachableSteps } from '../../../model/flows/engine/reach.ts';
import { flowVersion } from '../../../model/flows/survey-table.ts';
import { type Survey, surveyFacts } from '../../../model/flows/surveys.ts';
import { consentDigest } from '../../../model/lead/consent.ts';
import { surveyScripts } from '../../../model/messages/script-declarations.ts';
import type { ConsentText, SiteSettings } from '../../../model/messages/site-settings.ts';
import { namesFirms } from '../../../model/rules/buyer-choice.ts';
import { closedStates } from '../../../model/rules/state-rules.ts';
import { disqualifiedStates } from '../../../model/rules/submit-rules.ts';
import { type PageConsent, walkContext } from '../../../model/visit/state.ts';
import type { SurveyPageData } from '../screens/screen-props.ts';
import { fill } from '../texts/shared.ts';
import { pageTexts, textsFor } from '../texts/texts.ts';
import { iconsOf } from './survey-icons.tsx';

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Returns a consent text as HTML, with the company's name marked for TrustedForm. */
export function shownConsent(
  { version, language, text, links = [] }: ConsentText,
  company: string,
): PageConsent {
  const linked = links.reduce(
    (html, [words, href]) =>
      html.replace(words, `<a href="${href}" target="_blank" rel="noopener">${words}</a>`),
    escaped(text),
  );
  const mark = '<span data-tf-element-role="consent-advertiser-name">$&</span>';
  // The names of law firms have their own marks.
  const marked = namesFirms(text) ? linked : linked.replace(escaped(company), mark);
  const [first = '', ...rest] = marked.split('\n');
  const html = `<strong>${first}</strong> ${rest.join(' ')}`;
  return { version, language, html, digest: consentDigest({ version, text }) };
}

/** Returns lines that say who calls, as the consent text does, when, and how to stop the calls. */
function callLines({ version, language }: ConsentText, company: string): string {
  const { whoCalls, callLines } = pageTexts(language, '');
  const [, kind] = version.split(' ');
  const ofFirms = kind === 'buyers' ? whoCalls.chosenFirms : whoCalls.anyFirm;
  const who = kind === 'abbreviated' ? fill(whoCalls.company, { company }) : ofFirms;
  return [who, ...callLines]
    .map((line) => `<li><strong>${escaped(line).replace('|', '</strong>')}</li>`)
    .join('');
}

/** Returns the law firms of a consent text as a list that opens on the page, or nothing. */
export function firmList(language: Language, firms: readonly { readonly name: string }[]): string {
  const items = firms.map(({ name }) => `<li>${escaped(name)}</li>`).join('');
  return items && `<summary>${pageTexts(language, '').firmList}</summary><ul>${items}</ul>`;
}

/** Returns the rules of a flow's fields, without values that another answer implies. */
function rulesOf({ steps }: Flow): FieldRules {
  const all = Object.values(steps);
  const implied = all.flatMap(({ implies = [] }) => implies);
  const rules = all.flatMap(inputFields).map((name) => {
    const own = implied.filter(({ field }) => field === name).map(({ value }) => value);
    const rule = askedFields[name];
    const values = rule.values?.filter((value) => !own.includes(value));
    return [name, own.length > 0 ? { ...rule, values } : rule];
  });
  return Object.fromEntries(rules);
}

/** Returns the data of a survey's page. `firms` are the law firms on the company's list. */
export function surveyPageData(
  survey: Survey,
  flow: Flow,
  { scripts, stateRules, publisher: _, ...settings }: SiteSettings,
  consent: ConsentText,
  today: CalendarDate,
  stepConsents: Readonly<Record<string, ConsentText>> = {},
  optOutNote?: string,
  firms: readonly { readonly name: string }[] = [],
): SurveyPageData {
  const hasSignal = optOutNote !== undefined;
  const shown = (text: ConsentText) => ({
    ...shownConsent(text, settings.companyName),
    ...(!(hasSignal && settings.withholdsAtOptOut.survey) && {
      calls: callLines(text, settings.companyName),
    }),
    ...(hasSignal && { note: optOutNote }),
  });
  const steps = Object.values(flow.steps);
  const texts = textsFor(survey.language, flow, survey);
  const facts = surveyFacts(survey);
  const postsLead = steps.some(({ submits }) => submits);
  const closed = postsLead ? closedStates(today, stateRules) : [];
  const prohibited = closedStates(today, stateRules, true);
  const asksVisitorState =
    settings.asksVisitorState &&
    (closed.length > 0 || steps.some((step) => step.kind === 'date-of-birth'));
  const partnerClosedStates = disqualifiedStates(flow.submit, settings.partnerClosedStates, []);
  const walked = walkContext({ facts, settings }, today);
  const asksWorth = [...reachableSteps(flow, walked)].some(
    (step) => flow.steps[step]?.kind === 'case-worth',
  );
  return {
    survey,
    flow,
    flowVersion: flowVersion(flow),
    fields: rulesOf(flow),
    facts,
    settings: {
      ...settings,
      compensationMultipliers: asksWorth ? settings.compensationMultipliers : {},
      partnerClosedStates,
      asksVisitorState,
      authorizedFirms:
        asksHealth(flow) && !(survey.buyers ? prohibited : closed).includes('WA')
          ? settings.authorizedFirms
          : undefined,
      closedStates: closed,
      prohibitedStates: prohibited,
      preselectsFirms: settings.preselectsFirms && survey.buyers !== undefined,
    },
    scripts: surveyScripts(flow, scripts),
    texts,
    icons: iconsOf(flow, Object.keys(texts.steps[flow.start]?.promises ?? {})),
    consent: { ...shown(consent), firms: survey.buyers ? '' : firmList(consent.language, firms) },
    stepConsents: Object.fromEntries(
      Object.entries(stepConsents).map(([step, text]) => [step, shown(text)]),
    ),
    today,
    ...(asksWorth && { asksWorth }),
  };
}

/** Returns the data as JSON that is safe inside a `<script>` element. */
export function serialisePageData(data: SurveyPageData): string {
  return JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
