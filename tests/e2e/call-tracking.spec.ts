/** The number to call on the page, as a call-tracking script replaces it. */
import { expect, type Page } from '@playwright/test';
import { openSurvey, test, unusualTest } from './support/journeys.ts';
import { answerFirst, sandbox, watchPolicy, watchSandbox } from './support/sandbox-scripts.ts';
import { expectStep } from './support/survey-page.ts';

/** Returns the numbers that any frame of the page, and of those after it, shows in a call link. */
async function watchNumbers(page: Page): Promise<ReadonlySet<string>> {
  const shown = new Set<string>();
  await page.exposeFunction('tellNumber', (digits: string) => shown.add(digits));
  await page.addInitScript(() => {
    const { tellNumber } = window as unknown as { tellNumber(digits: string): void };
    const look = () => {
      for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="tel:"]')) {
        if (!link.checkVisibility({ visibilityProperty: true })) continue;
        for (const text of [link.href, link.text]) {
          const digits = text.replace(/\D/g, '').slice(-10);
          if (digits !== '') tellNumber(digits);
        }
      }
      requestAnimationFrame(look);
    };
    look();
  });
  return shown;
}

/** Answers for the widget's script, which puts the next number into the header each time. */
async function serveNumbers(page: Page, before?: Promise<unknown>): Promise<{ loads: number }> {
  const served = { loads: 0 };
  await page.route(
    (url) => url.pathname.startsWith('/ringba/'),
    async (route) => {
      served.loads += 1;
      const number = `(212) 555-019${served.loads}`;
      await before;
      const place = '.call-number, .top-call-number';
      const body = `document.querySelector('${place}').textContent = '${number}'; window.isSwapped = true;`;
      await route.fulfill({ contentType: 'text/javascript', body });
    },
  );
  return served;
}

test('one number a visit: no frame of any page or language shows another', async ({ page }) => {
  const shown = await watchNumbers(page);
  const served = await serveNumbers(page);
  await openSurvey(page, '/survey/v4nv?gclid=x');
  await expect(page.locator('.call')).toContainText('(212) 555-0191');
  await page.locator('#other-language').click();
  await page.waitForURL('**/survey/v4nv-es?*');
  await expect(page.locator('.call')).toBeVisible();
  for (const path of ['/es/', '/about-us/', '/do-not-sell-my-information/']) {
    await page.goto(path, { waitUntil: 'networkidle' });
  }
  await page.goto('/survey-thank-you/?q=y');
  await expect(page.locator('.call-card a.button')).toContainText('(212) 555-0191');
  await expect(page.locator('#contact-card')).toHaveAttribute('href', /2125550191/);
  expect([...shown]).toEqual(['2125550191']);
  expect(served.loads).toBe(1);
});

test('a widget that answers after the wait changes no number, and the page does not move', async ({
  page,
}) => {
  const shown = await watchNumbers(page);
  let answer = () => {};
  await serveNumbers(page, new Promise<void>((resolve) => (answer = resolve)));
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const each of list.getEntries()) document.documentElement.dataset.moved = each.name;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/?gclid=x');
  await expect(page.locator('.last-ways a[href^="tel:"]')).toContainText('(800) 555-0100');
  await expect(page.locator('.last-ways a[href^="tel:"]')).toBeVisible();
  answer();
  await page.waitForFunction(() => 'isSwapped' in window);
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(shown)));
  await expect(page.locator('html')).not.toHaveAttribute('data-moved');
  await page.goto('/survey/v4nv');
  await expect(page.locator('.call')).toBeVisible();
  expect([...shown]).toEqual(['8005550100']);
});

test('call tracking on the site: after the page has loaded, without contact details, in every text, for the whole visit', async ({
  page,
  browser,
  baseURL,
}) => {
  const refused = await watchPolicy(page);
  const asked = watchSandbox(page);
  let isLoaded = false;
  page.on('load', () => {
    isLoaded = true;
  });
  page.on('request', (request) => {
    if (request.url().startsWith(sandbox())) expect(isLoaded).toBe(true);
  });
  await page.goto('/contact/?gclid=x&E-Mail=maria%40mail.example&s1=abc');
  const links = page.locator('a[href^="tel:"]');
  await expect(page.locator('.top-call')).toHaveText(/\(212\) 555-0142/);
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute('href', 'tel:+12125550142');
  }
  expect(await page.locator('body').textContent()).not.toContain('(800) 555-0100');
  expect(asked).toEqual(['/ringba/google']);
  expect(new URL(page.url()).search).toBe('?gclid=x&s1=abc');

  // The visit's next page shows the same number without another request.
  await page.goto('/car-accident-lawsuits/faqs/');
  await expect(page.locator('.top-call')).toHaveText(/\(212\) 555-0142/);
  expect(asked).toHaveLength(1);
  expect(refused).toEqual([]);

  // Nothing loads with the opt-out signal, on the opt-out page, or with contact details in the referrer.
  const context = await browser.newContext({ ...(baseURL && { baseURL }) });
  const other = await context.newPage();
  const askedByOther = watchSandbox(other);
  await other.goto('/do-not-sell-my-information/', { waitUntil: 'networkidle' });
  await other.goto('/about-us/', {
    waitUntil: 'networkidle',
    referer: `${baseURL}/?phone=2125550123`,
  });
  await other.addInitScript(() => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
  });
  await other.goto('/about-us/', { waitUntil: 'networkidle' });
  await expect(other.locator('.top-call')).toHaveText(/\(800\) 555-0100/);
  expect(askedByOther).toEqual([]);
  await context.close();
});

test('“call now” on a later screen shows the tracked number', async ({ page }) => {
  await openSurvey(page, '/benefits?gclid=x');
  await page.locator('[data-step] button[type=submit]').click();
  await expect(page.locator('.call')).toHaveText(/\(212\) 555-0142/);
  await page.locator('button[name=ageGroup]').first().click();
  await page.locator('button[name=isUSCitizen]').first().click();
  await expectStep(page, 'SecuredBenefits');
  const callNow = page.locator('[data-step] a.button');
  await expect(callNow).toHaveAttribute('href', 'tel:+12125550142');
  await expect(callNow).toContainText('(212) 555-0142');
});

for (const [what, code, number] of [
  ['changes only the link', 'document.querySelector(".call").href = "tel:2125550198";', '0198'],
  [
    'replaces the link with its own',
    `document.querySelector(".call").outerHTML =
      '<a class="call" href="tel:+12125550197">(212) 555-0197</a>';`,
    '0197',
  ],
] as const) {
  test(`a call-tracking script that ${what} is followed everywhere`, async ({ page }) => {
    await page.route(
      (url) => url.pathname.startsWith('/ringba/'),
      (route) => route.fulfill({ contentType: 'text/javascript', body: code }),
    );
    await openSurvey(page, '/survey/v4nv?gclid=x');
    await answerFirst(page);
    await expect(page.locator('.call')).toContainText(`(212) 555-${number}`);
    for (const link of await page.locator('a[href^="tel:"]').all()) {
      await expect(link).toHaveAttribute('href', new RegExp(`^tel:(\\+1)?212555${number}$`));
    }
  });
}

unusualTest(
  'an exhausted pool keeps the default number; the other pool has its own',
  async ({ page }) => {
    const tracking = page.waitForResponse((response) => response.url().includes('invoca'));
    await openSurvey(page, '/survey/v4nv?gclid=x');
    const before = await page.locator('.call').textContent();
    await answerFirst(page);
    await (await tracking).finished();
    // After two frames the script's change would be visible.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    expect(await page.locator('.call').textContent()).toBe(before);
    expect(before).toContain('(800) 555-0100');

    await openSurvey(page, '/survey/v4nv-rz?fbclid=x');
    await answerFirst(page);
    await expect(page.locator('.call')).toHaveText(/\(212\) 555-0143/);
  },
);
