import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkName } from './names.ts';

const check = (name: string, leadSource = '81', blocklist: string[] = []) =>
  checkName(name, { leadSource, blocklist });

describe('checkName', () => {
  it.each([
    'Ann',
    'Mary-Jane O’Brien',
    "D'Angelo",
    'José Ñuñez',
    'Lynn',
    'Ýr',
    'Dr. Ann Lee, Ph.D.',
    'Martin Luther King Jr.',
    'Sir Ian III',
    'J. R. Smith',
    'Søren Ødegård',
    'Bjørn',
    'Łukasz Wałęsa',
    'Schwartz',
    'Nguyễn',
    'Мария',
    '王伟',
    'María de los Ángeles',
  ])('%s is good', (name) => {
    expect(check(name)).toEqual({ bad: false });
  });

  it.each([
    ['', 'nothing_left'],
    ['   ', 'nothing_left'],
    ['A', 'nothing_left'],
    ['J. R.', 'nothing_left'],
    ['Mr.', 'nothing_left'],
    ['Dr MD', 'nothing_left'],
    ['Bcd', 'no_vowel'],
    ['12345', 'no_vowel'],
    ['Ann Xzq', 'no_vowel'],
    ['Aaaron', 'repeated_letter'],
    ['Annna', 'repeated_letter'],
    ['Asdfghj', 'consonant_run'],
    ['Abcdfge', 'consonant_run'],
  ])('%j is bad: %s', (name, reason) => {
    expect(check(name)).toMatchObject({ bad: true, reason });
  });

  it('knows the blocklist whatever case, accents and titles', () => {
    expect(check('Mickey  MOUSE', '81', ['mickey mouse'])).toMatchObject({
      bad: true,
      reason: 'blocklisted',
    });
    expect(check('Mr. Mickey Mouse', '81', ['Míckey Mouse']).bad).toBe(true);
    expect(check('Mickey Mousely', '81', ['mickey mouse']).bad).toBe(false);
    expect(check('Ann', '81', ['', '  ']).bad).toBe(false);
  });

  it.each(['516', '180', '330'])('skips lead source %s', (leadSource) => {
    expect(check('xxxx', leadSource, ['xxxx'])).toEqual({ bad: false });
    expect(checkName('xxxx', { leadSource: Number(leadSource), blocklist: [] })).toEqual({
      bad: false,
    });
  });

  it('does not skip others', () => {
    for (const leadSource of ['51', '5160', '', '81'])
      expect(check('xxxx', leadSource).bad).toBe(true);
  });

  it('judges titles and case the same, and never throws', () => {
    const name = fc.stringMatching(/^[A-Za-z]{2,10}$/);
    const titles =
      'dr dra mr mrs ms miss mx sir madam maam prof rev hon fr father sister capt captain lt sgt col gen maj senor senora senorita sra srta don dona lic ing jr sr ii iii iv dds phd md dvm esq professor reverend';
    fc.assert(
      fc.property(
        name,
        fc.constantFrom('Mr. ', 'Dr ', 'Mrs. ', ''),
        fc.constantFrom(', Jr.', ' III', ' D.D.S.', ''),
        (word, title, suffix) => {
          fc.pre(!titles.split(' ').includes(word.toLowerCase()));
          const plain = check(word);
          expect(check(title + word + suffix)).toEqual(plain);
          expect(check(word.toUpperCase())).toEqual(plain);
        },
      ),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => typeof check(text).bad === 'boolean'),
    );
  });
});
