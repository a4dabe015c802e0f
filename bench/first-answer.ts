import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type Browser, chromium } from '@playwright/test';
import Fastify from 'fastify';
import { browserArgs, ensureBrowser } from '../scripts/browser.ts';
import { noScripts, startStack } from '../tests/e2e/support/stack.ts';
import { buildBarePage } from './bare-react/build.ts';

/** Slow 4G and a cheap phone (docs/specification.md#speed). */
const downBytesPerSecond = (1.6 * 1_000_000) / 8;
const roundTripMs = 150;
const processorSlowdown = 4;

/** What one visit measured, in milliseconds from the start of the navigation. */
type Visit = { readonly visibleMs: number; readonly nextMs: number };

/**
 * Opens a page once with an empty cache, taps its first answer as soon as that is on screen (again
 * and again on a page that may lose a tap), and waits for the next question.
 */
async function visit(browser: Browser, url: string, keepsTaps: boolean): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: roundTripMs,
    downloadThroughput: downBytesPerSecond,
    uploadThroughput: downBytesPerSecond / 2,
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown });
  await page.addInitScript((tapsOnce: boolean) => {
    const times: { visibleMs?: number; nextMs?: number } = {};
    (window as unknown as { times: typeof times }).times = times;
    let first: string | null = null;
    const look = () => {
      const screen = document.querySelector('[data-step]');
      const button = screen?.querySelector<HTMLButtonElement>('button[name]');
      if (screen && first === null && button) {
        first = screen.getAttribute('data-step');
        times.visibleMs = performance.now();
        button.click();
      } else if (screen && first !== null && screen.getAttribute('data-step') !== first) {
        times.nextMs = performance.now();
        return;
      } else if (!tapsOnce) {
        button?.click();
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, keepsTaps);
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(
    () => (window as unknown as { times: Partial<Visit> }).times.nextMs,
    null,
    {
      timeout: 30_000,
      polling: 50,
    },
  );
  const times = await page.evaluate(() => (window as unknown as { times: Visit }).times);
  await context.close();
  return times;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The stand-ins of what loads in pages. */
const pageServices = ['clicks', 'trustedform', 'leadid', 'call-tracking', 'pixel'];

/** Makes them hang, or answer again. */
async function hang(sandboxUrl: string, mode: 'timeout' | 'none'): Promise<void> {
  for (const service of pageServices) {
    await fetch(`${sandboxUrl}/_sandbox/fail`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service, mode }),
    });
  }
}

/**
 * Measures the time until the first answer has brought the next question, on the survey page without
 * scripts of third parties, with all of them, with all of them hanging, and on a bare React page, in
 * alternating runs, and prints them with the ratio of the first to the last.
 *
 * @param runs visits of each page
 */
export async function benchFirstAnswer(runs = 15): Promise<void> {
  // Inside the project, so that the build finds React.
  const folder = join(import.meta.dirname, '..', '.cache', 'bare-react');
  const bare = await buildBarePage(folder);
  const server = Fastify();
  const page = brotliCompressSync(bare.html);
  const script = brotliCompressSync(bare.script);
  server.get('/', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-encoding', 'br').send(page),
  );
  server.get('/bare.js', (_request, reply) =>
    reply.type('text/javascript').header('content-encoding', 'br').send(script),
  );
  const bareUrl = await server.listen({ port: 0, host: '127.0.0.1' });
  const stack = await startStack(noScripts);
  const scripted = await startStack();
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: browserArgs });
  const ours: Visit[] = [];
  const floor: Visit[] = [];
  const withScripts: Visit[] = [];
  const withHanging: Visit[] = [];
  try {
    for (let run = 0; run < runs + 1; run += 1) {
      const own = await visit(browser, `${stack.url}/survey/v4nv?s1=bench`, true);
      const base = await visit(browser, `${bareUrl}/`, false);
      const all = await visit(browser, `${scripted.url}/survey/v4nv?s1=bench`, true);
      await hang(scripted.sandboxUrl, 'timeout');
      const hanging = await visit(browser, `${scripted.url}/survey/v4nv?s1=bench`, true);
      await hang(scripted.sandboxUrl, 'none');
      if (run === 0) continue; // The first visit of each warms the browser up.
      ours.push(own);
      withScripts.push(all);
      withHanging.push(hanging);
      floor.push(base);
    }
  } finally {
    await browser.close();
    await stack.stop();
    await scripted.stop();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(stack.dataDir, { recursive: true, force: true });
    rmSync(scripted.dataDir, { recursive: true, force: true });
  }
  const next = (visits: readonly Visit[]) => median(visits.map((v) => v.nextMs));
  const visible = (visits: readonly Visit[]) => median(visits.map((v) => v.visibleMs));
  const ratio = next(ours) / next(floor);
  console.log(
    `First answer on slow 4G, processor slowed ${processorSlowdown} times, medians of ${runs}:`,
  );
  console.log(
    `  first question visible  survey ${visible(ours).toFixed(0)} ms, bare React ${visible(floor).toFixed(0)} ms`,
  );
  console.log(
    `  tap brought the next    survey ${next(ours).toFixed(0)} ms, bare React ${next(floor).toFixed(0)} ms`,
  );
  console.log(`  ratio ${ratio.toFixed(2)} (target: at most 1.10)`);
  console.log(
    `  with every script of third parties: ${next(withScripts).toFixed(0)} ms, ` +
      `all of them hanging: ${next(withHanging).toFixed(0)} ms, none: ${next(ours).toFixed(0)} ms`,
  );
}
