import { expect, type Page } from '@playwright/test';
import type { FlowPath } from '../../src/flows/engine/paths.ts';
import { PlainBrowser } from '../support/plain-browser.ts';
import { walkByForms } from '../support/plain-walk.ts';
import { qualifiedWay } from '../support/ways.ts';
import { journeyAt, newVisitor, openSurvey, test } from './support/journeys.ts';
import { askSandbox } from './support/sandbox-client.ts';
import { walkSurveyFast } from './support/survey-page.ts';

/** A click travels with the lead from every page of the site (docs/specification.md#click-of-a-visit). */
const click = { sub_id: 'abc', gclid: 'G1', click_id: 'click9', oid: '5', affid: '77' };
const QUERY = '?s1=abc&gclid=G1&sub5=click9&oid=5&affid=77&ttclid=T1&utm_campaign=spring';

/** The pages of a language, and its survey. */
const sites = [
  {
    pages: ['/', '/car-accident-laws/texas/', '/contact/', '/survey/v4nv'],
    contact: '/contact/',
    survey: '/survey-sl',
  },
  {
    pages: ['/es/', '/es/do-not-sell-my-information/', '/es/contact/', '/survey/v4nv-es'],
    contact: '/es/contact/',
    survey: '/survey/es',
  },
];

/** Waits for the lead of an e-mail address at an ingest service. */
async function deliveredTo(service: 'ingest' | 'contact', email: string) {
  const leads = async () => {
    const all = await askSandbox<{ body: Record<string, string> }[]>(`received?service=${service}`);
    return all.map(({ body }) => body).filter((body) => body.email === email);
  };
  await expect.poll(async () => (await leads()).length).toBe(1);
  return (await leads())[0];
}

function emailOf({ answers }: FlowPath): string {
  return Object.values(answers).find((each) => each?.email)?.email ?? '';
}

/** Fills the contact form, and sends it. */
async function sendContactForm(page: Page): Promise<string> {
  const email = `click-${Date.now()}@mail.example`;
  const field = (name: string) => page.locator(`.contact-form [name="${name}"]`);
  await field('typeOfAccident').selectOption('Car Accident');
  await field('firstName').fill('Maria');
  await field('lastName').fill('Sandoval');
  await field('email').fill(email);
  await field('phoneNumber').fill('2125550123');
  await field('message').fill('A truck hit my car from behind.');
  await page.locator('.contact-form [type=submit]').click();
  await expect(page.locator('.sent')).toBeVisible();
  return email;
}

for (const { pages, contact, survey } of sites) {
  for (const landing of pages.filter((page) => !page.includes('do-not-sell'))) {
    test(`@every-path a click on ${landing} goes with the survey ${survey}`, async ({ page }) => {
      const { flow, context } = await journeyAt(survey);
      const way = newVisitor(flow, qualifiedWay(flow, context));
      await page.goto(landing + QUERY);
      await page.goto(pages[1] ?? '');
      await openSurvey(page, survey);
      await walkSurveyFast(page, flow, way);
      expect(await deliveredTo('ingest', emailOf(way))).toMatchObject(click);
    });

    test(`@every-path a click on ${landing} goes with the survey ${survey} without scripts`, async ({
      baseURL,
    }) => {
      const { flow, context } = await journeyAt(survey);
      const way = newVisitor(flow, qualifiedWay(flow, context));
      const browser = new PlainBrowser();
      await browser.get(`${baseURL}${landing}${QUERY}`);
      await browser.get(`${baseURL}${pages[1]}`);
      await browser.get(`${baseURL}${survey}`);
      await walkByForms(browser, flow, way);
      expect(await deliveredTo('ingest', emailOf(way))).toMatchObject(click);
    });
  }

  for (const scripts of [true, false]) {
    test.describe(scripts ? 'with scripts' : 'without scripts', () => {
      test.use({ javaScriptEnabled: scripts });
      test(`@every-path a click on ${survey} goes with the form at ${contact}`, async ({
        page,
      }) => {
        await page.goto(survey + QUERY);
        await page.goto(contact);
        const { oid: _, affid: __, ...ids } = click;
        expect(await deliveredTo('contact', await sendContactForm(page))).toMatchObject(ids);
      });
    });
  }
}
