import { describe, expect, it } from 'vitest';
import { pageEntries } from './page-entries.ts';

describe('the manifest of pages', () => {
  it('has each page at its own path, a file without a slash, in a fixed order', () => {
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

  it('has call tracking on no page to opt out on, and on none that is not of the site map', () => {
    const files = ['./do-not-sell-my-information.astro', './es/do-not-sell-my-information.astro'];
    const others = ['./404.astro', './thank-you.astro', './preview/index.astro'];
    for (const entry of pageEntries([...files, ...others].map((file) => [file, undefined]))) {
      expect(entry, entry.source).not.toHaveProperty('tracksCalls');
    }
  });

  it('takes the word of a page on where it stands and what it reads', () => {
    const page = { at: 'thank-you', query: { q: ['y', 'n'] }, headers: { a: 'b' } } as const;
    expect(pageEntries([['./thank-you.astro', page]])).toEqual([
      { source: '/thank-you/', ...page },
    ]);
  });

  it('has no page that could stand anywhere', () => {
    expect(() => pageEntries([['./[guide].astro', undefined]])).toThrow(/does not say/);
    expect(pageEntries([['./[guide].astro', { at: ['/a/'] }]])[0]?.at).toEqual(['/a/']);
  });
});
