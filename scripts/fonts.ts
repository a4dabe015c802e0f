/**
 * `node scripts/fonts.ts`: subsets the themes' heading fonts to the letters of English and Spanish headings,
 * into `src/site/fonts/`, each with its licence.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';
import type { HeadingFace } from '../src/site/themes/theme.ts';

/** The characters of headings. All others fall back to the next font. */
const letters =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' +
  'ÁÉÍÓÚÑáéíóúüñ .,:;!?¿¡()/&%$\'"’‘“”-–—…\u00a0';

/** A font's source, and the point in its design space that its theme uses. */
type Face = { readonly source: string; readonly file: string; readonly axes?: Axes };
type Axes = Readonly<Record<string, number>>;

/** Returns a variable font of the Fontsource project; `style` names its file. */
function variable(name: string, axes: Axes, style = 'wght'): Face {
  const file = `${name}-latin-${style}-normal.woff2`;
  return { source: `@fontsource-variable/${name}`, file, axes };
}

const faces: Readonly<Record<HeadingFace, Face>> = {
  archivo: variable('archivo', { wght: 750, wdth: 112 }, 'standard'),
  bricolage: variable('bricolage-grotesque', { wght: 700, wdth: 100, opsz: 40 }, 'standard'),
  'dm-serif': {
    source: '@fontsource/dm-serif-display',
    file: 'dm-serif-display-latin-400-normal.woff2',
  },
  fraunces: variable('fraunces', { wght: 560, opsz: 60, SOFT: 100, WONK: 0 }, 'full'),
  lora: variable('lora', { wght: 620 }),
  newsreader: variable('newsreader', { wght: 560, opsz: 40 }, 'standard'),
  nunito: variable('nunito', { wght: 800 }),
  outfit: variable('outfit', { wght: 600 }),
  overpass: variable('overpass', { wght: 800 }),
  playfair: variable('playfair-display', { wght: 800 }),
  'public-sans': variable('public-sans', { wght: 750 }),
  'space-grotesk': variable('space-grotesk', { wght: 700 }),
};

/** The size limit of a font (docs/design.md#type). */
const MOST_BYTES = 12_500;

const folder = join(import.meta.dirname, '..', 'src', 'site', 'fonts');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [name, { source, file, axes }] of Object.entries(faces)) {
  const home = dirname(createRequire(import.meta.url).resolve(`${source}/package.json`));
  const font = await subsetFont(readFileSync(join(home, 'files', file)), letters, {
    targetFormat: 'woff2',
    ...(axes && { variationAxes: axes }),
    keepFeatures: ['kern', 'lnum', 'tnum'],
    noHinting: true,
  });
  if (font.length > MOST_BYTES) throw new Error(`${name} has ${font.length} bytes`);
  writeFileSync(join(folder, `${name}.woff2`), font);
  copyFileSync(join(home, 'LICENSE'), join(folder, `${name}.LICENSE.txt`));
  console.log(`${name}: ${font.length} bytes`);
}
