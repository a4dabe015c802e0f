import { expect } from '@playwright/test';
import { v4 } from '../../src/flows/variants/v4.ts';
import { openSurvey, qualifyingPath, test } from './support/journeys.ts';
import { deliveredLead } from './support/sandbox-client.ts';
import {
  answerStep,
  expectAllFetched,
  expectStep,
  walkSurveyFast,
  walkUpTo,
  watchLeadId,
} from './support/survey-page.ts';

// Most visitors have motion enabled.
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
  const entries = await page.evaluate(() => history.length);
  letScriptsGo();
  await expectStep(page, 'WhenWasTheAccident');
  // One answer adds one history entry, and back leads to its question.
  await expect.poll(() => page.evaluate(() => history.length)).toBe(entries + 1);
  await page.goBack();
  await expectStep(page, 'StartPath');
  await page.goForward();
  await expectStep(page, 'WhenWasTheAccident');
  expect(await page.evaluate(() => history.length)).toBe(entries + 1);
  const path = qualifyingPath();
  await walkSurveyFast(page, v4, { ...path, steps: path.steps.slice(1) });
  await page.waitForURL('**/survey-thank-you/?**');
  expect(await deliveredLead(leadId())).toMatchObject({ accident_type: 'Truck Accident' });
});

test('a tap during hydration counts, and sends no form', async ({ page }) => {
  await page.addInitScript(() => {
    // Delays React's work, which runs in tasks of a message channel.
    const { postMessage } = MessagePort.prototype;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...message: unknown[]) {
      setTimeout(() => Reflect.apply(postMessage, this, message), 1_500);
    };
  });
  const posted: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.method() === 'POST') posted.push(request.url());
  });
  // `openSurvey` would wait until hydration is done.
  await page.goto('/survey/v4nv?s1=abc');
  const seen = await page.evaluate(async () => {
    // The early-tap listener is gone, and hydration has begun.
    while (window.surveyEarly) await new Promise((resolve) => setTimeout(resolve));
    const step = () => document.querySelector('[data-step]')?.getAttribute('data-step');
    const before = step();
    const tappedAt = performance.now();
    document.querySelector<HTMLButtonElement>('button[name=accident_type]')?.click();
    // Well before React continues.
    while (step() === before && performance.now() < tappedAt + 10_000) {
      await new Promise((resolve) => setTimeout(resolve));
    }
    return [before, step()];
  });
  expect(seen).toEqual(['StartPath', 'WhenWasTheAccident']);
  expect(posted).toEqual([]);
});

test('the pre-rendered next screen is invisible and answers nothing', async ({ page }) => {
  const kinds: string[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/save-data')) return;
    for (const { kind } of request.postDataJSON().data) kinds.push(kind);
  });
  await page.clock.install();
  await openSurvey(page);
  await expectAllFetched(page);
  // Longer than both delays of the warm-up (warm-up.tsx).
  await page.clock.runFor(2_500);
  await expect(page.locator('[data-step]')).toHaveCount(1);
  await expectStep(page, 'StartPath');
  await expect.poll(() => [...new Set(kinds)]).toEqual(['viewed']);
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
  // By now the second tap's effect would be visible.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await expectStep(page, 'WasUserInjured');
});

test('each question takes the focus in a new heading, although its answers reuse their buttons', async ({
  page,
}) => {
  await openSurvey(page);
  const path = qualifyingPath();
  await answerStep(page, v4, 'StartPath', path.answers.StartPath ?? {});
  await answerStep(page, v4, 'WhenWasTheAccident', path.answers.WhenWasTheAccident ?? {});
  await expectStep(page, 'AtFault');
  const heading = page.locator('#question');
  await expect(heading).toBeFocused();
  const answer = page.locator('button[name=at_Fault][value=no]');
  const [headingBefore, buttonBefore] = [
    await heading.elementHandle(),
    await answer.elementHandle(),
  ];
  await answer.press('Enter');
  await expectStep(page, 'WasUserInjured');
  await expect(heading).toBeFocused();
  expect(await headingBefore?.evaluate((each) => each.isConnected)).toBe(false);
  expect(await buttonBefore?.evaluate((each) => each.isConnected)).toBe(true);
  await page.locator('button[name=physical_injury][value=No]').click();
  await expectStep(page, 'PoliceReportFiled');
  await expect(heading).toBeFocused();
});

test('the next tap works at once, while the screen still slides', async ({ page }) => {
  await openSurvey(page);
  await expectAllFetched(page);
  const path = qualifyingPath();
  await answerStep(page, v4, 'StartPath', path.answers.StartPath ?? {});
  await answerStep(page, v4, 'WhenWasTheAccident', path.answers.WhenWasTheAccident ?? {});
  await expectStep(page, 'AtFault');
  const seen = await page.evaluate(async () => {
    const tap = (selector: string) => document.querySelector<HTMLButtonElement>(selector)?.click();
    const step = () => document.querySelector('[data-step]')?.getAttribute('data-step');
    const turn = () => new Promise((resolve) => setTimeout(resolve));
    // By turns, because a slide may end between two frames of a busy machine.
    const leavingAfter = async (earlier: Element | null) => {
      const until = performance.now() + 30_000;
      for (;;) {
        const leaving = document.querySelector('.leaving');
        if ((leaving && leaving !== earlier) || performance.now() > until) return leaving;
        await turn();
      }
    };
    const before = document.querySelector('.leaving');
    const slide = () =>
      (document.querySelector('[data-step]')?.getAnimations()[0] as CSSAnimation | undefined)
        ?.animationName;
    tap('button[name=at_Fault][value=no]');
    // Taps the old and the new screen's answer within one slide.
    const first = await leavingAfter(before);
    tap('button[name=physical_injury][value=No]');
    const isLeaving = first?.isConnected === true;
    const before2 = slide();
    await leavingAfter(first);
    // The same element shows both screens, so that its slide must begin anew.
    const isNewSlide = slide() !== before2;
    return [isLeaving, step(), document.querySelectorAll('.leaving').length, isNewSlide];
  });
  expect(seen).toEqual([true, 'PoliceReportFiled', 1, true]);
});

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`the previous answer is shown as chosen and never overlaps the next, ${reducedMotion}`, async ({
    browser,
  }) => {
    // Runs entirely in the page: during a round trip to the driver a slide can end.
    const look = async () => {
      const context = await browser.newContext({
        baseURL: process.env.E2E_BASE_URL ?? '',
        reducedMotion,
      });
      const page = await context.newPage();
      await openSurvey(page);
      // The page loads the slide when it is idle.
      await expectAllFetched(page);
      const result = await page.evaluate(async () => {
        const frame = () => new Promise(requestAnimationFrame);
        const box = (element: Element | null | undefined) => {
          const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
          return [left, top, width, height].map(Math.round);
        };
        const tapped = document.querySelector<HTMLButtonElement>(
          'button[name=accident_type][value="Other"]',
        );
        const place = box(tapped);
        tapped?.click();
        while (!document.querySelector('[data-step=WhenWasTheAccident]')) await frame();
        // The slide appears with the frame of the next question.
        await frame();
        const leaving = document.querySelector<HTMLElement>('.leaving');
        const animations = leaving?.getAnimations({ subtree: true }) ?? [];
        const result = {
          steps: document.querySelectorAll('[data-step]').length,
          marked: [...(leaving?.querySelectorAll('[aria-pressed=true]') ?? [])].map(
            (each) => each.textContent,
          ),
          reachable: leaving?.inert === false || leaving?.ariaHidden !== 'true',
          named: leaving?.querySelectorAll('[name],[id],[for]').length,
          inForm: [...new FormData(document.forms[0]).keys()].includes('accident_type'),
          durations: animations.map((animation) => animation.effect?.getTiming().duration),
          isInPlace: box(leaving).join() === place.join(),
        };
        // Slides of equal length that begin together never overlap.
        const coming = document.querySelector('[data-step]')?.getAnimations()[0];
        await coming?.ready;
        await frame();
        const startsTogether = animations.every(({ startTime }) => startTime === coming?.startTime);
        const until = performance.now() + 30_000;
        while (document.querySelector('.leaving') && performance.now() < until) await frame();
        return {
          ...result,
          startsTogether,
          isGone: !document.querySelector('.leaving'),
        };
      });
      await context.close();
      return result;
    };
    let seen = await look();
    // A busy machine may miss the frame: then there is no old screen, and nothing to overlap.
    for (
      let tries = 1;
      tries < 5 && reducedMotion !== 'reduce' && seen.marked.length === 0;
      tries += 1
    ) {
      seen = await look();
    }
    if (reducedMotion === 'reduce') {
      expect(seen).toMatchObject({
        steps: 1,
        marked: [],
        inForm: false,
        startsTogether: true,
        isGone: true,
      });
    } else {
      expect(seen).toEqual({
        steps: 1,
        marked: ['Other'],
        reachable: false,
        named: 0,
        inForm: false,
        durations: [500],
        isInPlace: true,
        startsTogether: true,
        isGone: true,
      });
    }
  });
}

test('keys choose answers, the right address is suggested, and a returning visitor is greeted', async ({
  page,
}) => {
  await openSurvey(page);
  await expectAllFetched(page);
  const path = qualifyingPath();
  await page.keyboard.press('6');
  await expectStep(page, 'WhenWasTheAccident');
  await answerStep(page, v4, 'WhenWasTheAccident', path.answers.WhenWasTheAccident ?? {});
  await expectStep(page, 'AtFault');
  await page.keyboard.press('n');
  await expectStep(page, 'AtFault');
  await page.keyboard.press('1');
  const rest = { ...path, steps: path.steps.slice(3) };
  await expectStep(page, 'WasUserInjured');
  await walkUpTo(page, v4, rest, 'NameAndEmail');
  await page.locator('input[name=email]').fill('maria.sandoval@gmial.com');
  await page.locator('input[name=email]').press('1');
  await expectStep(page, 'NameAndEmail');
  await page.locator('input[name=email]').fill('maria.sandoval@gmial.com');
  await page.locator('input[name=first_name]').fill('Maria');
  await page.locator('input[name=last_name]').fill('Sandoval');
  await page.locator('input[name=email]').focus();
  // Leaving the input moves nothing: the tap arrives, and the form asks in one message.
  await page.locator('[data-step] button[type=submit]').click();
  await expect(page.locator('.error')).toContainText('maria.sandoval@gmail.com');
  await page.locator('.correction[value]').click();
  await expect(page.locator('input[name=email]')).toHaveValue('maria.sandoval@gmail.com');
  await expect(page.locator('.error')).toHaveCount(0);
  await page.locator('[data-step] button[type=submit]').click();
  await expectStep(page, 'PhoneAndZip');
  await answerStep(page, v4, 'PhoneAndZip', path.answers.PhoneAndZip ?? {});
  await page.waitForURL('**/survey-thank-you/?**');
  await expect(page.locator('#lead-status')).toHaveAttribute('data-state', 'received');
  await page.goto('/survey/v4nv');
  await expect(page.locator('.resumed')).toContainText('already');
});

test('a thank-you page opened without a sent lead does not claim one', async ({ page }) => {
  await page.goto('/survey-thank-you/?q=y');
  await expect(page.locator('h1:visible')).toHaveText('We can’t see any answers here');
  await expect(page.locator('#lead-status')).toBeEmpty();
  await expect(page.getByRole('link', { name: 'Start the questions' })).toHaveAttribute(
    'href',
    '/survey/v4nv',
  );
  await page.goto('/ticket-thank-you/?q=y');
  await expect(page.getByRole('link', { name: 'Start the questions' })).toHaveAttribute(
    'href',
    '/ticket',
  );
  await page.goto('/survey-thank-you/?q=n&state=TX');
  await expect(page.locator('#your-state')).toContainText('In Texas');
  expect(new URL(page.url()).search).not.toContain('state');
});
