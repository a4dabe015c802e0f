import { chromium } from '@playwright/test';
import { browserArgs, ensureBrowser } from '../scripts/browser.ts';
import { noScripts, startStack } from '../tests/e2e/support/stack.ts';
import { median } from './figures.ts';
import { startPagesBeside } from './page-servers.ts';
import { type FirstAnswer, firstAnswer, processorSlowdown } from './phone-visit.ts';

/** The sandbox services that pages call. */
const pageServices = ['clicks', 'trustedform', 'leadid', 'call-tracking', 'pixel'];

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
 * Measures the time from opening a page until its first answer has brought the next question. It compares, in
 * alternating runs, the survey page without third-party scripts, with all of them, with all of them hanging,
 * and a bare React page. Prints the times, and the ratio of the first to the last.
 *
 * @param runs visits of each page
 */
export async function benchFirstAnswer(runs = 15): Promise<void> {
  const beside = await startPagesBeside();
  const stack = await startStack(noScripts);
  const scripted = await startStack();
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: browserArgs });
  const ours: FirstAnswer[] = [];
  const floor: FirstAnswer[] = [];
  const withScripts: FirstAnswer[] = [];
  const withHanging: FirstAnswer[] = [];
  try {
    for (let run = 0; run < runs + 1; run += 1) {
      const own = await firstAnswer(browser, `${stack.url}/survey/v4nv?s1=bench`);
      const base = await firstAnswer(browser, beside.bareUrl);
      const all = await firstAnswer(browser, `${scripted.url}/survey/v4nv?s1=bench`);
      await hang(scripted.sandboxUrl, 'timeout');
      const hanging = await firstAnswer(browser, `${scripted.url}/survey/v4nv?s1=bench`);
      await hang(scripted.sandboxUrl, 'none');
      if (run === 0) continue; // The first visit of each page warms the browser up.
      ours.push(own);
      withScripts.push(all);
      withHanging.push(hanging);
      floor.push(base);
    }
  } finally {
    await browser.close();
    await stack.stop();
    await scripted.stop();
    await beside.stop();
  }
  const next = (visits: readonly FirstAnswer[]) => median(visits.map((v) => v.nextMs));
  const painted = (visits: readonly FirstAnswer[]) => median(visits.map((v) => v.paintMs));
  const ratio = next(ours) / next(floor);
  console.log(
    `First answer on slow 4G, processor slowed ${processorSlowdown} times, medians of ${runs}:`,
  );
  console.log(
    `  first question painted  survey ${painted(ours).toFixed(0)} ms, bare React ${painted(floor).toFixed(0)} ms`,
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
