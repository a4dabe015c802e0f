/**
 * `npm run gallery`: writes `docs/gallery/`, contact sheets of every page and every distinct screen at 360
 * and 1440 px. Needs no database: it serves only the built pages, on loopback.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import Fastify from 'fastify';
import { experiments } from '../src/flows/experiments.ts';
import { surveys } from '../src/flows/surveys.ts';
import { methodTable } from '../src/server/routes/method-table.ts';
import { readPageManifest } from '../src/server/routes/page-manifest.ts';
import { startPageProcess } from '../src/server/routes/page-process.ts';
import { pagesPlugin } from '../src/server/routes/pages.ts';
import { previewSteps, screenAddress } from '../src/site/preview.ts';
import { browserArgs, ensureBrowser } from './browser.ts';
import { buildPages } from './build.ts';
import { demoSite } from './demo-site.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const out = join(root, 'docs', 'gallery');

/** Each page width with its pictures' scale, greatest height and number per row. */
const sizes = [
  { width: 360, scale: 0.5, high: 760, inRow: 8 },
  { width: 1440, scale: 0.22, high: 1000, inRow: 5 },
] as const;
const OF_SHEET = 40;
const AT_ONCE = 3;

const locals = demoSite(surveys);

type Shot = { readonly name: string; readonly address: string };
type Picture = { readonly name: string; readonly data: string };

/**
 * Returns every page of the manifest except survey pages. Includes each thank-you page as a visitor with a
 * sent lead sees it, and one as others do.
 */
function pagesToSee(): Shot[] {
  const addresses = readPageManifest(dist).flatMap(({ at, source }) => {
    if (at === 'thank-you') {
      const thanks = new Set(surveys.map(({ thankYouPath }) => thankYouPath));
      return [
        ...[...thanks].flatMap((path) => [`${path}?q=y#sent`, `${path}?q=n#sent`]),
        ...['/survey-thank-you/?q=y&lang=es#sent', '/survey-thank-you/?q=n&state=TX#sent'],
        '/survey-thank-you/?q=y',
      ];
    }
    if (at === 'not-found') return ['/nothing-here'];
    if (at === 'surveys') return [];
    return at === 'preview' ? (source === '/preview/' ? [source] : []) : at;
  });
  const seen = addresses.filter((address) => !/\.\w+$/.test(address));
  return [...seen, '/contact/?sent=1'].map((address) => ({ name: address, address }));
}

/** Returns each flow's screens by language, without those that an earlier survey has. */
async function screensToSee(): Promise<Shot[]> {
  const seen = new Set<string>();
  const shots: Shot[] = [];
  for (const survey of surveys) {
    for (const [index, step] of (await previewSteps(survey, locals)).entries()) {
      const screen = `${survey.language} ${step}`;
      if (seen.has(screen)) continue;
      seen.add(screen);
      shots.push({ name: `${step} (${survey.path})`, address: screenAddress(survey.path, index) });
    }
  }
  return shots;
}

async function shoot(
  browser: Browser,
  base: string,
  shots: readonly Shot[],
  { width, scale, high }: (typeof sizes)[number],
): Promise<Picture[]> {
  const pictures: Picture[] = [];
  const rest = [...shots.entries()];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const context = await browser.newContext({
        viewport: { width, height: high },
        deviceScaleFactor: scale,
        reducedMotion: 'reduce',
        isMobile: width < 600,
      });
      const page = await context.newPage();
      for (let next = rest.shift(); next; next = rest.shift()) {
        const [index, { name, address }] = next;
        await page.goto(base + address, { waitUntil: 'load' });
        const data = await page.screenshot({ type: 'jpeg', quality: 55 });
        pictures[index] = { name, data: data.toString('base64') };
      }
      await context.close();
    }),
  );
  return pictures;
}

async function sheets(
  browser: Browser,
  about: string,
  pictures: readonly Picture[],
  { width, scale, inRow }: (typeof sizes)[number],
): Promise<void> {
  const cell = Math.round(width * scale);
  for (let from = 0; from < pictures.length; from += OF_SHEET) {
    const page = await browser.newPage({
      viewport: { width: inRow * (cell + 12) + 12, height: 600 },
    });
    const cells = pictures
      .slice(from, from + OF_SHEET)
      .map(
        ({ name, data }) =>
          `<figure><img src="data:image/jpeg;base64,${data}"><figcaption>${name.replaceAll('&', '&amp;')}</figcaption></figure>`,
      )
      .join('');
    await page.setContent(
      `<style>body{margin:12px;display:grid;grid-template-columns:repeat(${inRow},${cell}px);gap:12px;` +
        `font:9px sans-serif;background:#999}figure{margin:0}img{display:block;width:100%}` +
        `figcaption{overflow-wrap:anywhere}</style>${cells}`,
    );
    const number = String(from / OF_SHEET + 1).padStart(2, '0');
    const path = join(out, `${about}-${width}-${number}.jpg`);
    await page.screenshot({ path, type: 'jpeg', quality: 55, fullPage: true });
    await page.close();
  }
}

if (buildPages()) console.log('Pages built.');
const app = Fastify();
methodTable(app);
const refuse = async () => ({ status: 503, places: {} }) as const;
await app.register(pagesPlugin, {
  pages: startPageProcess(dist, locals),
  manifest: readPageManifest(dist),
  ...{ surveys, experiments, hasPreview: true, publicUrl: undefined, formsPerMinute: 1 },
  today: () => 'today',
  forms: { contact: refuse, 'do-not-sell': refuse },
});
const base = await app.listen({ port: 0, host: '127.0.0.1' });
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  // Places letters as current screens do, not on whole pixels of the scaled picture.
  args: [...browserArgs, '--font-render-hinting=none'],
});
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const all = { pages: pagesToSee(), screens: await screensToSee() };
  for (const [about, shots] of Object.entries(all)) {
    for (const size of sizes) {
      await sheets(browser, about, await shoot(browser, base, shots, size), size);
    }
    console.log(`${shots.length} ${about} at ${sizes.map(({ width }) => width).join(' and ')} px`);
  }
} finally {
  await browser.close();
  await app.close();
}
