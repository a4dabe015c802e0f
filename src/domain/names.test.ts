import { expect, it } from 'vitest';
import { checkName } from './names.ts';

const check = (name: string, leadSource = '81') => checkName(name, leadSource);

it.each([
  'Ann',
  'Mary-Jane O’Brien',
  "D'Angelo",
  'José Ñuñez',
  'Ýr',
  'Dr. Ann Lee, Ph.D.',
  'Søren Ødegård',
  '王伟',
  'María de los Ángeles',
])('checkName %s is good', (name) => {
  expect(check(name)).toEqual({ bad: false });
});

it.each([
  ['', 'nothing_left'],
  ['A', 'nothing_left'],
  ['J. R.', 'nothing_left'],
  ['Mr. J.', 'nothing_left'],
  ['Ann Xzq', 'no_vowel'],
  ['Aaaron', 'repeated_letter'],
  ['Asdfghj', 'consonant_run'],
])('checkName %j is bad: %s', (name, reason) => {
  expect(check(name)).toMatchObject({ bad: true, reason });
});

it.each(['Don', 'Doña', 'Gen', 'Father', 'Sister', 'Lic', 'Miss', 'Doctor', 'Madam', 'II'])(
  'checkName %s alone is a name',
  (name) => {
    expect(check(name)).toEqual({ bad: false });
  },
);

it.each('Dr Doctor Mr Mrs Ms Miss Mx Sir Madam Prof Rev Fr Hon Sr Sra Srta Dra'.split(' '))(
  'checkName strips the title %s only before a name',
  (title) => {
    expect(check(`${title} Bo Li`)).toEqual({ bad: false });
    expect(check(`${title}. Bo Li, Jr.`)).toEqual({ bad: false });
    expect(check(`Bo ${title} Li`).bad).toBe(!/[aeiouy]/i.test(title));
    expect(check(`${title}.Lee`)).toEqual({ bad: false });
  },
);

it.each(['516', '180', '330'])('checkName skips lead source %s', (leadSource) => {
  expect(check('xxxx', leadSource)).toEqual({ bad: false });
});

it('checkName checks other lead sources', () => {
  for (const leadSource of ['51', '5160', '', '81'])
    expect(check('xxxx', leadSource).bad).toBe(true);
});
