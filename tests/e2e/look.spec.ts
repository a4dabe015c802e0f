import { expect, type Page } from '@playwright/test';
import { themeNames } from '../../src/domain/look.ts';
import { screenAddress } from '../../src/site/preview.ts';
import { openSurvey, test } from './support/journeys.ts';
import { examine } from './support/page-errors.ts';
import { expectStep } from './support/survey-page.ts';
import { desktop } from './support/windows.ts';

test.use(desktop);

/** Returns the boxes of the current question's answers, in CSS pixels. */
function answersOf(page: Page) {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll('[data-step] .choice')].map((each) =>
      each.getBoundingClientRect(),
    );
    return {
      top: Math.min(...boxes.map((box) => box.top)),
      bottom: Math.max(...boxes.map((box) => box.bottom)),
      width: Math.max(...boxes.map((box) => box.width)),
      least: Math.min(...boxes.map((box) => box.height)),
    };
  });
}

test('answers are within reach at every size', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openSurvey(page);
  const onPhone = await answersOf(page);
  expect(onPhone.top).toBeGreaterThan(740 / 3);
  expect(onPhone.bottom).toBeLessThan(740);
  expect(onPhone.least).toBeGreaterThanOrEqual(56);
  // The sheet fills the screen: the footer with the full legal text begins right below the fold.
  const foldGap = await page.evaluate(() => {
    const footer = document.querySelector('#legal');
    return (footer?.getBoundingClientRect().top ?? 0) - innerHeight;
  });
  expect(foldGap).toBeGreaterThanOrEqual(0);
  expect(foldGap).toBeLessThan(40);

  await page.setViewportSize({ width: 740, height: 360 });
  expect((await answersOf(page)).bottom).toBeLessThanOrEqual(360);

  await page.setViewportSize({ width: 1440, height: 900 });
  const onDesktop = await answersOf(page);
  expect(onDesktop.width).toBeLessThanOrEqual(520);
  expect(onDesktop.bottom).toBeLessThan(900);
  await expect(page.locator('.panel .numbered li')).toHaveCount(3);
});

test('the button to start a claim is in reach at every width; on a phone once the first question is not', async ({
  page,
}) => {
  await page.goto('/');
  for (const width of [360, 767, 768, 769, 1120, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const ways = page.locator('.top-bar > a, .call-bar a').filter({ hasText: /File your claim/ });
    await page.evaluate(() => window.scrollTo(0, 0));
    if (width < 768) {
      await expect(ways.filter({ visible: true })).toHaveCount(0);
      await page.locator('.last-call').scrollIntoViewIfNeeded();
    }
    await expect(ways.filter({ visible: true })).toHaveCount(1);
    await expect(ways.filter({ visible: true })).toBeInViewport();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
  }
});

test('the panel beside the question shows the logo, and no survey page shows the site’s menu', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openSurvey(page);
  await expect(page.locator('.panel .logo')).toBeInViewport();
  for (const path of ['/survey/v4nv', '/survey-thank-you/']) {
    await page.goto(path);
    await expect(page.locator('.header .logo')).toBeVisible();
    await expect(page.locator('#menu, .menu-toggle')).toHaveCount(0);
  }
});

test('the estimator: its gauge by size, raised by an answer, and digits only', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openSurvey(page, '/survey/v4');
  await page.locator('button[name=accident_type][value="Truck Accident"]').click();
  await expectStep(page, 'AutoAccidentCaseWorth');
  const amount = page.locator('input[name=current_compensation]');
  await expect(amount).toHaveAttribute('placeholder', '7000');
  const upright = page.locator('.gauge--vertical');
  const flat = page.locator('.gauge--horizontal');
  await expect(flat).toBeHidden();
  expect((await upright.boundingBox())?.height).toBeCloseTo(7 * 60.71, 1);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(upright).toBeHidden();
  await expect(flat).toBeInViewport();
  await amount.fill('a $20,000.00');
  await expect(amount).toHaveValue('20000');
  await expect(page.locator('.worth-level')).toHaveText('Mid to High Value');
  await amount.press('End');
  await amount.pressSequentially('e-.+1');
  await expect(amount).toHaveValue('200001');
  await expect(page.locator('.worth-level')).toHaveText('Extremely High Value');
});

test('hovering over an answer changes only its edge', async ({ page }) => {
  await openSurvey(page);
  const answer = page.locator('[data-step] .choice').first();
  const styleOf = () =>
    answer.evaluate((element) => {
      const { backgroundColor, color, borderTopColor } = getComputedStyle(element);
      return { backgroundColor, color, borderTopColor };
    });
  const before = await styleOf();
  await answer.hover();
  await expect.poll(async () => (await styleOf()).borderTopColor).not.toBe(before.borderTopColor);
  expect(await styleOf()).toEqual({ ...before, borderTopColor: expect.any(String) });
});

test('the page’s attributes set its look, and a page carries only its own theme', async ({
  page,
}) => {
  await openSurvey(page);
  const html = await page.content();
  expect(html).toContain('[data-theme=default]');
  for (const theme of themeNames.slice(1)) expect(html).not.toContain(`[data-theme=${theme}]`);
  expect(html).not.toContain('[data-logo=');
  await expect(page.locator('.header .logo-mark path')).toHaveCount(2);

  const look = (name: string, value: string) =>
    page.evaluate(
      ([attribute, chosen]) =>
        document.documentElement.setAttribute(attribute as string, chosen as string),
      [`data-${name}`, value],
    );
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await look('scheme', 'dark');
  await expect.poll(ground).not.toBe(light);
  await examine(page, 'the first question');
  await look('scheme', 'light');

  const bar = page.locator('.progress progress');
  const shown = {
    stages: page.locator('.stages li').first(),
    bar: page.locator('.progress-words'),
    percent: bar,
    dots: page.locator('.stages li').last(),
  };
  for (const [style, part] of Object.entries(shown)) {
    await look('progress', style);
    await expect(part).toBeVisible();
    await expect(bar).toBeVisible();
    expect(await page.locator('.stages').isVisible()).toBe(style === 'stages' || style === 'dots');
    expect(await page.locator('.progress-words').isVisible()).toBe(style === 'bar');
    await examine(page, 'the first question');
  }
});

/** Returns an element's box in CSS pixels. */
function boxOf(page: Page, selector: string) {
  return page
    .locator(selector)
    .evaluate((each) => each.getBoundingClientRect().toJSON() as DOMRect);
}

test('the progress line runs through its stages, also on the scene’s ground', async ({ page }) => {
  // Both have the composition `band`; one shows progress as stages, the other as dots.
  for (const theme of ['wine', 'dusk']) {
    await page.goto(`${screenAddress('/survey/v4nv', 0)}&theme=${theme}`);
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const track = await boxOf(page, '.track');
      const stages = await boxOf(page, '.stages');
      expect(Math.abs(track.left - stages.left)).toBeLessThan(1);
      expect(Math.abs(track.right - stages.right)).toBeLessThan(1);
      expect(track.top).toBeGreaterThan(stages.top);
      expect(track.bottom).toBeLessThan(stages.top + 28);
    }
  }
});

test('on a phone only the first screen shows the scene’s sun', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const [step, isFirst] of [true, false].entries()) {
    await page.goto(screenAddress('/survey/v4nv', step));
    const sun = await boxOf(page, '.panel-art .art-sun');
    const sheet = await boxOf(page, '.survey > .card');
    expect(sun.top < sheet.top).toBe(isFirst);
  }
});

test('the scene fills the corners of the first sheet', async ({ page }) => {
  for (const path of ['/survey/v4nv', '/survey/v4nv-ep']) {
    for (const width of [360, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(screenAddress(path, 0));
      const radius = await page
        .locator('.survey > .card')
        .evaluate((sheet) => Number.parseFloat(getComputedStyle(sheet).borderTopLeftRadius));
      const [panel, sheet] = [await boxOf(page, '.panel'), await boxOf(page, '.survey > .card')];
      expect(panel.bottom).toBeGreaterThanOrEqual(sheet.top + radius);
    }
  }
});

test('the first heading has its face without a request, on every kind of page', async ({
  page,
}) => {
  await page.route('**/*.woff2', (route) => route.abort());
  for (const path of ['/', '/car-accident-lawsuits/timeline/', '/contact/', '/survey-thank-you/']) {
    await page.goto(path);
    const faces = await page
      .locator('h1')
      .first()
      .evaluate((heading) => ({
        family: getComputedStyle(heading).fontFamily.split(',')[0],
        isLoaded: document.fonts.check('1em first', heading.textContent ?? ''),
      }));
    expect(faces, path).toEqual({ family: 'first', isLoaded: true });
  }
});

test('the home page’s road stays below the sun', async ({ page }) => {
  await page.goto('/');
  const inSun = await page.evaluate(() => {
    const shape = (name: string) =>
      document.querySelector(`.hero-art .art-${name}`) as SVGGeometryElement;
    const [road, sun, hill] = [shape('road'), shape('sun'), shape('far')];
    const steps = Array.from({ length: 500 }, (_, step) => (road.getTotalLength() * step) / 500);
    const toScreen = road.getScreenCTM() as DOMMatrix;
    const toScene = (hill.getScreenCTM() as DOMMatrix).inverse().multiply(toScreen);
    const points = steps.map((at) => road.getPointAtLength(at).matrixTransform(toScene));
    return points.filter((each) => sun.isPointInFill(each) && !hill.isPointInFill(each)).length;
  });
  expect(inSun).toBe(0);
});
