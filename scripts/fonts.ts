import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';

/** What a heading in English or Spanish is written with. Anything else falls back to the next face. */
const characters =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' +
  'ÁÉÍÓÚÑáéíóúüñ .,:;!?¿¡()/&%$\'"’‘“”-–—…\u00a0';

/** A heading face: where it comes from, and the part of its design space that the themes use. */
type Face = {
  readonly source: string;
  readonly file: string;
  readonly axes: Readonly<Record<string, number | { min: number; max: number }>>;
};

const faces: Readonly<Record<string, Face>> = {
  newsreader: {
    source: '@fontsource-variable/newsreader',
    file: 'newsreader-latin-standard-normal.woff2',
    axes: { wght: { min: 400, max: 700 }, opsz: 40 },
  },
  bricolage: {
    source: '@fontsource-variable/bricolage-grotesque',
    file: 'bricolage-grotesque-latin-standard-normal.woff2',
    axes: { wght: { min: 500, max: 800 }, wdth: 100, opsz: 40 },
  },
};

/** The most bytes that a heading face may have (docs/design.md#type). */
const MOST_BYTES = 25_000;

const folder = join(import.meta.dirname, '..', 'src', 'site', 'fonts');

/** Cuts the heading faces down to `characters`, into `src/site/fonts/`, each with its licence. */
for (const [name, { source, file, axes }] of Object.entries(faces)) {
  const home = dirname(createRequire(import.meta.url).resolve(`${source}/package.json`));
  const font = await subsetFont(readFileSync(join(home, 'files', file)), characters, {
    targetFormat: 'woff2',
    variationAxes: axes,
    keepFeatures: ['kern', 'lnum', 'tnum'],
    noHinting: true,
  });
  if (font.length > MOST_BYTES) throw new Error(`${name} has ${font.length} bytes`);
  writeFileSync(join(folder, `${name}.woff2`), font);
  copyFileSync(join(home, 'LICENSE'), join(folder, `${name}.LICENSE.txt`));
  console.log(`${name}: ${font.length} bytes`);
}
