/** Tests the layout on a phone. */
import { expect, type Page } from '@playwright/test';
import { schemes, themeNames } from '../../src/model/fields/look.ts';
import { v4 } from '../../src/model/flows/variants/v4.ts';
import { siteMap } from '../../src/web/site/site-map.ts';
import { desktop, examineBothSizes, measure, TARGET_PX, violations } from './support/checks.ts';
import { answerStep, expectStep, walkUpTo } from './support/survey-page.ts';
import { openStep, openSurvey, qualifyingPath, test } from './support/visits.ts';

/** Returns the distance from the top of the page to an element's lower edge, in CSS pixels. */
function bottomOf(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .last()
    .evaluate((element) => element.getBoundingClientRect().bottom);
}

/** Returns whether the consent text is shown whole, in at least 14 px, and not folded away. */
function isWhole(page: Page): Promise<boolean> {
  return page.locator('#tcpa').evaluate((element) => {
    const { fontSize } = getComputedStyle(element);
    const isUncut = element.clientHeight > 0 && element.scrollHeight <= element.clientHeight;
    return isUncut && Number.parseFloat(fontSize) >= 14 && !element.closest('details');
  });
}

/** Steps that together show every consent text in both languages. */
const contactSteps = [
  ['/survey/v4nv', 'PhoneAndZip'],
  ['/survey/v4nv-es', 'PhoneAndZip'],
  ['/survey/v6', 'PhoneAbbreviatedTCPA'],
] as const;

test('the consent text and the submit button are visible on a small phone without scrolling', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const [path, step] of contactSteps) {
    await openStep(page, path, step);
    const button = await bottomOf(page, '[data-step] button[type=submit]');
    expect(button, path).toBeLessThanOrEqual(740);
    const consent = await bottomOf(page, '#tcpa');
    expect(consent).toBeGreaterThan(await bottomOf(page, '[data-step] input[name=phone]'));
    expect(consent).toBeLessThan(button);
    expect(await isWhole(page)).toBe(true);
  }
  for (const [path, step] of [
    ['/survey/v4nv', 'StartPath'],
    ['/survey/v4nv', 'WasUserInjured'],
    ['/survey/v4nv-es', 'PhoneAndZip'],
    ['/form', 'OnePageForm'],
  ] as const) {
    await openStep(page, path, step);
    expect(await measure(page, TARGET_PX), `${path} ${step}`).toEqual({ wider: 0, small: [] });
  }
});

test('a tap on a scenario writes its sentence, and a phone’s keyboard does not cover the field and the button', async ({
  page,
}) => {
  const [height, keyboard] = [740, 300];
  await page.setViewportSize({ width: 360, height });
  await openSurvey(page, '/survey/v4nv');
  await walkUpTo(page, v4, qualifyingPath(), 'IncidentDescription');
  const field = page.locator('#field-case_description');
  const tiles = page.locator('.scenario');
  const lowest = await bottomOf(page, '[data-step] button[type=submit]');
  expect(lowest, 'the button is below the fold').toBeLessThanOrEqual(height);
  for (const index of [0, 1]) {
    const tile = tiles.nth(index);
    await tile.dblclick();
    await expect(field, 'a double tap is one tap').toHaveValue(
      `${await tile.getAttribute('value')} `,
    );
    await expect(page.locator('.scenario[aria-pressed=true]')).toHaveCount(1);
    await expect(tile).toHaveAttribute('aria-pressed', 'true');
  }
  await expect(field, 'the keyboard must not open').not.toBeFocused();
  await field.focus();
  // Imitates the keyboard of a phone, which makes only the visual viewport smaller.
  await page.evaluate((visible) => {
    Object.defineProperty(visualViewport, 'height', { value: visible });
    visualViewport?.dispatchEvent(new Event('resize'));
  }, height - keyboard);
  const bottom = () => bottomOf(page, '[data-step] button[type=submit]');
  expect(await bottom()).toBeLessThanOrEqual(height - keyboard);
  const top = await field.evaluate((element) => element.getBoundingClientRect().top);
  expect(top).toBeGreaterThanOrEqual(0);
  await field.evaluate(() => window.scrollTo(0, 0));
  expect(await bottom()).toBeLessThanOrEqual(height - keyboard);
});

test('the consent text is legible on a small phone in every theme', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openStep(page, '/survey/v4nv', 'PhoneAndZip');
  const address = page.url();
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    for (const theme of themeNames) {
      await page.goto(`${address}&theme=${theme}`);
      expect(await isWhole(page), theme).toBe(true);
      // The rule demands a contrast of 4.5 for a text of this size.
      expect(await violations(page, ['color-contrast']), `${theme} ${colorScheme}`).toEqual([]);
    }
  }
});

test('no step scrolls sideways at a zoom of 400 % @all', async ({ page }) => {
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
      await page.evaluate((value) => {
        document.documentElement.style.fontSize = value;
      }, size);
      expect((await measure(page)).wider, `${path} ${step}`).toBe(0);
      expect(await bottomOf(page, '.header'), `${path} ${step}`).toBeLessThanOrEqual(120);
    }
  }
});

test('pages load without a layout shift @all', async ({ page }) => {
  await page.addInitScript(() => {
    if (location.hash === '#sent') sessionStorage.setItem('survey-answers', '[["When?", "Today"]]');
    type Shift = PerformanceEntry & { sources: readonly { node: Element | null }[] };
    const shifts: string[] = [];
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as Shift[]) {
        shifts.push(sources.map(({ node }) => `${node?.nodeName} ${node?.className}`).join());
      }
    }).observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { shifts });
  });
  // Slows the processor down, so that the browser paints before the page is complete.
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const expectNoShift = async (what: string) => {
    await page.evaluate(() => document.fonts.ready.then(() => new Promise(requestAnimationFrame)));
    const found = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
    expect(found, what).toEqual([]);
  };
  await page.setViewportSize({ width: 360, height: 740 });
  for (const id of ['home', 'laws', 'contact'] as const) {
    await page.goto(siteMap[id].paths.es);
    await expectNoShift(id);
  }
  for (const path of ['/survey/v4nv', '/survey/vw', '/survey/es']) {
    await openSurvey(page, path);
    await page.waitForFunction(() => !document.querySelector('link[disabled]'));
    await expectNoShift(path);
  }
  for (const address of [
    'q=y',
    'q=y#sent',
    'q=y#no-firm',
    'q=y#state-CO',
    'q=n&lang=es&state=TX#sent',
  ]) {
    await page.goto('about:blank');
    await page.goto(`/survey-thank-you/?${address}`);
    const last = address.includes('#') ? '#lead-status[data-state]' : '#start';
    await expect(page.locator(last)).toBeVisible();
    await expectNoShift(address);
  }
});

test('the guidance stands below the button on a phone, and in the panel on a wide screen', async ({
  page,
}) => {
  const code = page.waitForResponse(/\/guidance\.[^/]+\.js$/);
  await openSurvey(page);
  const path = qualifyingPath();
  const { steps, answers } = path;
  const before = steps[steps.indexOf('IncidentDescription') - 1] as string;
  await walkUpTo(page, v4, path, before);
  // The guidance shows only if its code has run before the screen appears.
  await page.evaluate((address) => import(address), (await code).url());
  await answerStep(page, v4, before, answers[before] ?? {});
  await expectStep(page, 'IncidentDescription');
  const guidance = page.getByRole('region', { name: 'Good to know now' });
  await expect(guidance.getByText('Show all states')).toBeVisible();
  const button = await bottomOf(page, '[data-step] button[type=submit]');
  const top = await guidance.evaluate((element) => element.getBoundingClientRect().top);
  expect(top, 'the guidance must follow the button').toBeGreaterThan(button);
  await examineBothSizes(page, 'the guidance');
  await page.setViewportSize(desktop.viewport);
  const [inner, panel] = await Promise.all([
    guidance.locator('> div').boundingBox(),
    page.locator('.panel').boundingBox(),
  ]);
  expect(inner).toMatchObject({ x: panel?.x, width: panel?.width });
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  const [text, drawing] = await Promise.all([
    bottomOf(page, '.guidance > div'),
    page.locator('.panel-art').evaluate((element) => element.getBoundingClientRect().top),
  ]);
  expect(text, 'scrolled to the end, the guidance must not cover the drawing').toBeLessThan(
    drawing,
  );
  expect(await measure(page, TARGET_PX)).toEqual({ wider: 0, small: [] });
});
