import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BlockedTerms, createBlockedTermMatcher } from './blocked-terms.ts';

const load = (language: string): BlockedTerms =>
  JSON.parse(
    readFileSync(
      new URL(`../../../content/blocked-terms/${language}.json`, import.meta.url),
      'utf8',
    ),
  );
const en = load('en');
const es = load('es');
const matcher = createBlockedTermMatcher(en, es);
const terms = (text: string) => matcher(text).map((match) => match.term);

it.each([
  'I was rear ended at a red light on Main St and my neck and back hurt every day.',
  'His insurance will not pay for my surgery and I lost my job after the accident.',
  'I got a ride with Uber and the driver fell asleep.',
  'He said there was no way to stop. Accident report was taken by police.',
  'El otro conductor no tenía licencia y se dio a la fuga.',
  'Iba en mi Mitsubishi Pajero y tuve que coger la salida.',
  'I hit my head, was in shock, and passed out in class at the assembly hall in Scunthorpe.',
])('createBlockedTermMatcher finds no blocked term in the description: %s', (text) => {
  expect(terms(text)).toEqual([]);
});

it('createBlockedTermMatcher finds terms of the English and the Spanish list', () => {
  expect(terms('I have a lawyer')).not.toEqual([]);
  expect(terms('No tengo seguro')).not.toEqual([]);
});

describe('createBlockedTermMatcher', () => {
  const small = createBlockedTermMatcher({
    a: ["don't have insurance", 'gift card', 'cabrón', 'coño'],
    b: ['no insurance', 'insurance'],
  });
  const found = (text: string) => small(text).map((match) => match.term);

  it('returns a matcher that ignores all accents except the tilde of ñ', () => {
    expect(found('CABRON')).toEqual(['cabrón']);
    expect(found('cabro\u0301n')).toEqual(['cabrón']);
    expect(found('un cono')).toEqual([]);
    expect(found('COÑO con\u0303o')).toEqual(['coño']);
  });

  it('returns a matcher that finds a term with and without its apostrophe', () => {
    for (const spelling of ["don't", 'don’t', 'dont', 'DON`T']) {
      expect(found(`I ${spelling} have insurance`)).toEqual(
        ["don't have insurance", 'insurance'].sort((x, y) => y.length - x.length),
      );
    }
  });

  it('returns a matcher that takes time in proportion to the text’s length', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Array.isArray(small(text))));
    const nasty = createBlockedTermMatcher({ a: ['no no no no no no no no x'] });
    expect(nasty('no '.repeat(50_000))).toEqual([]);
    expect(matcher(`${"'".repeat(100_000)}${'a’'.repeat(50_000)}`)).toEqual([]);
  });
});
