import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { browserArgs, ensureBrowser } from '../scripts/browser.ts';
import { demoSite } from '../scripts/demo-site.ts';
import { weighPage } from '../scripts/page-weight.ts';
import { surveys } from '../src/flows/surveys.ts';
import { loadAstroPages } from '../src/server/routes/astro-pages.ts';
import { pageDocument } from '../src/server/routes/page-document.ts';
import {
  endProgram,
  noScripts,
  type Program,
  startProgram,
  startStack,
} from '../tests/e2e/support/stack.ts';
import { figuresOf, median } from './figures.ts';
import { startPagesBeside } from './page-servers.ts';
import {
  type FirstAnswer,
  firstAnswer,
  processorSlowdown,
  type Taps,
  tapThrough,
} from './phone-visit.ts';
import { sameLookPage } from './same-look.ts';

const surveyPath = '/survey/v4nv';
/** The number of this survey's questions before the description. */
const tapsAVisit = 7;
/** Taps per series. The slowest one counts. */
const tapsInARow = 20;

type Visits = {
  readonly name: string;
  readonly url: string;
  readonly first: FirstAnswer[];
  readonly taps: Taps[];
};

/** One row of the table: how to get a value from a page's visits, and the survey's target. */
type Row = {
  readonly name: string;
  readonly of: (visits: Visits) => readonly number[];
  readonly digits?: number;
  readonly wanted: { readonly times: number; readonly beside: 'plain HTML' | 'bare React' };
};

function slowestInARow(visits: Visits): number[] {
  const all = visits.taps.flatMap((taps) => taps.paintedMs);
  const rows = Math.max(1, Math.floor(all.length / tapsInARow));
  return Array.from({ length: rows }, (_, row) =>
    Math.max(...all.slice(row * tapsInARow, (row + 1) * tapsInARow)),
  );
}

const rows: readonly Row[] = [
  {
    name: 'first paint, ms',
    of: ({ first }) => first.map((visit) => visit.paintMs),
    wanted: { times: 1.1, beside: 'plain HTML' },
  },
  {
    name: 'tap has brought the next question, ms',
    of: ({ first }) => first.map((visit) => visit.nextMs),
    wanted: { times: 1.15, beside: 'plain HTML' },
  },
  {
    name: 'tap to the next question in the document, ms',
    of: ({ taps }) => taps.flatMap((visit) => visit.inDocumentMs),
    digits: 1,
    wanted: { times: 2, beside: 'bare React' },
  },
  {
    name: 'the same, slowest of twenty, painted, ms',
    of: slowestInARow,
    wanted: { times: 1.5, beside: 'bare React' },
  },
  {
    name: 'processor time per step, ms',
    of: ({ taps }) => taps.map((visit) => visit.processorMs),
    digits: 1,
    wanted: { times: 1.5, beside: 'bare React' },
  },
];

/** Returns the survey page's JavaScript and CSS in bytes of gzip, before and after it is idle. */
async function surveyBytes(): Promise<{ readonly before: number; readonly idle: number }> {
  const pages = await loadAstroPages(join(import.meta.dirname, '..', 'dist'), demoSite(surveys));
  const page = await pageDocument(await pages.render(surveyPath), pages.scripts);
  const { javascript, css, later, laterCss } = weighPage(page, pages.scripts);
  return { before: javascript + css, idle: later + laterCss };
}

async function visitAll(browser: Browser, pages: readonly Visits[]): Promise<void> {
  for (const page of pages) page.first.push(await firstAnswer(browser, page.url, 'real'));
  for (const page of pages) page.taps.push(await tapThrough(browser, page.url, tapsAVisit));
}

/** Returns the address of a page behind a slow line. */
async function overSlowLine(url: string, lines: Program[]): Promise<string> {
  const { port, pathname, search } = new URL(url);
  const line = await startProgram(['bench/slow-line.ts', port], {});
  lines.push(line);
  return line.url + pathname + search;
}

/**
 * Compares the survey page with plain HTML and a bare React page, on slow 4G with the processor slowed four
 * times, in alternating rounds. Also measures the survey's look as plain HTML, which shows what the look
 * itself costs. Prints medians, the range of their middle half, and the targets.
 *
 * @param rounds visits of each page, after one that warms the browser up
 */
export async function benchPageSpeed(rounds = 10): Promise<void> {
  const beside = await startPagesBeside();
  const stack = await startStack(noScripts);
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: browserArgs });
  const lines: Program[] = [];
  const page = async (name: string, url: string): Promise<Visits> => {
    return { name, url: await overSlowLine(url, lines), first: [], taps: [] };
  };
  const surveyUrl = `${stack.url}${surveyPath}?s1=bench`;
  const survey = await page('survey', surveyUrl);
  const plain = await page('plain HTML', beside.plainUrl);
  const bare = await page('bare React', beside.bareUrl);
  const lookHtml = await sameLookPage(browser, surveyUrl, tapsAVisit);
  const look = await page('same look', beside.serve('/look', lookHtml, stack.url));
  const pages = [survey, plain, bare, look];
  try {
    await visitAll(
      browser,
      pages.map((each) => ({ ...each, first: [], taps: [] })),
    );
    for (let round = 0; round < rounds; round += 1) await visitAll(browser, pages);
  } finally {
    await browser.close();
    for (const line of lines) await endProgram(line.child, 'SIGTERM');
    await stack.stop();
    await beside.stop();
  }
  console.log(
    `${surveyPath} on slow 4G, processor slowed ${processorSlowdown} times, ${rounds} alternating rounds;` +
      ' medians and the spread of the middle half:',
  );
  for (const { name, of, digits = 0, wanted } of rows) {
    const shown = (visits: Visits) => {
      const { median: middle, low, high } = figuresOf(of(visits));
      return `${middle.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
    };
    const other = wanted.beside === 'plain HTML' ? plain : bare;
    const times = median(of(survey)) / median(of(other));
    console.log(
      `  ${name.padEnd(46)} survey ${shown(survey)}, plain ${shown(plain)}, bare ${shown(bare)}:` +
        ` ${times.toFixed(2)} × ${wanted.beside}, target at most ${wanted.times};` +
        ` its look as plain HTML ${shown(look)}`,
    );
  }
  const kB = (bytes: number) => (bytes / 1_000).toFixed(1);
  const bytes = await surveyBytes();
  console.log(
    `  ${'JavaScript and CSS before idle, gzip kB'.padEnd(46)} survey ${kB(bytes.before)} (${kB(bytes.idle)} more once idle), plain ${kB(beside.plainBytes)},` +
      ` bare ${kB(beside.bareBytes)}; target at most 86`,
  );
  const longest = median(survey.taps.map((visit) => visit.longestTaskMs));
  const blocking = median(survey.taps.map((visit) => visit.blockingMs));
  console.log(
    `  survey: longest task after the first question ${longest.toFixed(0)} ms (target at most 50),` +
      ` blocked ${blocking.toFixed(0)} ms in all (target at most 20)`,
  );
}
