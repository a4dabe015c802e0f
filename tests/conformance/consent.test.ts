/** Tests that every consent text has every element, on every survey and the contact form. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { currentConsent, oneToOneConsents } from '../../content/consent/index.ts';
import { contactWords } from '../../content/forms/contact.ts';
import type { Answers } from '../../src/model/fields/answers.ts';
import type { Language } from '../../src/model/fields/language.ts';
import { flowOf, type Survey, surveys } from '../../src/model/flows/surveys.ts';
import { surveyPageData } from '../../src/web/survey/page/page-data.ts';
import { screenParts } from '../../src/web/survey/runner/one-to-one.tsx';
import { settings, today } from '../../src/web/survey/test-support/survey-fixture.ts';
import { texts } from '../../src/web/survey/texts/texts.ts';
import { callers, consentElements } from './tables/consent.ts';

const company = settings.companyName;
const namesOf = { buyers: 'A Law|B Law', oneBuyer: 'A Law' } as const;
type Kind = keyof typeof callers;

/** Returns the consent texts that a survey shows, with the labels of the buttons below. */
async function shownBy(survey: Survey, language: Language) {
  const own = { ...survey, language };
  const flow = await flowOf(own);
  const consent = currentConsent(language, company, flow.id);
  const ofSteps = own.buyers && oneToOneConsents(language, company);
  const data = surveyPageData(own, flow, settings, consent, today, ofSteps);
  const steps = Object.keys(flow.steps).filter((step) => flow.steps[step]?.submits);
  return steps.flatMap((step) => {
    const kinds: Kind[] =
      step === 'PhoneAndBuyersConsent'
        ? ['buyers', 'oneBuyer']
        : [step === 'PhoneAbbreviatedTCPA' ? 'abbreviated' : 'general'];
    return kinds.map((kind) => {
      const answers: Answers =
        kind === 'buyers' || kind === 'oneBuyer' ? { displayed_buyers: namesOf[kind] } : {};
      const { html } = screenParts.consentOf(data, step, answers);
      const { submit, submitWithoutFirm } = { ...data.texts.steps[step] };
      const labels = [submit ?? data.texts.controls.next, submitWithoutFirm ?? []].flat();
      return { text: html.replace(/<[^>]*>/g, ''), kind, labels };
    });
  });
}

const quoted: Readonly<Record<Language, RegExp>> = { en: /“([^”]*)”/g, es: /«([^»]*)»/g };

function expectComplete(text: string, kind: Kind, labels: readonly string[], language: Language) {
  for (const { name, words } of consentElements) expect(text, name).toMatch(words[language]);
  expect(text).toMatch(callers[kind][language]);
  expect([...text.matchAll(quoted[language])].map(([, label]) => label)).toEqual(labels);
}

const languages = ['en', 'es'] as const;
const rows = languages.flatMap((language) =>
  surveys.map((survey) => [`${survey.path} ${language}`, survey, language] as const),
);

test.each(rows)('the consent texts of %s have all elements', async (_, survey, language) => {
  const shown = await shownBy(survey, language);
  // Only the benefits survey asks no contact details.
  expect(shown.length > 0).toBe(survey.flow !== 'benefits');
  for (const { text, kind, labels } of shown) expectComplete(text, kind, labels, language);
});

test.each(languages)('the consent text of the contact form has all elements (%s)', (language) => {
  const { text } = currentConsent(language, company, 'contact');
  expectComplete(text.replace('\n', ' '), 'general', [contactWords[language].submit], language);
});

test('docs/consent.md has the current consent texts and the sources of all elements', () => {
  const guide = readFileSync('docs/consent.md', 'utf8').replaceAll('**', '');
  for (const language of languages) {
    const { text } = currentConsent(language, 'Your Claim Guide');
    expect(guide).toContain(text.replace('\n', ' '));
  }
  for (const { name, source } of consentElements) expect(guide).toContain(`- ${name}: ${source}`);
});

test('the button for a later choice of law firms has the label that the consent text names', () => {
  for (const language of languages) {
    const { submit } = { ...texts[language].steps.PhoneAndBuyersConsent };
    expect(texts[language].thankYou.noFirm.button).toBe(submit);
  }
});
