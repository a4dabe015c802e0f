import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { build } from 'vite';
import { readSeen } from '../../src/domain/seen-consent.ts';
import { verifyPack } from '../../src/evidence/verify-pack.ts';
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
    const command = ['src/cli/leads.ts', 'evidence', leadId(), '--out', file];
    await run(process.execPath, command, { cwd: root, env });
    const bytes = Uint8Array.from(readFileSync(file));
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

/** Opens a page whose consent is five windows tall, and watches it with the survey's own code. */
async function openTallText(page: Page): Promise<void> {
  const made = await build({
    ...{ root, configFile: false, publicDir: false, logLevel: 'error' },
    build: {
      write: false,
      lib: {
        entry: 'src/survey/runner/consent-facts.ts',
        ...{ formats: ['iife'], name: 'consentFacts' },
      },
    },
  });
  const [output] = (made as { output: { code: string }[] }[]).flatMap((each) => each.output);
  await page.setContent(`<!doctype html><meta name="viewport" content="width=device-width">
    <form style="padding-top: 200vh"><p id="tcpa" style="height: 500vh">I agree.</p>
    <button type="submit">Send</button></form>`);
  await page.addScriptTag({
    content: `${output?.code}\nvar describeConsent = consentFacts.watchConsent(document.querySelector('#tcpa'));`,
  });
}

const tall = [
  ['jumped over', [0.1], [10, 25, 80, 100]],
  ['scrolled through', [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1], [0, 100]],
  ['only reached at the press', [], [80, 100]],
] as const;
for (const [name, places, inView] of tall) {
  test(`a text taller than the window is measured as it was ${name}`, async ({ page }) => {
    await openTallText(page);
    for (const place of places) await scrollText(page, place);
    // No frame lies between this jump and the press.
    const seen = await page.evaluate(() => {
      scrollBy(0, document.querySelector('#tcpa')!.getBoundingClientRect().bottom - innerHeight);
      return (window as unknown as { describeConsent(): string }).describeConsent();
    });
    expect(readSeen(seen)).toMatchObject({ inView, wholeInViewMs: 0, label: 'Send' });
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
