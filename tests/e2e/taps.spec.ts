import { expect } from '@playwright/test';
import { v4 } from '../../src/flows/variants/v4.ts';
import { openSurvey, qualifyingPath, test } from './support/journeys.ts';
import { expectDeliveredOnce, ingestBodies } from './support/sandbox-client.ts';
import { answerStep, expectStep, walkSurvey, watchLeadId } from './support/survey-page.ts';

// As most visitors have it.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('a tap before the script is ready counts', async ({ page }) => {
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
  letScriptsGo();
  await expectStep(page, 'WhenWasTheAccident');
  const path = qualifyingPath();
  await walkSurvey(page, v4, { ...path, steps: path.steps.slice(1) });
  await page.waitForURL('**/survey-thank-you/?**');
  const id = leadId();
  await expectDeliveredOnce(id);
  expect((await ingestBodies(id))[0]).toMatchObject({ accident_type: 'Truck Accident' });
});

test('a double tap answers one question, not two', async ({ page }) => {
  await openSurvey(page);
  const path = qualifyingPath();
  await answerStep(page, v4, 'StartPath', path.answers.StartPath ?? {});
  await expectStep(page, 'WhenWasTheAccident');
  await answerStep(page, v4, 'WhenWasTheAccident', path.answers.WhenWasTheAccident ?? {});
  await expectStep(page, 'AtFault');
  await page.locator('button[name=at_Fault][value=no]').dblclick();
  await expectStep(page, 'WasUserInjured');
  await page.waitForTimeout(400);
  await expectStep(page, 'WasUserInjured');
});

test('the next tap works at once, while the screen still slides', async ({ page }) => {
  await openSurvey(page);
  const path = qualifyingPath();
  await page.locator('button[name=accident_type]').first().click();
  const elapsedMs = await page.evaluate(
    async (answers) => {
      const start = performance.now();
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const shown = async (step: string) => {
        while (!document.querySelector(`[data-step="${step}"]`)) await frame();
      };
      await shown('WhenWasTheAccident');
      for (const [name, value] of Object.entries(answers)) {
        const select = document.querySelector<HTMLSelectElement>(`select[name="${name}"]`);
        if (!select) throw new Error(`no ${name}`);
        select.value = value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
      }
      await frame();
      document.querySelector<HTMLButtonElement>('[data-step] button[type=submit]')?.click();
      await shown('AtFault');
      document.querySelector<HTMLButtonElement>('button[name=at_Fault][value=no]')?.click();
      await shown('WasUserInjured');
      return performance.now() - start;
    },
    path.answers.WhenWasTheAccident as Record<string, string>,
  );
  // Two screens within the time of one slide: no tap waited for it.
  expect(elapsedMs).toBeLessThan(500);
});

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`what enters settles in 0.2 s, what leaves shows its answer for 0.5 s, ${reducedMotion}`, async ({
    browser,
  }) => {
    const context = await browser.newContext({
      baseURL: process.env.E2E_BASE_URL ?? '',
      reducedMotion,
    });
    const page = await context.newPage();
    await openSurvey(page);
    // All of it in the page: by the time that a round trip from here has come back, a slide can be over.
    const motion = await page.evaluate(async () => {
      const durationsOf = (screen: Element) =>
        screen
          .getAnimations({ subtree: true })
          .filter((animation) => animation.playState === 'running')
          .map((animation) => animation.effect?.getTiming().duration);
      document.querySelector<HTMLButtonElement>('button[name=accident_type]')?.click();
      for (;;) {
        const enters = document.querySelector('[data-step=WhenWasTheAccident]');
        const leaves = document.querySelector('.leaving');
        if (enters && leaves) {
          const marked = leaves.querySelectorAll('[aria-pressed=true]').length;
          return { enters: durationsOf(enters), leaves: durationsOf(leaves), marked };
        }
        await new Promise(requestAnimationFrame);
      }
    });
    const enters = reducedMotion === 'reduce' ? [] : [200];
    expect(motion).toEqual({ enters, leaves: [500], marked: 1 });
    await context.close();
  });
}

test('a double submit sends one lead', async ({ page }) => {
  const leadId = await watchLeadId(page);
  await openSurvey(page);
  const path = qualifyingPath();
  await walkSurvey(page, v4, { ...path, steps: path.steps.slice(0, -1) });
  await expectStep(page, 'PhoneAndZip');
  await page.locator('input[name=phone]').fill(path.answers.PhoneAndZip?.phone ?? '');
  await page.locator('input[name=zip_code]').fill('10001');
  await page.locator('button[type=submit]').dblclick();
  await page.waitForURL('**/survey-thank-you/?**');
  const id = leadId();
  await expectDeliveredOnce(id);
  expect(await ingestBodies(id)).toHaveLength(1);
});
