import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, type Page } from '@playwright/test';
import { browserArgs, ensureBrowser } from '../../scripts/browser.ts';
import { v4 } from '../../src/flows/variants/v4.ts';
import { keptData } from './support/browser-storage.ts';
import { openSurvey, qualifyingPath, test } from './support/journeys.ts';
import { expectDeliveredOnce, ingestBodies } from './support/sandbox-client.ts';
import {
  answerStep,
  expectAllFetched,
  expectStep,
  fillSurvey,
  sendStep,
  walkUpTo,
  watchLeadId,
} from './support/survey-page.ts';

test('offline at the last tap: the page stays and says so; the lead is stored, and sent from the next page once online', async ({
  page,
  context,
}) => {
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  await fillSurvey(page, v4, qualifyingPath());
  await expectAllFetched(page);
  await context.setOffline(true);
  await sendStep(page);
  await expect(page.locator('[data-sending=offline]')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/survey/v4nv');
  await expect.poll(() => keptData(page)).toContain('submitted_at');
  const id = leadId();
  expect(await ingestBodies(id)).toEqual([]);
  await page.close();
  await context.setOffline(false);
  const later = await context.newPage();
  await later.goto('/survey/v4nv');
  await expectDeliveredOnce(id);
  await expect.poll(() => keptData(later)).not.toContain('Sandoval');
});

test('a server that does not answer: the visitor goes on, and the thank-you page sends the lead', async ({
  page,
}) => {
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  await fillSurvey(page, v4, qualifyingPath());
  let isDown = true;
  await page.route('**/post-lead', (route) => (isDown ? route.abort() : route.continue()));
  await sendStep(page);
  await page.waitForURL('**/survey-thank-you/?**');
  const id = leadId();
  expect(await ingestBodies(id)).toEqual([]);
  isDown = false;
  await expectDeliveredOnce(id);
  await expect.poll(() => keptData(page)).not.toContain('Sandoval');
});

test('without IndexedDB the lead is posted directly and delivered', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', { value: undefined });
  });
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  await fillSurvey(page, v4, qualifyingPath());
  await sendStep(page);
  await page.waitForURL('**/survey-thank-you/**');
  await expectDeliveredOnce(leadId());
});

test('two tabs of one visit make one lead', async ({ page, context }) => {
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  await fillSurvey(page, v4, qualifyingPath());
  // The typed value is in the database of the browser.
  await expect.poll(() => keptData(page)).toContain('10001');
  const other = await context.newPage();
  await other.goto('/survey/v4nv');
  await expectStep(other, 'PhoneAndZip');
  await Promise.all(
    [page, other].map(async (tab) => {
      await sendStep(tab);
      await tab.waitForURL('**/survey-thank-you/**');
    }),
  );
  await expectDeliveredOnce(leadId());
});

/** Starts a separate Chromium with a profile folder, which the test can kill. */
async function startBrowser(profile: string): Promise<{ child: ChildProcess; endpoint: string }> {
  const child = spawn(
    ensureBrowser(),
    [
      ...browserArgs,
      '--headless',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const endpoint = await new Promise<string>((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`no endpoint:\n${output}`)), 60_000);
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /ws:\/\/\S+/.exec(output);
      if (found) {
        clearTimeout(timer);
        resolve(found[0]);
      }
    });
  });
  return { child, endpoint };
}

function killBrowser(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    process.kill(-(child.pid as number), 'SIGKILL');
  });
}

/** Opens a page in a browser with the profile, and kills the browser once `use` is done. */
async function inKilledBrowser(profile: string, use: (page: Page) => Promise<void>): Promise<void> {
  const { child, endpoint } = await startBrowser(profile);
  try {
    const browser = await chromium.connectOverCDP(endpoint);
    const context = browser.contexts()[0] ?? (await browser.newContext());
    await use(await context.newPage());
  } finally {
    await killBrowser(child);
  }
}

let profile: string;
test.beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'profile-'));
});
test.afterEach(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));

test('the browser is killed right after a tap: the next visit goes on from there, and sends the steps', async ({
  baseURL,
}) => {
  const answered = '"kind":"answered","step":"AtFault"';
  const path = qualifyingPath();
  await inKilledBrowser(profile, async (page) => {
    await page.route('**/api/save-data', () => {});
    await openSurvey(page, `${baseURL}/survey/v4nv`);
    await walkUpTo(page, v4, path, 'AtFault');
    await answerStep(page, v4, 'AtFault', path.answers.AtFault ?? {});
    await expect.poll(() => keptData(page)).toContain(answered);
  });
  await inKilledBrowser(profile, async (page) => {
    const sending = page.waitForRequest((request) => !!request.postData()?.includes(answered));
    await page.goto(`${baseURL}/survey/v4nv`);
    await expectStep(page, 'WasUserInjured');
    expect(await (await (await sending).response())?.json()).toMatchObject({
      userBackupStatus: true,
      userProgressionStatus: true,
    });
  });
});

test('the browser is killed right after the last tap: the next visit sends the lead once', async ({
  baseURL,
}) => {
  let id = '';
  await inKilledBrowser(profile, async (page) => {
    const leadId = await watchLeadId(page);
    await openSurvey(page, `${baseURL}/survey/v4nv`);
    await fillSurvey(page, v4, qualifyingPath());
    id = leadId();
    // No request completes any more, as when the phone's battery dies. The page waits 2.5 s and leaves; it
    // must be here while its storage is read.
    await page.route(/post-lead|survey-thank-you/, () => {});
    await sendStep(page);
    await expect(page.getByRole('status').filter({ visible: true }).first()).toBeVisible();
    await expect.poll(() => keptData(page)).toContain('submitted_at');
  });
  expect(await ingestBodies(id)).toEqual([]);

  await inKilledBrowser(profile, async (page) => {
    await page.goto(`${baseURL}/survey/v4nv`);
    await expectDeliveredOnce(id);
    expect(await ingestBodies(id)).toHaveLength(1);
  });
});
