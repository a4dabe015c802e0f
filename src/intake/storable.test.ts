import { expect, it } from 'vitest';
import { beginning, storable } from './storable.ts';

it('storable replaces U+0000 and lone surrogates, which jsonb refuses, in values and names', () => {
  expect(storable({ a: 'x\u0000y', b: '\ud800!', 'c\u0000': { d: ['\udfff'] } })).toEqual({
    a: 'x\uFFFDy',
    b: '\uFFFD!',
    'c\uFFFD': { d: ['\uFFFD'] },
  });
});

it('storable stores a deeply nested value as text, whatever its depth', () => {
  let nested: unknown = 'x';
  for (let depth = 0; depth < 40; depth += 1) nested = [nested];
  expect(storable({ nested }).nested).toBe(JSON.stringify(nested));
  const bottomless = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);
  expect(typeof storable({ bottomless }).bottomless).toBe('string');
});

it('beginning leaves no half of a surrogate pair', () => {
  expect(beginning('ab', 3)).toBe('ab');
  expect(beginning('abcd', 3)).toBe('abc');
  expect(beginning('ab👦', 3)).toBe('ab\uFFFD');
});
