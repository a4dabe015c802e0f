/** Survey endings other than a plain redirect to the thank-you page. */
import { expect, type Page, type Route } from '@playwright/test';
import { calendarDate } from '../../src/domain/dates.ts';
import type { Flow } from '../../src/flows/engine/flow.ts';
import { flowLoaders, surveyAt, surveyFacts } from '../../src/flows/surveys.ts';
import { answeredSteps, disqualifiedWay, qualifiedWay } from '../support/ways.ts';
import { openSurvey, test } from './support/journeys.ts';
import { examineBothSizes } from './support/page-errors.ts';
import { expectStep, walkSurveyFast } from './support/survey-page.ts';
import { asVisitor } from './support/visitors.ts';

/** Phone numbers from index 800 belong to these journeys. */
let visitors = 0;

async function walkTo(page: Page, address: string, kind: 'qualified' | 'disqualified') {
  const survey = surveyAt(new URL(address, 'http://localhost').pathname);
  if (!survey) throw new Error(`no survey at ${address}`);
  const flow: Flow = await flowLoaders[survey.flow]();
  const today = calendarDate(new Date(), 'America/New_York');
  const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
  const way =
    kind === 'qualified' ? qualifiedWay(flow, context) : disqualifiedWay(flow, context)?.way;
  if (!way) throw new Error(`${address} asks nothing that disqualifies`);
  visitors += 1;
  const index = 800 + test.info().parallelIndex * 50 + (visitors % 50);
  await openSurvey(page, address);
  await walkSurveyFast(page, flow, answeredSteps(flow, asVisitor(way, index)));
}

test('progress-bar: stays, shows that it is still trying, retries at a tap, and goes on', async ({
  page,
}) => {
  let answerPost = (route: Route): Promise<void> => route.abort();
  await page.route('**/post-lead', (route) => answerPost(route));
  await walkTo(page, '/survey/progress', 'qualified');
  await expectStep(page, 'End');
  const again = page.getByRole('button', { name: 'Try now' });
  await expect(again).toBeVisible();
  await expect(page.locator('[data-sending=trying]')).toBeVisible();
  await examineBothSizes(page, 'End');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(new URL(page.url()).pathname).toBe('/survey/progress');
  // The queue's next retry is held back. No further timer runs, so only the tap can retry.
  const held = await new Promise<Route>((resolve) => {
    answerPost = async (route) => resolve(route);
  });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  answerPost = (route) => route.continue();
  const arrived = page.waitForRequest(
    (request) => request.isNavigationRequest() && request.url().includes('/survey-thank-you/'),
  );
  await again.click();
  await held.abort();
  const query = new URL((await arrived).url()).searchParams;
  expect(query.get('q')).toBe('y');
  expect(query.get('qualified')).toBe('yes');
});

test('short: the overlay covers the last screen only while the lead is sent', async ({ page }) => {
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/post-lead', async (route) => {
    await held;
    await route.continue();
  });
  const arrived = page.waitForRequest((request) => request.url().includes('/survey-thank-you/'));
  // "No content" leaves the browser on the current page.
  await page.route('**/survey-thank-you/**', (route) => route.fulfill({ status: 204 }));
  await walkTo(page, '/survey/short', 'qualified');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.locator('[data-step=ThankYouStep]')).toBeAttached();
  answer();
  await arrived;
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectStep(page, 'ThankYouStep');
  await examineBothSizes(page, 'ThankYouStep');
});

test('one-page form: a disqualified visitor sees its own screen, and no address keeps answers', async ({
  page,
}) => {
  await walkTo(page, '/form', 'disqualified');
  await expectStep(page, 'Disqualified');
  expect(new URL(page.url()).pathname).toBe('/form');
  await expect(page.locator('[data-step] a[href^="tel:"]')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('one-page form: a qualified visitor goes on with affid, sub_id and q only', async ({
  page,
}) => {
  const arrived = page.waitForRequest((request) => request.url().includes('/survey-thank-you/'));
  await walkTo(page, '/form?affid=9', 'qualified');
  const query = new URL((await arrived).url()).searchParams;
  expect([...query.keys()].sort()).toEqual(['affid', 'q', 'sub_id']);
  expect(query.get('affid')).toBe('9');
});

for (const [affid, opens] of [
  ['21', true],
  ['20', false],
  ['23', false],
] as const) {
  test(`VW3, a lawyer, affid ${affid}: the partner's page ${opens ? 'opens' : 'stays away'}`, async ({
    page,
    context,
  }) => {
    const arrived = page.waitForRequest((request) => request.url().includes('/survey-thank-you/'));
    await walkTo(page, `/survey/vw?affid=${affid}`, 'disqualified');
    const query = new URL((await arrived).url()).searchParams;
    expect(query.get('is_disqualified')).toBe('true');
    expect(query.get('dq_reason')).toBe('have_attorney|yes');
    await page.waitForURL('**/survey-thank-you/**');
    await expect(page.locator('[data-thank-you=disqualified]')).toBeVisible();
    await expect
      .poll(() => [...new URL(page.url()).searchParams.keys()])
      .not.toEqual(expect.arrayContaining([expect.stringMatching(/^(email|phone|dq_reason)$/)]));
    expect(new URL(page.url()).searchParams.get('is_disqualified')).toBe('true');
    if (opens) {
      await expect.poll(() => context.pages().length).toBe(2);
      await expect(page.locator('#partner a')).toHaveAttribute(
        'href',
        new RegExp(`affid=${affid}`),
      );
    } else {
      await expect(page.locator('#lead-status')).toHaveAttribute('data-state', /./);
      expect(context.pages()).toHaveLength(1);
      await expect(page.locator('#partner')).toBeHidden();
    }
  });
}

test('show-meter=yes: the case level goes along, made of answers without a name', async ({
  page,
}) => {
  let answers: Record<string, string> = {};
  let compLevel = 0;
  await page.route('**/api/estimate', async (route) => {
    answers = route.request().postDataJSON();
    const response = await route.fetch();
    ({ compLevel } = await response.json());
    await route.fulfill({ response });
  });
  const arrived = page.waitForRequest((request) => request.url().includes('/survey-thank-you/'));
  await walkTo(page, '/survey-sl?show-meter=yes', 'qualified');
  const query = new URL((await arrived).url()).searchParams;
  expect(answers).toMatchObject({ at_Fault: 'no', physical_injury: 'Yes' });
  for (const name of ['first_name', 'last_name', 'email', 'phone', 'zip_code']) {
    expect(answers).not.toHaveProperty(name);
  }
  expect(compLevel).toBeGreaterThanOrEqual(1);
  expect(query.get('cl')).toBe(String(compLevel));
});

test('ticket: its own thank-you page, with only affid and sub_id in the query', async ({
  page,
}) => {
  const arrived = page.waitForRequest((request) => request.url().includes('/ticket-thank-you/'));
  await walkTo(page, '/ticket', 'qualified');
  const query = new URL((await arrived).url()).searchParams;
  expect([...query.keys()].slice(-2)).toEqual(['affid', 'sub_id']);
  expect(query.has('q')).toBe(false);
  await expect(page.locator('[data-thank-you=qualified]')).toBeVisible();
});

for (const address of ['/survey/v4nv', '/survey/v7', '/survey/v4g']) {
  test(`${address}: a state in the landing query adds the date of birth, and leaves the address`, async ({
    page,
  }) => {
    const survey = surveyAt(address);
    if (!survey) throw new Error(`no survey at ${address}`);
    const flow: Flow = await flowLoaders[survey.flow]();
    const today = calendarDate(new Date(), 'America/New_York');
    const context = {
      today,
      survey: surveyFacts(survey),
      state: 'AL',
      settings: { dateOfBirthStates: ['AL', 'NE'] },
    };
    const way = answeredSteps(flow, qualifiedWay(flow, context));
    expect(way.steps).toContain('DateOfBirth');
    const posted = page.waitForRequest((request) => request.url().endsWith('/post-lead'));
    await openSurvey(page, `${address}?s1=abc&state=al`);
    expect(new URL(page.url()).searchParams.has('state')).toBe(false);
    visitors += 1;
    const index = 800 + test.info().parallelIndex * 50 + (visitors % 50);
    await walkSurveyFast(page, flow, asVisitor(way, index));
    expect((await posted).postDataJSON()).toMatchObject({
      visitor_state: 'AL',
      date_of_birth_year: '1985',
    });
    await page.waitForURL('**/survey-thank-you**');
  });
}
