/** Measures the console: how fast its pages are beside visitors, and what it costs the visitors. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { surveys } from '../src/flows/surveys.ts';
import { freePort } from '../tests/support/free-port.ts';
import { signIn } from './console-client.ts';
import { benchConsoleCost } from './console-cost.ts';
import { fill, openDatabaseOf, untilCounted } from './console-database.ts';
import { measureFirstPage } from './console-first-page.ts';
import { type PageRequest, pageRequests } from './console-pages.ts';
import { exampleLead } from './example-lead.ts';
import { figuresOf } from './figures.ts';
import { largeHistory } from './fill-history.ts';
import { postLead, startLeadServer } from './lead-server.ts';
import { createPoster } from './poster.ts';

const TARGET_MS = 300;
const TIMES = 20;
const VISITORS = 50;
/** Between two posts of a visitor: 25 leads a second altogether. */
const PAUSE_MS = 2_000;
/** The measuring of pages ends then, also with fewer turns. */
const MOST_PAGES_MS = 150_000;
/** The first counting of a filled database. */
const FILLED_COUNTED_MS = 3_600_000;

/** @param keptDir a folder with a filled database, which is kept; default: one is filled, in minutes */
export async function benchConsole(keptDir?: string): Promise<void> {
  await benchPages(keptDir);
  await benchConsoleCost();
}

/** Measures every page's requests in turns, while visitors post leads. */
async function benchPages(keptDir?: string): Promise<void> {
  const dataDir = keptDir ? resolve(keptDir) : mkdtempSync(join(tmpdir(), 'bench-'));
  const port = await freePort();
  const server = await startLeadServer(undefined, {
    ...{ DATA_DIR: dataDir, CONSOLE_PORT: String(port) },
    EXPERIMENTS: JSON.stringify({ buttons: { surveys: surveys.map(({ path }) => path) } }),
  });
  const pool = await openDatabaseOf(dataDir);
  try {
    const { rowCount } = await pool.query('select 1 from visits limit 1');
    if (rowCount === 0) {
      await fill(pool, largeHistory);
      await untilCounted(pool, FILLED_COUNTED_MS);
    }
    const operator = await signIn(pool, port);
    const requests = await pageRequests(operator);
    const visitors = await startVisitors(server.url);
    try {
      await measureFirstPage(operator);
      await measurePages(requests);
    } finally {
      const posted = await visitors.stop();
      console.log(`  ${VISITORS} visitors posted ${posted.perSecond.toFixed(0)} leads a second`);
    }
  } finally {
    await pool.end();
    await server.stop();
    if (!keptDir) rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measurePages(requests: readonly PageRequest[]): Promise<void> {
  const times = new Map<string, number[]>(requests.map(({ name }) => [name, []]));
  const endMs = performance.now() + MOST_PAGES_MS;
  const failures = new Map<string, number>();
  const failed = (name: string) => () => failures.set(name, (failures.get(name) ?? 0) + 1);
  let turns = 0;
  for (; turns < TIMES && performance.now() < endMs; turns += 1) {
    for (const { name, ask } of requests) {
      const startedMs = performance.now();
      await ask().catch(failed(name));
      times.get(name)?.push(performance.now() - startedMs);
    }
  }
  console.log(`Pages of the console, ${turns} times each, wanted: at most ${TARGET_MS} ms`);
  for (const [name, all] of times) {
    const most = Math.max(...all);
    const sorted = [...all].sort((a, b) => a - b);
    const p95 = sorted[Math.ceil(0.95 * sorted.length) - 1] ?? Number.NaN;
    const mark = most > TARGET_MS ? `  above ${TARGET_MS} ms` : '';
    const refused = failures.has(name) ? `  ${failures.get(name)} FAILED` : '';
    const figure = (ms: number) => `${ms.toFixed(0).padStart(5)} ms`;
    console.log(
      `  ${name.slice(0, 48).padEnd(48)} median ${figure(figuresOf(all).median)}  p95 ${figure(p95)}  max ${figure(most)}${mark}${refused}`,
    );
  }
}

/** Lets visitors post leads, each at a bounded pace, until `stop`. */
async function startVisitors(url: string) {
  const poster = await createPoster(url, VISITORS);
  const startedMs = performance.now();
  let isOver = false;
  let posts = 0;
  const visitor = async (_: unknown, index: number) => {
    await sleep((index * PAUSE_MS) / VISITORS);
    while (!isOver) {
      const next = performance.now() + PAUSE_MS;
      await postLead(poster, exampleLead());
      posts += 1;
      await sleep(Math.max(0, next - performance.now()));
    }
  };
  const all = Promise.all(Array.from({ length: VISITORS }, visitor));
  // Seen by `stop`.
  all.catch(() => undefined);
  return {
    async stop() {
      isOver = true;
      await all.finally(poster.close);
      return { perSecond: (1_000 * posts) / (performance.now() - startedMs) };
    },
  };
}
