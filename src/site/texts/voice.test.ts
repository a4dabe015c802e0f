import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contactWords } from '../../../content/forms/contact.ts';
import { doNotSellWords } from '../../../content/forms/do-not-sell.ts';
import { verifyWords } from '../../../content/forms/verify.ts';
import { homeEn } from '../../../content/home/en.ts';
import { homeEs } from '../../../content/home/es.ts';
import { exampleTestimonials, testimonials } from '../../../content/home/testimonials.ts';
import { optOutWords } from '../../../content/opt-out.ts';
import { videos } from '../../../content/videos.ts';
import { type Language, languages } from '../../domain/language.ts';
import { stepWords } from '../../flows/engine/step-words.ts';
import { flowLoaders } from '../../flows/surveys.ts';
import { texts } from '../../survey/texts/texts.ts';
import { siteTexts } from './site-texts.ts';

type Said = readonly [where: string, words: string];

function leaves(value: unknown, path: string): Said[] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, each]) => leaves(each, `${path}.${key}`));
}

function pagesOf(language: Language): Said[] {
  const folder = join(import.meta.dirname, '../../../content/pages', language);
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}

function saidIn(language: Language): Said[] {
  const home = { en: homeEn, es: homeEs }[language];
  return [
    ...leaves(texts[language], 'survey'),
    ...leaves(siteTexts[language], 'site'),
    ...leaves(home, 'home'),
    ...leaves({ ...testimonials, ...exampleTestimonials }[language], 'testimonials'),
    ...leaves(contactWords[language], 'contact'),
    ...leaves(doNotSellWords[language], 'do-not-sell'),
    ...leaves(optOutWords[language], 'opt-out'),
    ...leaves(verifyWords[language], 'verify'),
    ...(language === 'en' ? leaves(videos, 'videos') : []),
    ...pagesOf(language),
  ];
}

/** Returns the places that match a pattern, with their surroundings. */
function found(language: Language, pattern: RegExp): string[] {
  return saidIn(language).flatMap(([where, words]) => {
    const at = words.search(pattern);
    return at < 0 ? [] : [`${where}: ${words.slice(Math.max(0, at - 30), at + 40)}`];
  });
}

describe('all visitor texts except the dated consents', () => {
  test.each<[string, Language, RegExp]>([
    ['use American spelling: email, honor', 'en', /e-mail|honour|colour/i],
    ['avoid “need not” and “takes on”', 'en', /\bneed not\b|\btakes? on\b|\bby ourselves\b/i],
    [
      'use usted',
      'es',
      /(?<![\p{L}-])(tú|tu|tus|te|ti|contigo|vos|puedes|tienes|quieres)(?![\p{L}-])/iu,
    ],
    ['use asesoría legal', 'es', /consejos? legal/i],
    ['use one verb for pressing a button', 'es', /\bpuls(e|ar)\b/i],
  ])('%s (%s)', (_, language, avoided) => {
    expect(found(language, avoided)).toEqual([]);
  });

  test.each(languages)(
    'keep the help of a first screen to two short lines (%s)',
    async (language) => {
      const flows = await Promise.all(Object.values(flowLoaders).map((load) => load()));
      for (const flow of flows) {
        const help = stepWords(texts[language].steps, flow.id, flow.start)?.help ?? '';
        expect(help.length, `${flow.id}: ${help}`).toBeLessThanOrEqual(70);
      }
    },
  );

  test.each(languages)('have at most 26 words per sentence in surveys (%s)', (language) => {
    const { steps, controls, fields, code, thankYou, thankYouPages } = texts[language];
    const said = leaves({ steps, controls, fields, code, thankYou, thankYouPages }, 'survey');
    for (const [where, words] of said) {
      for (const sentence of words.split(/[.?!:…] /)) {
        expect(sentence.split(' ').length, `${where}: ${sentence}`).toBeLessThanOrEqual(26);
      }
    }
  });

  test('have the guides’ cards in the page’s language', () => {
    expect(Object.keys(homeEs.guides)).toEqual(Object.keys(homeEn.guides));
    for (const [name, { title, text }] of Object.entries(homeEs.guides)) {
      const english = homeEn.guides[name as keyof typeof homeEn.guides];
      expect(title).not.toBe(english.title);
      expect(text).not.toBe(english.text);
    }
  });
});
