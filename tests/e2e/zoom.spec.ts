import { expect, type Page } from '@playwright/test';
import { pageIds, siteMap } from '../../src/site/site-map.ts';
import { openStep, test } from './support/journeys.ts';

const paths = [...pageIds.flatMap((id) => Object.values(siteMap[id].paths)), '/nothing-here'];

/** WCAG 2.2: 44 px, except links within a sentence. Half a pixel is rounding. */
const TARGET_PX = 43.5;

/** Returns how much wider the page is than its window, and the targets that are too small. */
function measure(page: Page, least: number) {
  return page.evaluate((least) => {
    const isInSentence = (element: Element) => {
      const around = element.parentElement?.textContent?.trim().length ?? 0;
      const own = element.textContent?.trim().length ?? 0;
      return getComputedStyle(element).display === 'inline' && around > own + 3;
    };
    for (const closed of document.querySelectorAll('main details')) closed.setAttribute('open', '');
    const small = [...document.querySelectorAll('a, button, input, select, textarea, summary')]
      .map((element) => {
        const box = (element.closest('label') ?? element).getBoundingClientRect();
        return { element, box };
      })
      .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < least)
      .filter(({ element }) => !element.matches('.skip, [aria-hidden]') && !isInSentence(element))
      .map(({ element }) => element.outerHTML.slice(0, 120));
    const { scrollWidth, clientWidth } = document.documentElement;
    const wider = Math.max(scrollWidth, document.body.scrollWidth) - clientWidth;
    return { wider: Math.max(0, wider), small };
  }, least);
}

test('every page of the site at 400 % zoom and at 200 % text: no sideways scrolling, large enough targets, a usable menu in a low header', async ({
  page,
}) => {
  test.slow();
  for (const path of paths) {
    // 1280 × 1024 at 400 %.
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto(path);
    expect(await measure(page, TARGET_PX), `${path} at 400 %`).toEqual({ wider: 0, small: [] });

    await page.setViewportSize({ width: 360, height: 740 });
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    expect((await measure(page, 0)).wider, `${path} at 200 % text`).toBe(0);
    const header = await page.locator('.site-header').boundingBox();
    expect(header?.height, path).toBeLessThanOrEqual(120);
    await expect(page.locator('.menu-toggle')).toBeInViewport({ ratio: 1 });
  }
});

test('a survey and its thank-you pages on a small phone: large enough targets', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const fits = async (what: string) =>
    expect(await measure(page, TARGET_PX), what).toEqual({ wider: 0, small: [] });
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
  for (const query of ['q=y', 'q=y#no-firm', 'q=n', 'q=n&lang=es&state=TX#sent']) {
    await page.goto('about:blank');
    await page.goto(`/survey-thank-you/?${query}`);
    await fits(query);
  }
});
