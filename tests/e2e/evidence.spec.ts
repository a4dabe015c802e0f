import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
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
    await run(process.execPath, ['src/cli/leads.ts', 'evidence', leadId(), '--out', file], {
      cwd: root,
      env,
    });
    const keys = await (await fetch(`${stack.url}/.well-known/evidence/keys.json`)).json();
    const kept = { trusted: { keys, from: stack.url }, now: new Date() };
    const report = await verifyPack(Uint8Array.from(readFileSync(file)), kept);
    expect(report.verdict).toBe('proven');
  } finally {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('the enter key is told from the button', async ({ page }) => {
  await openSurvey(page);
  const way = qualifyingPath();
  const last = way.steps.at(-1) as string;
  const measured = page.waitForResponse((response) => response.url().includes('consent-facts'));
  await walkUpTo(page, v4, way, last);
  await measured;
  const posting = page.waitForRequest((request) => request.url().endsWith('/post-lead'));
  for (const [field, value] of Object.entries(way.answers[last] ?? {})) {
    const control = page.locator(`[data-step="${last}"] [name="${field}"]`);
    if ((await control.count()) > 0) await control.first().fill(value);
  }
  await page.locator(`[data-step="${last}"] input:visible`).last().press('Enter');
  expect(readSeen((await posting).postDataJSON().consent_seen)).toMatchObject({ how: 'enter' });
});
