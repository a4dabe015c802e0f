import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { createNameList } from './name-list.ts';

describe('a list of names', () => {
  it('finds every disposable domain', () => {
    const names: string[] = createRequire(import.meta.url)('disposable-email-domains');
    const has = createNameList(names);
    expect(names.filter((name) => !has(name))).toEqual([]);
  });
});
