/**
 * Walks through surveys with every kind of screen, field and ending until the lead is delivered.
 */
import { expect } from '@playwright/test';
import { stepOf } from '../../src/model/flows/engine/flow.ts';
import { walk } from '../../src/model/flows/engine/walk.ts';
import { opensPartnerTab } from '../../src/model/visit/after-submit.ts';
import { cheapCover } from '../support/cover.ts';
import { collectErrors, examine } from './support/checks.ts';
import { deliveredLead } from './support/sandbox.ts';
import { expectStep, walkSurvey, watchLeadId } from './support/survey-page.ts';
import {
  allWalks,
  kindsIn,
  lastStep,
  newVisitor,
  openSurvey,
  sendsLead,
  test,
  type Walk,
} from './support/visits.ts';

/** Returns true if the partner tab opens after a walk. */
function opensTab({ flow, survey, way, context, isQualified }: Walk): boolean {
  const given = walk(flow, way.answers, context).answers;
  const reason = given.with_Lawyer === 'yes' ? 'have_attorney|yes' : '';
  const answers = { ...given, lawyer_redirect_reason: reason };
  const lead = { qualified: isQualified, answers, affid: String(survey.affiliateId) };
  return opensPartnerTab(survey, flow.submit?.partnerTab, lead) && !flow.submit?.specialStates;
}

function kindsOf(each: Walk): string[] {
  const end = [each.isQualified, lastStep(each), opensTab(each)].join();
  return [...kindsIn(each), each.survey.language, end];
}

const walks = allWalks.filter(sendsLead);
const regular = new Set(cheapCover(walks, kindsOf, ({ way }) => 10 + way.steps.length));

for (const each of walks) {
  const { survey, flow, context, isQualified, title } = each;
  test(title, { tag: regular.has(each) ? [] : '@all' }, async ({ page, context: tabs }) => {
    const errors = collectErrors(page);
    const leadId = await watchLeadId(page);
    const way = newVisitor(flow, each.way);
    const { answers } = walk(flow, way.answers, context);
    const tab = opensTab(each) ? page.waitForEvent('popup') : undefined;
    const last = lastStep(each);
    await openSurvey(page, `${survey.path}?s1=walk&gclid=g-1`, 'https://ads.example.net/');
    const arrival = last
      ? undefined
      : page.waitForRequest(
          (request) =>
            request.isNavigationRequest() &&
            new URL(request.url()).pathname === survey.thankYouPath,
        );
    await walkSurvey(page, flow, way);
    if (arrival) {
      const query = new URL((await arrival).url()).searchParams;
      expect(query.get('sub_id')).toBe('walk');
      if (query.has('q')) expect(query.get('q')).toBe(isQualified ? 'y' : 'n');
      await expect(page.locator('html')).toHaveAttribute('lang', survey.language);
      await expect(page.locator('[data-thank-you]')).toBeVisible();
      await expect.poll(() => new URL(page.url()).search).not.toMatch(/email|phone|zip_code|city/);
    } else {
      await expectStep(page, last as string);
      await expect(page.locator('[data-step] a[href^="tel:"]')).toBeVisible();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      expect(new URL(page.url()).pathname).toBe(survey.path);
    }
    await examine(page, 'the ending');
    const { email, phone } = answers;
    expect(await deliveredLead(leadId())).toMatchObject({
      email,
      phone,
      language: survey.language,
      sub_id: 'walk',
      gclid: 'g-1',
      city: 'New York',
      state: 'NY',
      zip_code: '10001',
    });
    // The partner tab's URL must contain no personal data (docs/specification.md#partner-tab).
    if (tab) {
      const partner = new URL((await tab).url());
      expect(partner.searchParams.get('affid')).toBe(String(survey.affiliateId));
      expect(partner.searchParams.get('sub_id')).toBe('walk');
      expect(partner.search).not.toMatch(/email|phone|example\.com/);
    } else {
      expect(tabs.pages()).toHaveLength(1);
    }
    expect(errors).toEqual([]);
  });
}

for (const each of allWalks.filter((one) => one.isQualified && !sendsLead(one))) {
  const { survey, flow } = each;
  test(`the survey ${survey.path} posts no lead`, async ({ page }) => {
    const errors = collectErrors(page);
    const posts: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/post-lead') posts.push(request.url());
    });
    await openSurvey(page, survey.path);
    await walkSurvey(page, flow, newVisitor(flow, each.way));
    const last = each.way.steps.at(-1) ?? '';
    expect(stepOf(flow, last).ends).toBe(true);
    await expectStep(page, last);
    await expect(page.locator('[data-step] a[href^="tel:"]')).toBeVisible();
    await examine(page, survey.path);
    expect(posts).toEqual([]);
    expect(errors).toEqual([]);
  });
}
