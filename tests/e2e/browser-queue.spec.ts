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
import { expectStep, walkSurvey, watchLeadId } from './support/survey-page.ts';

/** Walks to the last question and fills it, without pressing the last button. */
async function fillLastStep(page: Page): Promise<void> {
  const path = qualifyingPath();
  await walkSurvey(page, v4, { ...path, steps: path.steps.slice(0, -1) });
  await expectStep(page, 'PhoneAndZip');
  await page.locator('input[name=phone]').fill(path.answers.PhoneAndZip?.phone ?? '');
  await page.locator('input[name=zip_code]').fill('10001');
}

test('offline at the last tap: the lead is stored, and sent from the next page once online', async ({
  page,
  context,
}) => {
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  await fillLastStep(page);
  await context.setOffline(true);
  await page.locator('[data-step] button[type=submit]').click();
  await expect.poll(() => keptData(page)).toContain('submitted_at');
  const id = leadId();
  expect(await ingestBodies(id)).toEqual([]);
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
  await fillLastStep(page);
  let isDown = true;
  await page.route('**/post-lead', (route) => (isDown ? route.abort() : route.continue()));
  await page.locator('[data-step] button[type=submit]').click();
  await page.waitForURL('**/survey-thank-you/?**');
  const id = leadId();
  expect(await ingestBodies(id)).toEqual([]);
  isDown = false;
  await expectDeliveredOnce(id);
  await expect.poll(() => keptData(page)).not.toContain('Sandoval');
});

test('an answer lost after the commit: the retry has the same id, and there is one lead', async ({
  page,
}) => {
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  await fillLastStep(page);
  let losses = 1;
  await page.route('**/post-lead', async (route) => {
    const answer = await route.fetch();
    if (losses > 0) {
      losses -= 1;
      await route.abort();
    } else {
      await route.fulfill({ response: answer });
    }
  });
  await page.locator('[data-step] button[type=submit]').click();
  await page.waitForURL('**/survey-thank-you/?**');
  const id = leadId();
  await expectDeliveredOnce(id);
  expect(await ingestBodies(id)).toHaveLength(1);
});

test('after the confirmation the browser keeps nothing personal', async ({ page }) => {
  await openSurvey(page);
  await fillLastStep(page);
  await page.locator('[data-step] button[type=submit]').click();
  await page.waitForURL('**/survey-thank-you/**');
  // The phone number of the page is the site's own.
  const personal = async () => (await keptData(page)).replace('2125550142', '');
  await expect.poll(personal).not.toMatch(/Sandoval|555|red light/);
});

test('without IndexedDB the lead is posted directly and delivered', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', { value: undefined });
  });
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  await fillLastStep(page);
  await page.locator('[data-step] button[type=submit]').click();
  await page.waitForURL('**/survey-thank-you/**');
  await expectDeliveredOnce(leadId());
});

test('two tabs of one visit make one lead', async ({ page, context }) => {
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  await fillLastStep(page);
  // The typed value is in the database of the browser.
  await expect.poll(() => keptData(page)).toContain('10001');
  const other = await context.newPage();
  await other.goto('/survey/v4nv');
  await expectStep(other, 'PhoneAndZip');
  await Promise.all(
    [page, other].map(async (tab) => {
      await tab.locator('[data-step] button[type=submit]').click();
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
    const timer = setTimeout(() => reject(new Error(`no endpoint:\n${output}`)), 20_000);
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

test('the browser is killed right after the last tap: the next visit sends the lead once', async ({
  baseURL,
}) => {
  test.setTimeout(90_000);
  const profile = mkdtempSync(join(tmpdir(), 'profile-'));
  const first = await startBrowser(profile);
  let id = '';
  try {
    const browser = await chromium.connectOverCDP(first.endpoint);
    const context = browser.contexts()[0] ?? (await browser.newContext());
    const page = await context.newPage();
    const leadId = await watchLeadId(page);
    await openSurvey(page, `${baseURL}/survey/v4nv`);
    await fillLastStep(page);
    id = leadId();
    // No request completes any more, as when the phone's battery dies.
    await page.route('**/post-lead', () => {});
    await page.locator('[data-step] button[type=submit]').click();
    await expect(page.getByRole('status').filter({ visible: true }).first()).toBeVisible();
    await expect.poll(() => keptData(page)).toContain('submitted_at');
  } finally {
    await killBrowser(first.child);
  }
  expect(await ingestBodies(id)).toEqual([]);

  const second = await startBrowser(profile);
  try {
    const browser = await chromium.connectOverCDP(second.endpoint);
    const context = browser.contexts()[0] ?? (await browser.newContext());
    const page = await context.newPage();
    await page.goto(`${baseURL}/survey/v4nv`);
    await expectDeliveredOnce(id);
    expect(await ingestBodies(id)).toHaveLength(1);
  } finally {
    await killBrowser(second.child);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
