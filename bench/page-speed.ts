import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { browserArgs, ensureBrowser } from '../scripts/browser.ts';
import { demoSite } from '../scripts/demo-site.ts';
import { weighPage } from '../scripts/page-weight.ts';
import { surveys } from '../src/flows/surveys.ts';
import { loadAstroPages } from '../src/server/routes/astro-pages.ts';
import { pageDocument } from '../src/server/routes/page-document.ts';
import { startDemo } from '../tests/e2e/support/demo.ts';
import {
  endProgram,
  noScripts,
  type Program,
  startProgram,
} from '../tests/e2e/support/programs.ts';
import { figuresOf } from './figures.ts';
import { startPagesBeside } from './page-servers.ts';
import {
  type FirstAnswer,
  firstAnswer,
  processorSlowdown,
  type Taps,
  tapThrough,
} from './phone-visit.ts';
import { sameLookPage } from './same-look.ts';
import { type TapTrace, traceTaps } from './tap-trace.ts';

const surveyPath = '/survey/v4nv';
/** The number of this survey's questions before the description. */
const tapsAVisit = 7;
const tracedRounds = 3;
/** The measured pages. `look`: the survey's look as plain HTML. */
const pageNames = ['look', 'bare React', 'survey'] as const;
type PageName = (typeof pageNames)[number];

type Visits = {
  readonly name: PageName;
  readonly url: string;
  readonly first: FirstAnswer[];
  readonly taps: Taps[];
  readonly traces: TapTrace[];
};

/** One row of the table: how to get a value from a page's visits, and the survey's highest wanted value if any. */
type Row = {
  readonly name: string;
  readonly of: (visits: Visits) => readonly number[];
  readonly digits?: number;
  /** A number, or so many times the value of another page. */
  readonly wanted?: number | { readonly times: number; readonly beside: PageName };
};

/** Returns the 95th percentile of each visit's steps, which with few steps is the slowest one. */
function slowest({ taps }: Visits): number[] {
  return taps.map(({ paintedMs }) => Math.max(...paintedMs));
}

const rows: readonly Row[] = [
  {
    name: 'first paint, ms',
    of: ({ first }) => first.map((visit) => visit.paintMs),
    wanted: { times: 1.1, beside: 'look' },
  },
  {
    name: 'first tap has brought the next question, ms',
    of: ({ first }) => first.map((visit) => visit.nextMs),
    wanted: { times: 1.15, beside: 'look' },
  },
  {
    name: 'tap to the next question in the document, ms',
    of: ({ taps }) => taps.flatMap((visit) => visit.inDocumentMs),
    digits: 1,
    wanted: { times: 1, beside: 'bare React' },
  },
  {
    name: 'tap to usable (painted, takes taps), ms',
    of: ({ taps }) => taps.flatMap((visit) => visit.paintedMs),
    wanted: { times: 1.2, beside: 'bare React' },
  },
  {
    name: 'slowest step of a visit, ms',
    of: slowest,
    wanted: { times: 1.2, beside: 'bare React' },
  },
  {
    name: 'processor per step, ms',
    of: ({ taps }) => taps.map((visit) => visit.processorMs),
    digits: 1,
    wanted: { times: 1.6, beside: 'bare React' },
  },
  {
    name: 'longest task after the first question, ms',
    of: ({ taps }) => taps.map((visit) => visit.longestTaskMs),
    wanted: 50,
  },
  {
    name: 'tasks over 50 ms: blocked in all, ms',
    of: ({ taps }) => taps.map((visit) => visit.blockingMs),
    wanted: 20,
  },
  {
    name: 'layout shift after the first paint',
    of: ({ taps }) => taps.map((visit) => visit.layoutShift),
    digits: 3,
    wanted: 0,
  },
  tracedRow('style, layout and paint', ({ renderingMs }) => renderingMs),
  tracedRow('history, storage and requests', ({ browserCallsMs }) => browserCallsMs),
  tracedRow('other scripts', ({ scriptMs }) => scriptMs),
  tracedRow('events, tasks, the rest', ({ restMs }) => restMs),
];

/** Returns a row of what a traced step is made of. */
function tracedRow(name: string, of: (trace: TapTrace) => number): Row {
  return { name: `traced step: ${name}, ms`, of: ({ traces }) => traces.map(of), digits: 1 };
}

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

async function traceAll(browser: Browser, pages: readonly Visits[]): Promise<void> {
  for (const page of pages) page.traces.push(await traceTaps(browser, page.url, tapsAVisit));
}

/** Returns the address of a page behind a slow line. */
async function overSlowLine(url: string, lines: Program[]): Promise<string> {
  const { port, pathname, search } = new URL(url);
  const line = await startProgram(['bench/slow-line.ts', port], {});
  lines.push(line);
  return line.url + pathname + search;
}

/**
 * Compares the survey page with its own look in plain HTML, which shows what the look itself costs, and with a
 * bare React page: on slow 4G with the processor slowed four times, in alternating rounds. Prints medians, the
 * spread of their middle half, and the wanted values. A row is missed if the spreads do not even touch; then the
 * process ends with an error. Three more rounds are traced, to show what a step is made of.
 *
 * @param rounds visits of each page, after one that warms the browser up
 */
export async function benchPageSpeed(rounds = 10): Promise<void> {
  const beside = await startPagesBeside();
  const stack = await startDemo([], noScripts);
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: browserArgs });
  const lines: Program[] = [];
  const page = async (name: PageName, url: string): Promise<Visits> => {
    return { name, url: await overSlowLine(url, lines), first: [], taps: [], traces: [] };
  };
  const surveyUrl = `${stack.url}${surveyPath}?s1=bench`;
  const lookHtml = await sameLookPage(browser, surveyUrl, tapsAVisit);
  const pages = [
    await page('look', beside.serve('/look', lookHtml, stack.url)),
    await page('bare React', beside.bareUrl),
    await page('survey', surveyUrl),
  ];
  try {
    await visitAll(
      browser,
      pages.map((each) => ({ ...each, first: [], taps: [], traces: [] })),
    );
    for (let round = 0; round < rounds; round += 1) await visitAll(browser, pages);
    for (let round = 0; round < tracedRounds; round += 1) await traceAll(browser, pages);
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
  console.log(tableLine('', [...pageNames, 'wanted, at most']));
  for (const row of rows) if (!printRow(row, pages)) process.exitCode = 1;
  const { before, idle } = await surveyBytes();
  const kB = (bytes: number) => (bytes / 1_000).toFixed(1);
  console.log(
    `JavaScript and CSS: ${kB(before)} kB of gzip before idle, ${kB(idle)} more once idle`,
  );
}

function tableLine(name: string, cells: readonly string[]): string {
  return `  ${name.padEnd(46)}${cells.map((cell) => cell.padEnd(22)).join('')}`.trimEnd();
}

/** Prints a row of the table. @returns whether the survey is within it */
function printRow({ name, of, digits = 0, wanted }: Row, pages: readonly Visits[]): boolean {
  const figures = new Map(pages.map((visits) => [visits.name, figuresOf(of(visits))]));
  const figuresFor = (page: PageName) => figures.get(page) ?? figuresOf([]);
  const shown = (value: number) => value.toFixed(digits);
  const cells = pageNames.map((page) => {
    const { median, low, high } = figuresFor(page);
    return `${shown(median)} (${shown(low)} to ${shown(high)})`;
  });
  if (wanted === undefined) {
    console.log(tableLine(name, cells));
    return true;
  }
  const isFixed = typeof wanted === 'number';
  const most = isFixed ? wanted : wanted.times * figuresFor(wanted.beside).median;
  const highest = isFixed ? wanted : wanted.times * figuresFor(wanted.beside).high;
  const isMissed = figuresFor('survey').low > highest;
  const how = isFixed ? shown(most) : `${shown(most)} (${wanted.times} × ${wanted.beside})`;
  console.log(tableLine(name, [...cells, isMissed ? `${how} MISSED` : how]));
  return !isMissed;
}
