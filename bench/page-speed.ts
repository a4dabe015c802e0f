import { brotliCompressSync } from 'node:zlib';
import { type Browser, chromium } from '@playwright/test';
import Fastify from 'fastify';
import { scriptSettings } from '../sandbox/environment.ts';
import { browserArgs, ensureBrowser } from '../scripts/browser.ts';
import { startDemo } from '../tests/browser/support/demo.ts';
import { figuresOf } from './measure.ts';
import {
  type FirstAnswer,
  firstAnswer,
  processorSlowdown,
  profileTaps,
  type Taps,
  tapThrough,
} from './phone-visit.ts';
import { sameLookPage } from './same-look.ts';

const noScripts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(scriptSettings('')).map((name) => [name, '']),
);

const surveyPath = '/survey/v4nv';
const tapsAVisit = 7;
const rounds = 10;

type Visits = {
  readonly url: string;
  readonly first: FirstAnswer[];
  readonly taps: Taps[];
  readonly scriptsMs: number[];
};

type Row = {
  readonly name: string;
  readonly of: (visits: Visits) => readonly number[];
  readonly digits?: number;
  readonly wanted?: number;
  readonly wantedTimes?: number;
};

const first = (time: keyof FirstAnswer) => (visits: Visits) =>
  visits.first.map((visit) => visit[time]);
const taps = (cost: Exclude<keyof Taps, 'usableMs'>) => (visits: Visits) =>
  visits.taps.map((visit) => visit[cost]);

const rows: readonly Row[] = [
  { name: 'first paint, ms', of: first('paintMs'), wantedTimes: 1.1 },
  {
    name: 'first tap has brought the next question, ms',
    of: first('nextMs'),
    wantedTimes: 1.15,
  },
  {
    name: 'tap to usable (painted, takes taps), ms',
    of: (visits) => visits.taps.flatMap(({ usableMs }) => usableMs),
    wantedTimes: 1.15,
  },
  {
    name: 'slowest step, ms',
    of: (visits) => visits.taps.map(({ usableMs }) => Math.max(...usableMs)),
    wantedTimes: 1.1,
  },
  { name: 'processor per step, ms', of: taps('processorMs'), digits: 1, wantedTimes: 1.3 },
  {
    name: 'own scripts (without React) per step, ms',
    of: (visits) => visits.scriptsMs,
    digits: 1,
    wanted: 12,
  },
  { name: 'longest task after the first question, ms', of: taps('longestTaskMs'), wanted: 50 },
  { name: 'layout shift after the first paint', of: taps('layoutShift'), digits: 3, wanted: 0 },
];

async function visitAll(browser: Browser, pages: readonly Visits[]): Promise<void> {
  for (const page of pages) page.first.push(await firstAnswer(browser, page.url));
  for (const page of pages) page.taps.push(await tapThrough(browser, page.url, tapsAVisit));
  for (const page of pages) page.scriptsMs.push(await profileTaps(browser, page.url, tapsAVisit));
}

/** Serves one page, and forwards all other requests to the server at `origin`. */
async function servePage(html: string, origin: string) {
  const server = Fastify();
  server.get('/*', async (request, reply) => {
    const answer = request.url === '/look' ? new Response(html) : await fetch(origin + request.url);
    const type = request.url === '/look' ? 'text/html' : answer.headers.get('content-type');
    reply.code(answer.status).type(type ?? 'application/octet-stream');
    const content = Buffer.from(await answer.arrayBuffer());
    return reply.header('content-encoding', 'br').send(brotliCompressSync(content));
  });
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  return { url: `${url}/look`, close: () => server.close() };
}

/**
 * Compares the survey page with a plain HTML page of the same look, on a slow line and a slow
 * processor. Sets the exit code to 1 if the survey misses a target.
 */
export async function benchPageSpeed(): Promise<void> {
  const stack = await startDemo([], noScripts);
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: browserArgs });
  const surveyUrl = `${stack.url}${surveyPath}?s1=bench`;
  const look = await servePage(await sameLookPage(browser, surveyUrl, tapsAVisit), stack.url);
  const urls = [look.url, surveyUrl];
  const newPages = () => urls.map((url): Visits => ({ url, first: [], taps: [], scriptsMs: [] }));
  const pages = newPages();
  try {
    // Fills the caches.
    await visitAll(browser, newPages());
    for (let round = 0; round < rounds; round += 1) await visitAll(browser, pages);
  } finally {
    await browser.close();
    await look.close();
    await stack.stop();
  }
  console.log(
    `${surveyPath} on slow 4G, processor slowed ${processorSlowdown} times, ${rounds} alternating rounds;` +
      ' medians and the spread of the middle half:',
  );
  console.log(tableLine('', ['look', 'survey', 'wanted, at most']));
  for (const row of rows) if (!printRow(row, pages)) process.exitCode = 1;
}

function tableLine(name: string, cells: readonly string[]): string {
  return `  ${name.padEnd(46)}${cells.map((cell) => cell.padEnd(22)).join('')}`.trimEnd();
}

/** Prints a row of the table. Returns true if the survey's page meets the row's target. */
function printRow(row: Row, pages: readonly Visits[]): boolean {
  const { name, of, digits = 0, wanted, wantedTimes } = row;
  const [look, survey] = pages.map((visits) => figuresOf(of(visits)));
  if (!look || !survey) return false;
  const shown = (value: number) => value.toFixed(digits);
  const cells = [look, survey].map(
    ({ median, low, high }) => `${shown(median)} (${shown(low)} to ${shown(high)})`,
  );
  const times = wantedTimes ?? Number.POSITIVE_INFINITY;
  const isMissed = survey.low > (wanted ?? times * look.high);
  if (wanted !== undefined) cells.push(shown(wanted));
  if (wantedTimes !== undefined) cells.push(`${shown(times * look.median)} (${times} × look)`);
  console.log(tableLine(name, [...cells, ...(isMissed ? ['MISSED'] : [])]));
  return !isMissed;
}
