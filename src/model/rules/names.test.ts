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
])('checkName accepts the name %s', (name) => {
  expect(check(name)).toBeUndefined();
});

it.each(['', 'A', 'J. R.', 'Mr. J.', 'Ann Xzq', 'Strłßk', 'Aaaron', 'Asdfghj'])(
  'checkName returns "implausible" for the name %j',
  (name) => {
    expect(check(name)).toBe('implausible');
  },
);

it.each('Dr Doctor Mr Mrs Ms Miss Mx Sir Madam Prof Rev Fr Hon Sr Sra Srta Dra'.split(' '))(
  'checkName ignores the title %s only before a name',
  (title) => {
    expect(check(`${title} Bo Li`)).toBeUndefined();
    expect(check(`${title}. Bo Li, Jr.`)).toBeUndefined();
    expect(check(`Bo ${title} Li`) === 'implausible').toBe(!/[aeiouy]/i.test(title));
    expect(check(`${title}.Lee`)).toBeUndefined();
  },
);

it.each(['TEST', 'Anónimo', 'sin  nombre'])('checkName returns "blocked" for %s', (name) => {
  expect(check(name)).toBe('blocked');
});

it.each(['516', '180', '330'])(
  'checkName accepts every name for the lead source %s',
  (leadSource) => {
    expect(check('test', leadSource)).toBeUndefined();
    expect(check('xxxx', leadSource)).toBeUndefined();
  },
);
