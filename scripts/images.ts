/**
 * Draws the icons and preview pictures shown outside the site (tabs, home screens, shared links) into
 * `src/site/public/`: `node scripts/images.ts`. The results are committed; redraw them when the mark, the
 * default theme or the words change.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { homeEn } from '../content/home/en.ts';
import { homeEs } from '../content/home/es.ts';
import { derivePalette } from '../src/site/themes/palette.ts';
import { themes } from '../src/site/themes/themes.ts';
import { browserArgs, findBrowser } from './browser.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'src', 'site', 'public');
const light = derivePalette(themes.default.seeds, 'light');

/** Returns the logo's road into the morning, as in `src/survey/page/logo.tsx`. */
const mark = (body: string, spark: string) =>
  `<path fill="${body}" d="M2 16a14 14 0 0 1 28 0c0 3.4-1.2 6.5-3.2 9L19.2 16h-6.4L5.2 25A14 14 0 0 1 2 16zM7.3 27 13 19.5h6L24.7 27A14 14 0 0 1 16 30a14 14 0 0 1-8.7-3z"/>` +
  `<circle fill="${spark}" cx="16" cy="10.5" r="3.5"/>`;

/** Returns the mark on a background, entirely inside the circle that a phone may cut out. */
const icon = (corner: number) =>
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<title>A road into the morning</title>' +
  `<rect width="32" height="32" rx="${corner}" fill="${light.panel}"/>` +
  `<g transform="translate(5.6 5.6) scale(0.65)">${mark(light['on-panel'], light.highlight)}</g></svg>`;

const card = (heading: string, line: string) => `
<style>
  @font-face { font-family: heading; src: url(data:font/woff2;base64,${readFileSync(join(root, 'src/site/fonts/newsreader.woff2'), 'base64')}); font-weight: 400 700; }
  body { position: relative; width: 1200px; height: 630px; margin: 0; overflow: hidden; background: ${light.panel}; color: ${light['on-panel']}; }
  h1 { position: absolute; left: 80px; top: 64px; width: 1000px; margin: 0; font: 560 84px/1.08 heading; letter-spacing: -0.012em; text-wrap: balance; }
  p { position: absolute; left: 80px; top: 290px; margin: 0; color: ${light['on-panel-quiet']}; font: 500 34px/1.3 system-ui, sans-serif; }
  svg { position: absolute; inset: auto 0 0; width: 1200px; height: 250px; }
</style>
<h1>${heading}</h1><p>${line}</p>
<svg viewBox="0 0 1200 250" preserveAspectRatio="none">
  <circle cx="930" cy="92" r="58" fill="${light['art-sun']}"/>
  <path d="M0 120c150-50 330-70 520-30s400 50 680-20v180H0z" fill="${light['art-far']}"/>
  <path d="M0 180c200-60 420-70 640-24s380 30 560-20v114H0z" fill="${light['art-mid']}"/>
  <path d="M0 226c240-40 520-36 760 4 60 10 80 14 110 20H0z" fill="${light['art-near']}"/>
</svg>`;

const browser = await chromium.launch({
  args: [...browserArgs],
  ...(findBrowser() ? { executablePath: findBrowser() } : {}),
});
const page = await browser.newPage();

async function draw(file: string, width: number, height: number, html: string): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.setContent(html);
  await page.evaluate(() => document.fonts.ready);
  const picture = await page.screenshot({ omitBackground: true });
  writeFileSync(join(folder, file), picture);
  console.log(`${file}: ${picture.length} bytes`);
}

const filled = (svg: string) =>
  `<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`;
writeFileSync(join(folder, 'favicon.svg'), icon(7));
await draw('icon-48.png', 48, 48, filled(icon(7)));
// Phones round the corners themselves.
await draw('apple-touch-icon.png', 180, 180, filled(icon(0)));
await draw('icon-192.png', 192, 192, filled(icon(0)));
await draw('icon-512.png', 512, 512, filled(icon(0)));
await draw(
  'social-en.png',
  1200,
  630,
  card(homeEn.heading, 'A few plain questions. The first call is free.'),
);
await draw(
  'social-es.png',
  1200,
  630,
  card(homeEs.heading, 'Unas preguntas sencillas. La primera llamada es gratis.'),
);
await browser.close();
