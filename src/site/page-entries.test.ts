import { describe, expect, it } from 'vitest';
import { pageEntries } from './page-entries.ts';

describe('pageEntries', () => {
  it('lists each page at its path, a file without a trailing slash, in order', () => {
    const files = ['./index.astro', './es/contact.astro', './robots.txt.ts', './es/index.astro'];
    const entries = pageEntries([
      ...files.map((file) => [file, undefined] as const),
      ['./page-manifest.json.ts', undefined],
      ['./survey-later.css.ts', undefined],
    ]);
    expect(entries).toEqual(
      ['/', '/es/', '/es/contact/', '/robots.txt'].map((source) => ({
        source,
        at: [source],
        query: {},
        headers: {},
        ...(source !== '/robots.txt' && { tracksCalls: true }),
      })),
    );
  });

  it('allows call tracking only on pages of the site map, but not on the opt-out pages', () => {
    const files = ['./do-not-sell-my-information.astro', './es/do-not-sell-my-information.astro'];
    const others = ['./404.astro', './thank-you.astro', './preview/index.astro'];
    for (const entry of pageEntries([...files, ...others].map((file) => [file, undefined]))) {
      expect(entry, entry.source).not.toHaveProperty('tracksCalls');
    }
  });

  it('uses the page’s declaration', () => {
    const page = { at: 'thank-you', query: { q: ['y', 'n'] }, headers: { a: 'b' } } as const;
    expect(pageEntries([['./thank-you.astro', page]])).toEqual([
      { source: '/thank-you/', ...page },
    ]);
  });

  it('throws for a page with a parameter and without addresses', () => {
    expect(() => pageEntries([['./[guide].astro', undefined]])).toThrow(/must list its addresses/);
    expect(pageEntries([['./[guide].astro', { at: ['/a/'] }]])[0]?.at).toEqual(['/a/']);
  });
});
