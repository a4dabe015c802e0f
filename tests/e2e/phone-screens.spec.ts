import { expect, type Page } from '@playwright/test';
import { v4 } from '../../src/flows/variants/v4.ts';
import { openStep, openSurvey, qualifyingPath, test } from './support/journeys.ts';
import { measure } from './support/measure.ts';
import { walkUpTo } from './support/survey-page.ts';

/** Returns the lower edge of an element, in CSS pixels from the top of the page. */
function bottomOf(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom);
}

/** The last step in both languages, with the shared consent and with the short one. */
const contactSteps = [
  ['/survey/v4nv', 'PhoneAndZip'],
  ['/survey/v4nv-es', 'PhoneAndZip'],
  ['/survey/v6', 'PhoneAbbreviatedTCPA'],
] as const;

test('the last button is on the first screen, with its consent above it', async ({ page }) => {
  for (const [path, step] of contactSteps) {
    await openStep(page, path, step);
    for (const [width, height] of [
      [360, 740],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      const button = await bottomOf(page, '[data-step] button[type=submit]');
      expect(button, path).toBeLessThanOrEqual(height);
      const consent = await bottomOf(page, '#tcpa');
      expect(consent).toBeGreaterThan(await bottomOf(page, '[data-step] input[name=phone]'));
      expect(consent).toBeLessThan(button);
      const isWhole = await page.locator('#tcpa').evaluate((element) => {
        const { fontSize } = getComputedStyle(element);
        return element.scrollHeight <= element.clientHeight && Number.parseFloat(fontSize) >= 14;
      });
      expect(isWhole).toBe(true);
    }
  }
});

test('the town found for a zip code moves nothing', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openStep(page, '/survey/v4nv', 'PhoneAndZip');
  const before = await bottomOf(page, '[data-step] button[type=submit]');
  await page.locator('.place').evaluate((element) => {
    element.textContent = 'Rancho Santa Margarita, CA';
  });
  expect(await bottomOf(page, '[data-step] button[type=submit]')).toBe(before);
  expect(await bottomOf(page, '.place')).toBeLessThanOrEqual(
    await page.locator('#tcpa').evaluate((element) => element.getBoundingClientRect().top),
  );
});

test('a phone in landscape shows every answer of the injury question', async ({ page }) => {
  await page.setViewportSize({ width: 740, height: 360 });
  for (const path of ['/survey/v4nv', '/survey/v4nv-es']) {
    await openStep(page, path, 'WasUserInjured');
    await expect(page.locator('.choices .choice')).toHaveCount(9);
    const bottoms = await page
      .locator('.choices .choice')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().bottom));
    expect(Math.max(...bottoms), path).toBeLessThanOrEqual(360);
  }
});

test.describe('with large text', () => {
  // The pages' policy would block the test's styles.
  test.use({ bypassCSP: true });

  test('at 200 % and at 400 % every step stays within its width', async ({ page }) => {
    test.slow();
    for (const [width, height, size] of [
      [360, 740, '200%'],
      [320, 256, '100%'],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const [path, step] of [
        ...contactSteps,
        ['/survey/v4nv', 'WasUserInjured'],
        ['/survey/v4nv-es', 'IncidentDescription'],
        ['/survey/es', 'StartPath'],
        ['/form', 'OnePageForm'],
      ] as const) {
        await openStep(page, path, step);
        await page.addStyleTag({ content: `html { font-size: ${size} }` });
        const seen = await page.evaluate((width) => {
          const all = [...document.querySelectorAll('.survey *:not(.sr-only, svg *)')];
          const columns = [...document.querySelectorAll('.choices .choice')].map(
            (each) => each.getBoundingClientRect().left,
          );
          return {
            scroll: document.documentElement.scrollWidth,
            right: Math.max(...all.map((each) => each.getBoundingClientRect().right)),
            header: document.querySelector('.header')?.getBoundingClientRect().height ?? 0,
            columns: new Set(columns).size,
            name: document.querySelector('.logo-name')?.getBoundingClientRect().right ?? width,
            besideName: document.querySelector('.logo + *')?.getBoundingClientRect().left ?? 0,
          };
        }, width);
        expect(seen.scroll, `${path} ${step}`).toBeLessThanOrEqual(width);
        expect(seen.right, `${path} ${step}`).toBeLessThanOrEqual(width);
        expect(seen.header).toBeLessThanOrEqual(120);
        expect(seen.name, `${path} ${step}`).toBeLessThanOrEqual(seen.besideName);
        expect(seen.columns).toBeLessThanOrEqual(1);
      }
    }
  });
});

test('a suggested sentence is added once, as if typed, and opens no keyboard', async ({ page }) => {
  await openSurvey(page);
  await walkUpTo(page, v4, qualifyingPath(), 'IncidentDescription');
  const text = page.locator('textarea');
  await text.fill('At noon');
  const starter = page.getByRole('group', { name: 'Tap to add:' }).getByRole('button').first();
  await starter.focus();
  await starter.click();
  await starter.click();
  await expect(text).toHaveValue('At noon. I was hit from behind. ');
  await expect(starter).toBeFocused();
  // The cursor is behind it.
  await text.evaluate((each) => each.focus());
  await page.keyboard.type('I stopped');
  await expect(text).toHaveValue('At noon. I was hit from behind. I stopped');
  await expect(page.locator('.counter')).toContainText('41 /');
});

test('the home page does not move while a slow line delivers it', async ({ page }) => {
  await page.goto('/');
  const moved = await page.evaluate(async () => {
    const html = await (await fetch('/')).text();
    document.open();
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const each of list.getEntries()) sum += (each as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift' });
    for (let at = 0; at < html.length; at += 2000) {
      document.write(html.slice(at, at + 2000));
      await new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)));
    }
    document.close();
    return sum;
  });
  expect(moved).toBeLessThan(0.01);
});

/** Records every layout shift on the following pages, with what moved, with the processor slowed four times. */
async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    type Moved = { node: Element | null; previousRect: DOMRect; currentRect: DOMRect };
    type Shift = PerformanceEntry & { value: number; sources: readonly Moved[] };
    const shifts: string[] = [];
    const place = ({ x, y, width, height }: DOMRect) =>
      [x, y, width, height].map(Math.round).join(' ');
    const told = ({ node, previousRect, currentRect }: Moved) =>
      `${node?.nodeName} ${node?.className} ${place(previousRect)} to ${place(currentRect)}`;
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries() as Shift[])
        shifts.push(`${value} at ${Math.round(startTime)} ms: ${sources.map(told).join(', ')}`);
    }).observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { shifts });
  });
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return async () => {
    await page.evaluate(() => document.fonts.ready.then(() => new Promise(requestAnimationFrame)));
    return page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
  };
}

test('a first view on a slow phone has no layout shift', async ({ page }) => {
  const shifts = await watchShifts(page);
  for (const [path, width] of [
    ['/survey/v4nv', 360],
    ['/survey/vw', 412],
    ['/survey/es', 360],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    await openSurvey(page, path);
    await page.waitForFunction(() => !document.querySelector('link[disabled]'));
    expect(await shifts(), `${path} at ${width}`).toEqual([]);
  }
});

test('a thank-you page on a slow phone has no layout shift', async ({ page }) => {
  await page.addInitScript(() => {
    if (location.hash === '#sent') sessionStorage.setItem('survey-answers', '[["When?", "Today"]]');
  });
  const shifts = await watchShifts(page);
  for (const address of [
    ...['q=y', 'q=y#sent', 'q=y#no-firm'],
    ...['q=n&state=TX', 'q=n&lang=es&state=TX#sent'],
  ]) {
    await page.goto('about:blank');
    await page.goto(`/survey-thank-you/?${address}`);
    const last = address.includes('#') ? '#lead-status[data-state]' : '#start';
    await expect(page.locator(last)).toBeVisible();
    expect(await shifts(), address).toEqual([]);
  }
});

test('a survey and its thank-you pages on a small phone: large enough targets', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  // WCAG 2.2: 44 px; half a pixel is rounding.
  const fits = async (what: string) =>
    expect(await measure(page, 43.5), what).toEqual({ wider: 0, small: [] });
  for (const [path, step] of [
    ['/survey/v4nv', 'StartPath'],
    ['/survey/v4nv', 'WasUserInjured'],
    ['/survey/v4nv-es', 'PhoneAndZip'],
    ['/survey/v6', 'PhoneAbbreviatedTCPA'],
    ['/form', 'OnePageForm'],
  ] as const) {
    await openStep(page, path, step);
    await fits(`${path} ${step}`);
  }
  // Its only answers are toggles, which show what is pressed.
  await page.goto('/form');
  const toggles = page.locator('.toggles').first().locator('button');
  await toggles.first().click();
  const color = (index: number) =>
    toggles.nth(index).evaluate((each) => getComputedStyle(each).backgroundColor);
  await expect.poll(async () => (await color(0)) === (await color(1))).toBe(false);
  // The mark of the chosen answer takes no space from its label.
  const hurt = page.locator('[data-field="physical_injury"] button').first();
  const height = () => hurt.evaluate((each) => each.getBoundingClientRect().height);
  for (const width of [320, 340, 360, 375, 390]) {
    await page.setViewportSize({ width, height: 740 });
    const before = await height();
    await hurt.click();
    await expect(hurt).toHaveAttribute('aria-pressed', 'true');
    expect(await height(), `at ${width}`).toBe(before);
    await page.locator('[data-field="physical_injury"] button').last().click();
  }
  for (const query of ['q=y', 'q=y#no-firm', 'q=n', 'q=n&lang=es&state=TX#sent']) {
    await page.goto('about:blank');
    await page.goto(`/survey-thank-you/?${query}`);
    await fits(query);
  }
});
