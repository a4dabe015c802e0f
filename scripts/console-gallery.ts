/**
 * `npm run console-gallery`: screenshots of every page of the console with the demo's history, light and dark, at
 * 1440 and 390 px, in `docs/gallery/console/`, which git ignores. `-- --docs` also writes the pictures of
 * docs/console.md.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import type { LeadListAnswer } from '../src/contract/console/leads.ts';
import type { Plan, PlanRequest, PlansAnswer } from '../src/contract/console/work.ts';
import { openLink } from '../tests/e2e/support/console.ts';
import { signInLinkOf, startDemo } from '../tests/e2e/support/demo.ts';
import { browserArgs, ensureBrowser } from './browser.ts';

const root = join(import.meta.dirname, '..');
const out = join(root, 'docs', 'gallery', 'console');
const images = join(root, 'docs', 'images');

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;
const schemes = ['light', 'dark'] as const;

type Shot = { readonly name: string; readonly path: string };

/** The pages of the console. A lead's page and a plan's need the id of one. */
const pages = (lead: string, plan: string): readonly Shot[] => [
  { name: 'overview', path: '/' },
  { name: 'leads', path: '/leads' },
  { name: 'lead', path: `/leads/${lead}` },
  { name: 'deliveries', path: '/deliveries?days=30' },
  { name: 'plans', path: '/plans' },
  { name: 'plan', path: `/plans/${plan}` },
  { name: 'funnels', path: '/funnels?survey=%2Fsurvey%2Fv5&days=30' },
  { name: 'surveys', path: '/surveys' },
  { name: 'survey', path: '/surveys?survey=%2Fsurvey%2Fv4nv' },
  { name: 'suppressions', path: '/people-requests' },
  { name: 'requests', path: '/people-requests?tab=requests' },
  { name: 'erasure', path: '/people-requests?tab=erasure' },
  { name: 'system', path: '/system' },
  ...['versions', 'settings', 'people', 'audit', 'account'].map((view) => {
    return { name: `system-${view}`, path: `/system?view=${view}` };
  }),
  { name: 'sign-in', path: '/sign-in' },
];

/** The pictures of docs/console.md, light, 1440 px. */
const ofDocs = ['overview', 'lead', 'deliveries', 'funnels'];

/** Waits until the page has drawn its answers. The event stream keeps the network busy. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.locator('main h1').first().waitFor();
  const loading = '[aria-busy=true], .skeleton, iframe[data-loaded=false]';
  await page.waitForFunction((waiting) => !document.querySelector(waiting), loading);
  await page.evaluate(() => document.fonts.ready);
}

async function signedIn(browser: Browser, link: string, options: object): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await openLink(page, link);
  await page.close();
  return context;
}

/** Returns a failed lead, and a plan that sends all of them again. */
async function examples({ request }: BrowserContext): Promise<{ lead: string; plan: string }> {
  const at = (path: string) => demo.consoleUrl + path;
  const dead = await request.get(at('/api/leads?delivery=dead'));
  const { rows } = (await dead.json()) as LeadListAnswer;
  const leadIds = rows.map(({ id }) => id);
  const known = (await (await request.get(at('/api/plans'))).json()) as PlansAnswer;
  const data: PlanRequest = { action: 'resend', reason: 'Their outage of last night', leadIds };
  const headers = { 'x-console': '1', origin: demo.consoleUrl };
  const plan =
    known.plans[0] ??
    ((await (await request.post(at('/api/plans'), { data, headers })).json()) as Plan);
  return { lead: leadIds[0] ?? '', plan: plan.id };
}

/** Converts a PNG in the browser. @returns a WebP of at most this many bytes */
async function webp(browser: Browser, png: Buffer, most: number): Promise<Buffer> {
  const page = await browser.newPage();
  try {
    for (const quality of [0.85, 0.7, 0.5]) {
      const data = await page.evaluate(
        async ([source, level]) => {
          const image = new Image();
          image.src = `data:image/png;base64,${source}`;
          await image.decode();
          const canvas = document.createElement('canvas');
          [canvas.width, canvas.height] = [image.width, image.height];
          canvas.getContext('2d')?.drawImage(image, 0, 0);
          return canvas.toDataURL('image/webp', level).split(',')[1] ?? '';
        },
        [png.toString('base64'), quality] as const,
      );
      const picture = Buffer.from(data, 'base64');
      if (picture.length <= most) return picture;
    }
    throw new Error(`A picture has more than ${most} bytes`);
  } finally {
    await page.close();
  }
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
mkdirSync(images, { recursive: true });
const demo = await startDemo('--history');
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: [...browserArgs, '--font-render-hinting=none'],
});
try {
  let number = 0;
  for (const size of sizes) {
    for (const colorScheme of schemes) {
      number += 1;
      const link = await signInLinkOf(demo, `gallery-${number}@claims.example`, 'admin');
      const looks = { viewport: size, colorScheme, isMobile: size.width < 600 };
      const context = await signedIn(browser, link, { ...looks, reducedMotion: 'reduce' });
      const { lead, plan } = await examples(context);
      const page = await context.newPage();
      for (const { name, path } of pages(lead, plan)) {
        await page.goto(demo.consoleUrl + path);
        await settled(page).catch(() => console.warn(`${path} is not settled`));
        const file = `${name}-${colorScheme}-${size.width}`;
        await page.screenshot({ path: join(out, `${file}.png`), fullPage: true });
        const isForDocs = colorScheme === 'light' && size.width > 600 && ofDocs.includes(name);
        if (isForDocs && process.argv.includes('--docs')) {
          const picture = await webp(browser, await page.screenshot(), 150_000);
          writeFileSync(join(images, `console-${name}.webp`), picture);
        }
      }
      await context.close();
      console.log(`${size.width} px ${colorScheme}`);
    }
  }
} catch (error) {
  console.error(demo.output().slice(-4_000));
  throw error;
} finally {
  await browser.close();
  await demo.stop();
}
