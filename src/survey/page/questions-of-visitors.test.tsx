import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { currentConsent } from '../../../content/consent/index.ts';
import { type Language, languages } from '../../domain/language.ts';
import { initialState } from '../../journey/state.ts';
import { pageData, settings } from '../test-support/survey-fixture.ts';
import { pageTexts, thankYouTexts } from '../texts/texts.ts';
import { surveyPageData } from './page-data.ts';
import { renderState } from './render-survey.tsx';
import { LegalLine, SurveyFooter, SurveyHeader, SurveyPanel } from './survey-page.tsx';
import { ThankYou } from './thank-you.tsx';

/** Lists the questions that each screen answers, with the words of the answer. */
const document = readFileSync(
  join(import.meta.dirname, '../../../docs/questions-of-visitors.md'),
  'utf8',
);

type Row = { readonly question: string; readonly words: Readonly<Record<Language, string>> };

function rowsOf(heading: string): Row[] {
  const [, section = ''] = document.split(`\n## ${heading}\n`);
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => /^\|/.test(line));
  return lines.slice(2).map((line) => {
    const [, question = '', en = '', es = ''] = line.split('|').map((cell) => cell.trim());
    return { question, words: { en, es } };
  });
}

/** Returns the words that a visitor can read or hear, or that the page's script may show. */
function wordsOf(html: string): string {
  const told = [...html.matchAll(/ data-received="([^"]*)"/g)].map(([, text]) => text);
  return [html.replaceAll(/<[^>]+>/g, ' '), ...told]
    .join(' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,?])/g, '$1');
}

const brought = { PhoneAndZip: { zip_code: '10001' } };

/** Returns a survey's page with one of its screens, for a visitor with a prefilled zip code. */
function page(language: Language, at: string): string {
  const { survey, flow, today } = pageData(language);
  const consent = currentConsent(language, settings.companyName);
  const data = surveyPageData(survey, flow, { ...settings, prefill: true }, consent, today);
  const around = (content: ReactNode) => renderToStaticMarkup(content);
  const props = { language, settings };
  const { stopAnyTime } = pageTexts(language, flow.id);
  return [
    around(<SurveyHeader {...props} logo="road" />),
    around(<SurveyPanel {...props} logo="road" flow={flow.id} scene="road" />),
    renderState(data, { ...initialState(flow), at, drafts: brought, prefilled: brought }),
    around(<LegalLine {...props} flow={flow.id} />),
    around(<SurveyFooter {...props} note={stopAnyTime} />),
  ].join(' ');
}

const screens: Readonly<Record<string, (language: Language) => string>> = {
  'First screen': (language) => page(language, 'StartPath'),
  'Contact step': (language) => page(language, 'PhoneAndZip'),
  'Thank-you page': (language) =>
    renderToStaticMarkup(
      <ThankYou
        language={language}
        settings={settings}
        qualified
        words={thankYouTexts(language, 'v4')}
        start="/survey/v4"
      />,
    ),
};

describe.each(Object.entries(screens))('%s', (heading, render) => {
  const rows = rowsOf(heading);

  test.each(languages)('in %s, the screen answers each question in its own words', (language) => {
    expect(rows.length).toBeGreaterThan(6);
    const words = wordsOf(render(language));
    for (const row of rows) expect(words, row.question).toContain(row.words[language]);
  });
});
