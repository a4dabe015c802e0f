import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNameList } from './name-list.ts';

describe('a list of names', () => {
  it('contains the same names as a set', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '-', 'é', '😀', '\uffee') });
    fc.assert(
      fc.property(fc.array(name), fc.array(name), (names, others) => {
        const has = createNameList(names);
        for (const each of names) expect(has(each)).toBe(true);
        for (const each of others) expect(has(each)).toBe(names.includes(each));
      }),
    );
  });

  it('finds every disposable domain', () => {
    const names: string[] = createRequire(import.meta.url)('disposable-email-domains');
    const has = createNameList(names);
    expect(names.filter((name) => !has(name))).toEqual([]);
  });
});
