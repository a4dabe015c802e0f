/** Tests the proof of a consent, from the page's measurements to the verifier page. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { utf8 } from '../../src/model/evidence/encoding.ts';
import { readZip, writeZip } from '../../src/model/evidence/zip.ts';
import { v4 } from '../../src/model/flows/variants/v4.ts';
import { readSeen } from '../../src/model/lead/seen-consent.ts';
import { pathOf } from '../../src/web/site/site-map.ts';
import { collectErrors, examineBothSizes } from './support/checks.ts';
import { runCommand } from './support/demo.ts';
import { deliveredLead, demo } from './support/sandbox.ts';
import { answerStep, walkUpTo, watchLeadId } from './support/survey-page.ts';
import { openSurvey, qualifyingPath, test } from './support/visits.ts';

const genuine = 'Genuine, as far as it was checked';

/** Walks to the last step, and waits until the page has measured how the consent text is shown. */
async function openConsent(page: Page) {
  const path = qualifyingPath();
  const last = path.steps.at(-1) as string;
  await openSurvey(page);
  const measured = page.waitForResponse((response) => response.url().includes('consent-facts'));
  await walkUpTo(page, v4, path, last);
  await page.locator('#tcpa').scrollIntoViewIfNeeded();
  await measured;
  const posting = page.waitForRequest((request) => request.url().endsWith('/post-lead'));
  return { last, answers: path.answers[last] ?? {}, posting };
}

test('the verifier page can verify the evidence pack of a lead offline', async ({
  page,
  context,
}) => {
  const errors = collectErrors(page);
  const leadId = await watchLeadId(page);
  await page.setViewportSize({ width: 360, height: 740 });
  const { last, answers, posting } = await openConsent(page);
  const shown = await page.locator('#tcpa').textContent();
  await answerStep(page, v4, last, answers);
  const seen = readSeen((await posting).postDataJSON().consent_seen);
  if (typeof seen === 'string') throw new Error(seen);
  expect(seen).toMatchObject({ how: 'button', inView: [0, 100], zoom: 1 });
  expect(seen.contrast).toBeGreaterThan(4.5);
  expect(seen.fontSize).toBeGreaterThanOrEqual(14);
  expect(shown).toContain(`By pressing “${seen.label}” I sign`);
  expect((await deliveredLead(leadId())).tcpa).toBe(shown);

  const folder = mkdtempSync(join(tmpdir(), 'evidence-'));
  try {
    const file = join(folder, 'pack.zip');
    await runCommand(demo(), 'leads', 'evidence', leadId(), '--for', 'ingest', '--out', file);
    await page.goto(pathOf('verify', 'en'), { waitUntil: 'networkidle' });
    await context.setOffline(true);
    const choosePack = (pack: Uint8Array) => {
      const buffer = Buffer.from(pack);
      const chosen = { name: 'pack.zip', mimeType: 'application/zip', buffer };
      return page.getByLabel('Evidence pack').setInputFiles(chosen);
    };
    const bytes = Uint8Array.from(readFileSync(file));
    await choosePack(bytes);
    const heading = page.getByRole('heading', { name: genuine });
    await expect(heading).toBeFocused();
    const report = page.getByRole('region', { name: genuine });
    await expect(report).toContainText('Who sat at the keyboard');
    await expect(report.locator('[data-outcome=failed]')).toHaveCount(0);
    await examineBothSizes(page, 'a proven pack');
    await choosePack(writeZip(new Map(readZip(bytes)).set('readme.txt', utf8('Pay me.'))));
    const refusal = page.getByRole('region', { name: 'Do not rely on this pack' });
    const first = refusal.getByRole('listitem').first();
    await expect(first).toContainText('failed');
    await expect(first.locator('details')).toHaveAttribute('open');
    await expect(refusal).not.toContainText('genuine');
    await examineBothSizes(page, 'a changed pack');
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(errors).toEqual([]);
});

for (const key of ['Enter', 'Space']) {
  test(`the consent record names the key ${key} if the visitor submitted the form with this key @all`, async ({
    page,
  }) => {
    const { last, answers, posting } = await openConsent(page);
    const screen = page.locator(`[data-step="${last}"]`);
    const fields = screen.locator('input:visible');
    // Enter must not submit the form while a required field is empty.
    await fields.last().press('Enter');
    for (const [field, value] of Object.entries(answers)) {
      const control = screen.locator(`[name="${field}"]`);
      if ((await control.count()) > 0) await control.first().fill(value);
    }
    const button = screen.locator('button[type=submit]');
    await (key === 'Enter' ? fields.last() : button).press(key);
    const how = key === 'Enter' ? 'enter' : 'button';
    expect(readSeen((await posting).postDataJSON().consent_seen)).toMatchObject({ how });
    // Waits for the thank-you page, because closing a page during a navigation can hang the
    // browser.
    await expect(page.locator('#lead-status')).toHaveAttribute('data-state', 'received');
  });
}
