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
    const others = ['./404.astro', './thank-you.astro', './preview/screen.astro'];
    for (const entry of pageEntries([...files, ...others].map((file) => [file, undefined]))) {
      expect(entry, entry.source).not.toHaveProperty('tracksCalls');
    }
  });
});
