import subsetFont from 'subset-font';

const addresses = import.meta.glob<string>('./fonts/*.woff2', {
  query: '?url',
  import: 'default',
  eager: true,
});
const contents = import.meta.glob<string>('./fonts/*.woff2', {
  query: '?inline',
  import: 'default',
  eager: true,
});

function rule(family: string, display: string, source: string): string {
  return (
    `@font-face{font-family:${family};font-weight:1 999;font-display:${display};` +
    `src:url(${source}) format("woff2")}`
  );
}

/** Inline script that creates the embedded font before the browser lays out the headings. */
export const faceScript =
  '(()=>{try{document.fonts.add(new FontFace("first",Uint8Array.from(atob(document.currentScript.previousElementSibling' +
  '.textContent.match(/base64,([^)]+)/)[1]),c=>c.charCodeAt()),{weight:"1 999"}))}catch{}})()';

/** Caches font subsets by face and letters. */
const subsets = new Map<string, Promise<string>>();

/** Tables of a font that only layout features use. Subsets omit these tables. */
const tablesOfFeatures = ['GDEF', 'GPOS', 'GSUB', 'STAT'];

/** Returns a data URL of the face with only the given letters. */
async function subsetUrl(file: string, letters: string): Promise<string> {
  const font = Buffer.from((contents[file] ?? '').split(',')[1] ?? '', 'base64');
  const subset = await subsetFont(font, letters, {
    targetFormat: 'woff2',
    keepFeatures: [],
    dropTables: tablesOfFeatures,
  });
  return `data:font/woff2;base64,${subset.toString('base64')}`;
}

/**
 * Returns a heading face's `@font-face` rules and file URL. `optional` headings never change their
 * font after the first paint, because that would shift the text. Throws if the face is missing.
 */
export async function headingFace(name: string, firstScreen: string, display: 'swap' | 'optional') {
  const file = `./fonts/${name}.woff2`;
  const url = addresses[file];
  if (!url) throw new Error(`${file} is missing`);
  // The page embeds only the letters of its first screen, so that its first paint is fast.
  const letters = [...new Set(firstScreen)].sort().join('');
  const key = `${name} ${letters}`;
  const data = subsets.get(key) ?? subsetUrl(file, letters);
  subsets.set(key, data);
  return { url, css: rule('heading-first', 'block', await data) + rule('heading', display, url) };
}
