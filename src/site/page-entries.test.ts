import { expect, it } from 'vitest';
import { pageEntries } from './page-entries.ts';

const declared = (...files: string[]) => new Map(files.map((file) => [file, undefined]));
const byForm = new Map([['../layouts/contact.astro', { form: 'contact' } as const]]);
const entries = pageEntries(
  declared('./404.astro', './robots.txt.ts', './page-manifest.json.ts', './preview/screen.astro'),
  byForm,
);
const sources = entries.map(({ source }) => source);

it('lists each page at its path, a file without a trailing slash, in order', () => {
  expect(sources).toEqual(expect.arrayContaining(['/', '/404/', '/es/contact/', '/robots.txt']));
  expect(sources).not.toContain('/page-manifest.json');
  expect(sources).toEqual(sources.toSorted());
  expect(entries.find(({ source }) => source === '/es/contact/')).toEqual({
    source: '/es/contact/',
    at: ['/es/contact/'],
    query: {},
    headers: {},
    form: { name: 'contact', language: 'es' },
  });
});
