import { expect, type Locator, type Page } from '@playwright/test';
import { type Flow, stepOf } from '../../src/model/flows/engine/flow.ts';
import type { FlowPath } from '../../src/model/flows/test-support/paths.ts';
import { cheapCover } from '../support/cover.ts';
import { desktop } from './support/checks.ts';
import { expectDeliveredOnce } from './support/sandbox.ts';
import { expectStep, isTapped, watchLeadId } from './support/survey-page.ts';
import { allWalks, kindsIn, newVisitor, openSurvey, sendsLead, test } from './support/visits.ts';

const walks = cheapCover(
  allWalks.filter(({ isQualified }) => isQualified),
  kindsIn,
  ({ way }) => way.steps.length,
);

test.use(desktop);

/** Presses Tab until `control` has the focus. Throws if the keyboard cannot reach the control. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${control}`);
}

async function enter(page: Page, field: string, value: string): Promise<void> {
  const screen = page.locator('[data-step]');
  const button = screen.locator(`button[name="${field}"][value="${value}"]`);
  if ((await button.count()) > 0) {
    await tabTo(page, button);
    await page.keyboard.press('Enter');
    return;
  }
  const control = screen.locator(`[name="${field}"]`).first();
  await tabTo(page, control);
  const kind = await control.evaluate((element) =>
    element instanceof HTMLInputElement ? element.type : element.tagName,
  );
  if (kind === 'SELECT') {
    // Selects the option with the arrow key, because typing "11" would select an option that begins
    // with 1.
    const before = control.locator(`option:has(~ option[value="${value}"])`);
    await page.keyboard.press('Home');
    for (let left = await before.count(); left > 0; left -= 1) {
      await page.keyboard.press('ArrowDown');
    }
    await expect(control).toHaveValue(value);
  } else if (kind === 'range') {
    await page.keyboard.press('ArrowRight');
  } else if (kind === 'checkbox') {
    await page.keyboard.press('Space');
  } else {
    await page.keyboard.type(value);
  }
}

async function walkByKeyboard(page: Page, flow: Flow, path: FlowPath): Promise<void> {
  for (const name of path.steps) {
    if (stepOf(flow, name).ends) return;
    await expectStep(page, name);
    const given = Object.entries(path.answers[name] ?? {});
    if (isTapped(flow, name)) {
      const [field, value] = given[0] ?? ['', ''];
      await enter(page, field, value);
      continue;
    }
    const submit = page.locator('[data-step] button[type=submit]');
    await submit.waitFor();
    for (const [field, value] of given) {
      const isAsked = await page.locator(`[data-step] [name="${field}"]`).count();
      if (isAsked > 0) await enter(page, field, value);
    }
    await tabTo(page, submit);
    await page.keyboard.press('Enter');
  }
}

for (const each of walks) {
  const { survey, flow } = each;
  const tag = survey.path === '/survey/v5' ? [] : '@all';
  test(`a visitor can answer the survey ${survey.path} with the keyboard alone`, {
    tag,
  }, async ({ page }) => {
    const way = newVisitor(flow, each.way);
    const leadId = await watchLeadId(page);
    await openSurvey(page, `${survey.path}?s1=keyboard`);
    await walkByKeyboard(page, flow, way);
    if (sendsLead(each)) {
      await page.waitForURL(`**${survey.thankYouPath}?**`);
      await expectDeliveredOnce(leadId());
    } else {
      await expect(page.locator('[data-step][data-kind=result]')).toBeVisible();
    }
  });
}
