import subsetFont from 'subset-font';
import type { HeadingFace } from './theme.ts';

/** The addresses of the faces, and the faces themselves as data addresses; by file. */
const addresses = import.meta.glob<string>('../fonts/*.woff2', {
  query: '?url',
  import: 'default',
  eager: true,
});
const contents = import.meta.glob<string>('../fonts/*.woff2', {
  query: '?inline',
  import: 'default',
  eager: true,
});

/** A heading face on one page: where its file is, its `@font-face` rules and its families. */
export type FaceOfPage = {
  readonly url: string;
  readonly css: string;
  /** For the headings of a survey's first screen, whose letters the page carries; else as `family`. */
  readonly first: string;
  /** For the page's headings. */
  readonly family: string;
};

/** Stands in while the file has not come, and for letters that it lacks. */
const FALLBACK = 'var(--font)';

function rule(family: string, display: string, source: string): string {
  return (
    `@font-face{font-family:${family};font-weight:1 999;font-display:${display};` +
    `src:url(${source}) format("woff2")}`
  );
}

/**
 * Source of the inline script that stands right behind the style with a page's own letters: makes the face of them at
 * once. A browser takes even a face that is in the page for one to load: it lays the words out in the fallback, and
 * once more when it has it.
 */
export const faceScript =
  '(()=>{try{document.fonts.add(new FontFace("first",Uint8Array.from(atob(document.currentScript.previousElementSibling' +
  '.textContent.match(/base64,([^)]+)/)[1]),c=>c.charCodeAt()),{weight:"1 999"}))}catch{}})()';

/** The letters that pages carry, by face and letters: surveys share their headings. */
const carried = new Map<string, Promise<string>>();

async function cut(file: string, letters: string): Promise<string> {
  const font = Buffer.from((contents[file] ?? '').split(',')[1] ?? '', 'base64');
  const subset = await subsetFont(font, letters, { targetFormat: 'woff2', keepFeatures: ['kern'] });
  return `data:font/woff2;base64,${subset.toString('base64')}`;
}

/**
 * Returns a heading face for a page.
 *
 * A survey's page and the home page carry the letters of their first screen in their style: `faceScript` has those there
 * with the first paint, without a request. Their other headings use the whole file, which follows. Any other page shows the
 * face only if the file is there for the first paint (`optional`), so that nothing moves.
 *
 * @param firstScreen the headings of a first screen whose letters the page carries; '' on other pages
 * @throws when `src/site/fonts/` lacks the face: run `node scripts/fonts.ts`
 */
export async function headingFace(name: HeadingFace, firstScreen: string): Promise<FaceOfPage> {
  const file = `../fonts/${name}.woff2`;
  const url = addresses[file];
  if (!url) throw new Error(`${file} is missing: run node scripts/fonts.ts`);
  const family = `${name},${FALLBACK}`;
  if (firstScreen === '') return { url, css: rule(name, 'optional', url), first: family, family };
  const letters = [...new Set(firstScreen)].sort().join('');
  const key = `${name} ${letters}`;
  const data = carried.get(key) ?? cut(file, letters);
  carried.set(key, data);
  return {
    url,
    css: rule(`${name}-first`, 'block', await data) + rule(name, 'swap', url),
    first: `first,${name}-first,${FALLBACK}`,
    family,
  };
}
