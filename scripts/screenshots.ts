/**
 * `npm run screenshots`: writes pictures of the site, the survey screens and the console into
 * `screenshots/`. For example, `-- surveys --theme=wine --width=390` limits the pictures.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { surveys } from '../src/model/flows/surveys.ts';
import { previewSteps, screenAddress } from '../src/web/site/preview.ts';
import { pageIds, siteMap } from '../src/web/site/site-map.ts';
import { openLink } from '../tests/browser/support/console.ts';
import { signInLinkOf, startDemo } from '../tests/browser/support/demo.ts';
import { browserArgs, ensureBrowser } from './browser.ts';
import { demoSite } from './demo-site.ts';

const option = (value: string) => ({ type: 'string', default: value }) as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { theme: option(''), scheme: option('light,dark'), width: option('390,1440') },
});
const wants = (what: string) => positionals.length === 0 || positionals.includes(what);
const paths = positionals.filter((each) => each.startsWith('/'));
const out = join(import.meta.dirname, '..', 'screenshots');

function sitePages(): string[] {
  const thanks = ['q=y', 'q=y#sent', 'q=y#state-CO', 'q=n&state=TX#sent'].map(
    (q) => `/survey-thank-you/?${q}`,
  );
  return [...pageIds.flatMap((id) => Object.values(siteMap[id].paths)), ...thanks];
}

/** Returns the URLs of all distinct survey screens, in each language and theme. */
async function surveyScreens(): Promise<string[]> {
  const screens = new Map<string, string>();
  for (const survey of surveys) {
    for (const [index, step] of (await previewSteps(survey, demoSite(surveys))).entries()) {
      const screen = `${survey.language} ${step}`;
      if (!screens.has(screen)) screens.set(screen, screenAddress(survey.path, index));
    }
  }
  const themes = values.theme.split(',').map((theme) => (theme ? `&theme=${theme}` : ''));
  return themes.flatMap((theme) => [...screens.values()].map((address) => address + theme));
}

const consolePages = (
  '/ /leads /deliveries /buyers /buyers?tab=returns /buyers?tab=costs /plans /funnels /surveys ' +
  '/surveys?survey=%2Fsurvey%2Fv4nv /people-requests ' +
  '/people-requests?tab=requests /people-requests?tab=erasure /system /system?tab=audit'
).split(' ');

mkdirSync(out, { recursive: true });
const demo = await startDemo(wants('console') ? ['--history'] : []);
const browser = await chromium.launch({ executablePath: ensureBrowser(), args: browserArgs });
try {
  for (const width of values.width.split(',').map(Number)) {
    for (const colorScheme of values.scheme.split(',') as ('light' | 'dark')[]) {
      const page = await browser.newPage({
        viewport: { width, height: 900 },
        colorScheme,
        reducedMotion: 'reduce',
      });
      const shoot = async (base: string, pages: readonly string[]) => {
        for (const path of pages) {
          await page.goto(base + path);
          await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .skeleton'));
          const name = `${path}-${colorScheme}-${width}`.replaceAll(/\W+/g, '-');
          await page.screenshot({ path: join(out, `${name}.png`), fullPage: true });
        }
      };
      if (wants('site')) await shoot(demo.url, sitePages());
      if (wants('surveys')) await shoot(demo.url, await surveyScreens());
      if (!positionals.includes('console')) await shoot(demo.url, paths);
      if (!wants('console')) continue;
      await openLink(
        page,
        await signInLinkOf(demo, `${colorScheme}-${width}@claims.example`, 'admin'),
      );
      await shoot(demo.consoleUrl, paths.length > 0 ? paths : consolePages);
    }
  }
} finally {
  await browser.close();
  await demo.stop();
}
