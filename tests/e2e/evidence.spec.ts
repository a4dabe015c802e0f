import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { findBrowser } from '../../scripts/browser.ts';
import { readSeen } from '../../src/domain/seen-consent.ts';
import { verifyPack } from '../../src/evidence/verify-pack.ts';
import { readZip } from '../../src/evidence/zip.ts';
import { v4 } from '../../src/flows/variants/v4.ts';
import { openSurvey, qualifyingPath, test } from './support/journeys.ts';
import { startStack } from './support/stack.ts';
import { answerStep, walkUpTo, watchLeadId } from './support/survey-page.ts';

/** What the page records of the consent, and the pack that proves it. */

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

test('a lead of a browser has its consent measured, and its pack verifies', async ({ browser }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'evidence-'));
  const stack = await startStack({ DATA_DIR: dataDir });
  try {
    const context = await browser.newContext({ baseURL: stack.url });
    const page = await context.newPage();
    const leadId = await watchLeadId(page);
    await openSurvey(page);
    const way = qualifyingPath();
    const last = way.steps.at(-1) as string;
    const measured = page.waitForResponse((response) => response.url().includes('consent-facts'));
    await walkUpTo(page, v4, way, last);
    const posting = page.waitForRequest((request) => request.url().endsWith('/post-lead'));
    await page.locator('#tcpa').scrollIntoViewIfNeeded();
    await measured;
    await answerStep(page, v4, last, way.answers[last] ?? {});
    const body = (await posting).postDataJSON();
    const seen = readSeen(body.consent_seen);
    expect(seen).toMatchObject({ how: 'button', inView: [0, 100], zoom: 1 });
    if (typeof seen === 'string') throw new Error(seen);
    expect(seen.contrast).toBeGreaterThan(4.5);
    expect(seen.fontSize).toBeGreaterThan(9);
    expect(seen.wholeInViewMs).toBeGreaterThan(0);
    expect(seen.focusBeforeMs).not.toBeNull();
    expect(seen.label).not.toBe('');

    const file = join(dataDir, 'pack.zip');
    const env = { ...process.env, DATA_DIR: dataDir };
    const chromium = findBrowser() ?? 'chromium';
    const command = ['src/cli/leads.ts', 'evidence', leadId(), '--out', file];
    await run(process.execPath, [...command, '--picture', chromium], { cwd: root, env });
    const bytes = Uint8Array.from(readFileSync(file));
    const files = readZip(bytes);
    const step = Buffer.from(files.get('consent-step.html') ?? []).toString();
    expect(step).toContain('drawn by the survey’s own screens');
    expect(step).toContain(`${body.phone}`.slice(-4));
    const picture = Buffer.from(files.get('consent-step.png') ?? []);
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    expect(picture.readUInt32BE(16)).toBe(1024);
    const keys = await (await fetch(`${stack.url}/.well-known/evidence/keys.json`)).json();
    const kept = { trusted: { keys, from: stack.url }, now: new Date() };
    const report = await verifyPack(bytes, kept);
    expect(report.verdict).toBe('proven');
  } finally {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Scrolls the window to a place in the consent text, 0 to 1, and returns once the observers were told. */
async function scrollText(page: Page, place: number): Promise<void> {
  await page.evaluate(async (share) => {
    const text = document.querySelector('#tcpa') as HTMLElement;
    const { top, height } = text.getBoundingClientRect();
    scrollBy(0, top + share * (height - innerHeight));
    // The event comes in the next frame; the page's observer, told anew by it, comes before this one.
    await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise<void>((resolve) => new IntersectionObserver(() => resolve()).observe(text));
  }, place);
}

const tall = [
  // The press itself sees the end, without a frame in between; the middle was never on screen.
  ['jumped over', [0], expect.arrayContaining([0, 100])],
  ['scrolled through', [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1], [0, 100]],
] as const;
for (const [name, places, expected] of tall) {
  test(`a text taller than the window is measured as it was ${name}`, async ({ page }) => {
    await openSurvey(page);
    await page.evaluate(() => {
      const style = new CSSStyleSheet();
      style.replaceSync('#tcpa { font-size: 40px !important; line-height: 1.5 !important }');
      document.adoptedStyleSheets.push(style);
    });
    const way = qualifyingPath();
    const last = way.steps.at(-1) as string;
    const measured = page.waitForResponse((response) => response.url().includes('consent-facts'));
    await walkUpTo(page, v4, way, last);
    await measured;
    for (const [field, value] of Object.entries(way.answers[last] ?? {})) {
      const control = page.locator(`[data-step="${last}"] [name="${field}"]`);
      if ((await control.count()) > 0) await control.first().fill(value);
    }
    for (const place of places) await scrollText(page, place);
    const posting = page.waitForRequest((request) => request.url().endsWith('/post-lead'));
    await page.evaluate(() => {
      const text = document.querySelector('#tcpa') as HTMLElement;
      scrollBy(0, text.getBoundingClientRect().bottom - innerHeight);
      text.closest('form')?.requestSubmit();
    });
    const seen = readSeen((await posting).postDataJSON().consent_seen);
    if (typeof seen === 'string') throw new Error(seen);
    expect(seen.size[1]).toBeGreaterThan(2 * seen.viewport[1]);
    expect(seen.inView).toEqual(expected);
    expect(seen.inView).toHaveLength(name === 'jumped over' ? 4 : 2);
    expect(seen.wholeInViewMs).toBe(0);
    await page.waitForURL('**/survey-thank-you/?**');
    await expect(page.locator('#lead-status')).toHaveAttribute('data-state', 'received');
  });
}

for (const key of ['Enter', 'Space']) {
  test(`the enter key in a field is told from the button: ${key}`, async ({ page }) => {
    await openSurvey(page);
    const way = qualifyingPath();
    const last = way.steps.at(-1) as string;
    const measured = page.waitForResponse((response) => response.url().includes('consent-facts'));
    await walkUpTo(page, v4, way, last);
    await measured;
    const screen = page.locator(`[data-step="${last}"]`);
    const fields = screen.locator('input:visible');
    // An empty form is refused, however it was sent.
    await fields.last().press('Enter');
    const posting = page.waitForRequest((request) => request.url().endsWith('/post-lead'));
    for (const [field, value] of Object.entries(way.answers[last] ?? {})) {
      const control = page.locator(`[data-step="${last}"] [name="${field}"]`);
      if ((await control.count()) > 0) await control.first().fill(value);
    }
    const button = screen.locator('button[type=submit]');
    await (key === 'Enter' ? fields.last() : button).press(key);
    const how = key === 'Enter' ? 'enter' : 'button';
    expect(readSeen((await posting).postDataJSON().consent_seen)).toMatchObject({ how });
    // A page that is closed while it is left can hang the browser.
    await page.waitForURL('**/survey-thank-you/?**');
    await expect(page.locator('#lead-status')).toHaveAttribute('data-state', 'received');
  });
}
