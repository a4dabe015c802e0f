import { expect } from '@playwright/test';
import { v4 } from '../../src/model/flows/variants/v4.ts';
import { twoFrames } from './support/checks.ts';
import { deliveredLead } from './support/sandbox.ts';
import {
  answerStep,
  expectAllFetched,
  expectStep,
  walkSurvey,
  walkUpTo,
  watchLeadId,
} from './support/survey-page.ts';
import { openSurvey, qualifyingPath, test } from './support/visits.ts';

// Turns animations on, as in most visitors' browsers.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('a tap before the survey’s script has loaded answers the question', async ({ page }) => {
  let letScriptsGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letScriptsGo = resolve;
  });
  await page.route('**/_astro/*.js', async (route) => {
    await gate;
    await route.continue();
  });
  const leadId = await watchLeadId(page);
  await page.goto('/survey/v4nv', { waitUntil: 'commit' });
  await page.locator('button[name=accident_type][value="Truck Accident"]').click();
  const entries = await page.evaluate(() => history.length);
  letScriptsGo();
  await expectStep(page, 'WhenWasTheAccident');
  await expect.poll(() => page.evaluate(() => history.length)).toBe(entries + 1);
  await page.goBack();
  await expectStep(page, 'StartPath');
  await page.goForward();
  await expectStep(page, 'WhenWasTheAccident');
  expect(await page.evaluate(() => history.length)).toBe(entries + 1);
  const path = qualifyingPath();
  await walkSurvey(page, v4, { ...path, steps: path.steps.slice(1) });
  await page.waitForURL('**/survey-thank-you/?**');
  expect(await deliveredLead(leadId())).toMatchObject({ accident_type: 'Truck Accident' });
});

test('a double tap answers only one question', async ({ page }) => {
  await openSurvey(page);
  await walkUpTo(page, v4, qualifyingPath(), 'AtFault');
  await page.locator('button[name=at_Fault][value=no]').dblclick();
  await expectStep(page, 'WasUserInjured');
  // Waits for two frames, after which an effect of the second tap would be visible.
  await twoFrames(page);
  await expectStep(page, 'WasUserInjured');
});

test('a tap while React hydrates the page answers the question @all', async ({ page }) => {
  await page.addInitScript(() => {
    // React schedules its work with `postMessage`. The test delays this work until the test calls
    // `letGo`.
    const { postMessage } = MessagePort.prototype;
    const held: (() => void)[] = [];
    MessagePort.prototype.postMessage = function (this: MessagePort, ...message: unknown[]) {
      const post = () => Reflect.apply(postMessage, this, message);
      if ('isLetGo' in window) post();
      else held.push(post);
    };
    Object.assign(window, {
      letGo() {
        Object.assign(window, { isLetGo: true });
        for (const post of held) post();
      },
    });
  });
  const posted: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.method() === 'POST') posted.push(request.url());
  });
  await page.goto('/survey/v4nv?s1=abc');
  // The page removes its listener for early taps when hydration begins.
  await page.waitForFunction(() => !window.surveyEarly);
  await expectStep(page, 'StartPath');
  await page.evaluate(() =>
    document.querySelector<HTMLButtonElement>('button[name=accident_type]')?.click(),
  );
  await page.evaluate(() => (window as unknown as { letGo(): void }).letGo());
  await expectStep(page, 'WhenWasTheAccident');
  expect(posted).toEqual([]);
});

test('the buttons of an answered question are disabled while the question slides away @all', async ({
  page,
}) => {
  await openSurvey(page);
  // Waits for the animation, which the page loads only when it is idle.
  await expectAllFetched(page);
  const client = await page.context().newCDPSession(page);
  await client.send('Animation.enable');
  await client.send('Animation.setPlaybackRate', { playbackRate: 0 });
  await answerStep(page, v4, 'StartPath', { accident_type: 'Other' });
  await expectStep(page, 'WhenWasTheAccident');
  const leaving = page.locator('.leaving');
  await expect(leaving).toHaveText('Other');
  await expect(leaving).toHaveAttribute('aria-pressed', 'true');
  await expect(leaving).toHaveAttribute('aria-hidden', 'true');
  expect(await leaving.evaluate((each: HTMLElement) => each.inert)).toBe(true);
  await expect(leaving).not.toHaveAttribute('name');
  const path = qualifyingPath();
  await answerStep(page, v4, 'WhenWasTheAccident', path.answers.WhenWasTheAccident ?? {});
  await expectStep(page, 'AtFault');
  await expect(leaving).toHaveCount(1);
  await page.keyboard.press('1');
  await expectStep(page, 'WasUserInjured');
});
