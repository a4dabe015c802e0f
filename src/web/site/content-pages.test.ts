import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guidanceWords } from '../../../content/guidance-words.ts';
import { type Language, languages } from '../../model/fields/language.ts';
import { pageIds, pathOf, places, siteMap } from './site-map.ts';

const folder = new URL('../../../content/pages/', import.meta.url);
const names = (language: Language) => readdirSync(new URL(language, folder)).toSorted();

const all = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found]) => found);

/** Returns the parts of a page that a translation must share. */
function shapeOf(language: Language, name: string) {
  const text = readFileSync(new URL(`${language}/${name}`, folder), 'utf8');
  const links = all(text, /\]\((\/[^)#]*)/g);
  return {
    checked: all(text, /^checked: (.*)$/gm),
    next: all(text, /^next: (.*)$/gm),
    sources: all(text, /^ {4}url: (.*)$/gm),
    headings: all(text, /^(#+) /gm),
    listItems: all(text, /^(-|\d\.) /gm),
    tableRows: all(text, /^(\|)/gm).length,
    callouts: all(text, /<aside class="([^"]*)"/g),
    placeholders: all(text, /\{([a-z-]+(?::\w+)?)\}/g).toSorted(),
    links: links.map((path) => places.find((place) => place.path === path)?.page).toSorted(),
  };
}

test('each page with a text has it in every language', () => {
  const written = pageIds.filter((id) => (siteMap[id].layout ?? 'content-page') === 'content-page');
  for (const language of languages) {
    expect(names(language)).toEqual(written.map((id) => `${id}.md`).toSorted());
  }
});

test.each(languages)('the guidance of surveys links the deadlines in %s', (language) => {
  expect(guidanceWords[language].laws.href).toBe(`${pathOf('laws', language)}#deadlines`);
});

test.each(names('en'))('%s has the same sections, sources and links in Spanish', (name) => {
  expect(shapeOf('es', name)).toEqual(shapeOf('en', name));
});
