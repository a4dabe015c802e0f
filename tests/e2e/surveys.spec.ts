import { expect, type Page, type Request } from '@playwright/test';
import { calendarDate } from '../../src/domain/dates.ts';
import { type Flow, stepOf } from '../../src/flows/engine/flow.ts';
import { allPaths, type FlowPath } from '../../src/flows/engine/paths.ts';
import { testSamples } from '../../src/flows/engine/test-samples.ts';
import { type WalkContext, walk } from '../../src/flows/engine/walk.ts';
import { flowOf, type Survey, surveyAt, surveyFacts } from '../../src/flows/surveys.ts';
import { textsFor } from '../../src/survey/texts/texts.ts';
import {
  flowsThatNeverSendToDq,
  flowsWithoutLead,
  flowsWithoutPartnerTab,
  flowsWithSpecialStateList,
  removedFromTicket,
  SPECIAL_STATE_IDS,
  type SurveyTableRow,
  surveyTable,
  thankYouRow,
} from '../conformance/tables.ts';
import { cheapCover } from '../support/cover.ts';
import { answeredSteps, disqualifiedWay, qualifiedWay } from '../support/ways.ts';
import { openSurvey, test } from './support/journeys.ts';
import { collectErrors, examine, examineBothSizes } from './support/page-errors.ts';
import { expectDeliveredOnce, ingestBodies, violations } from './support/sandbox-client.ts';
import { expectStep, walkSurvey, walkSurveyFast, watchLeadId } from './support/survey-page.ts';
import { testSurveys } from './support/survey-table.ts';
import { asVisitor } from './support/visitors.ts';

/**
 * Walks each survey of the brief to a qualified and a disqualified lead. Compares the thank-you query and the
 * delivered lead with the tables of tests/conformance. Examines every screen that every-path.spec.ts does not
 * show.
 */
/** The page that links to the survey. */
const referer = 'https://ads.example.net/';

const today = calendarDate(new Date(), 'America/New_York');

type Row = SurveyTableRow & {
  readonly survey: Survey;
  readonly flowData: Flow;
  readonly context: WalkContext;
  readonly index: number;
};

const rows: readonly Row[] = await Promise.all(
  surveyTable.flatMap((row, index) => {
    const survey = surveyAt(row.path, testSurveys);
    if (!survey) return [];
    const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
    return [
      flowOf(survey).then((flowData: Flow) => ({
        ...row,
        survey,
        flowData,
        context,
        index,
      })),
    ];
  }),
);
const rowsWithLead = rows.filter((row) => !flowsWithoutLead.includes(row.flow));

function kindOf({ survey, language, thankYouPath }: Row): string {
  return JSON.stringify([survey.flow, language, thankYouPath, survey.buyers, survey.asksTimeframe]);
}

/** Surveys that differ only in their numbers are walked once; tests/conformance covers every row. */
const walkedOnce = new Map([...rowsWithLead].reverse().map((row) => [kindOf(row), row]));

/** The visitors live in New York, a special state of the flows that have such a list. */
function opensPartnerTab({ flow }: Row): boolean {
  return !flowsWithoutPartnerTab.includes(flow) && !flowsWithSpecialStateList.includes(flow);
}

/** Returns the ids that the lead is sent with (docs/specification.md#special-states). */
function idsOf(row: Row, reason: string): Record<string, string> {
  const own = { oid: String(row.offerId), affid: String(row.affiliateId) };
  if (reason === '' || flowsThatNeverSendToDq.includes(row.flow)) return own;
  return { ...SPECIAL_STATE_IDS, original_oid: own.oid, original_affid: own.affid };
}

/** Returns the path as a visitor that neither every-path.spec.ts nor journeys.ts uses. */
function visitorOf(row: Row, way: FlowPath, offset: number): FlowPath {
  return asVisitor(answeredSteps(row.flowData, way), 400 + row.index * 4 + offset);
}

/** Returns the query of the thank-you page's address. */
async function thankYouQuery(
  page: Page,
  row: SurveyTableRow,
  leave: () => Promise<void>,
): Promise<Record<string, string>> {
  const isArrival = (request: Request) =>
    request.isNavigationRequest() && new URL(request.url()).pathname === row.thankYouPath;
  const [arrival] = await Promise.all([page.waitForRequest(isArrival), leave()]);
  return Object.fromEntries(new URL(arrival.url()).searchParams);
}

/** Expects the query that docs/specification.md#thank-you-query specifies for this lead. */
function expectQuery(
  row: SurveyTableRow,
  query: Readonly<Record<string, string>>,
  lead: { readonly answers: Readonly<Record<string, string | undefined>>; readonly reason: string },
): void {
  const { fields, reason, qualifiedYes, referer: withReferer } = thankYouRow(row.flow);
  const isQualified = lead.reason === '';
  const { answers } = lead;
  const values: Record<string, unknown> = {
    email: answers.email,
    city: 'New York',
    state: 'NY',
    zip_code: '10001',
    phone: answers.phone,
    state_long: 'New York',
    ef_transaction_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    affid: String(row.affiliateId),
    sub_id: 'walk',
    q: isQualified ? 'y' : 'n',
  };
  const expected: Record<string, unknown> = { s1: 'walk', gclid: 'g-1' };
  for (const field of fields) expected[field] = values[field];
  if (row.language === 'es') expected.lang = 'es';
  if (qualifiedYes && isQualified) expected.qualified = 'yes';
  if (withReferer) expected.referer = referer;
  const isReasonDue =
    !isQualified &&
    (reason === 'always' || (reason === 'of a lawyer' && lead.reason.startsWith('have_attorney|')));
  if (isReasonDue) Object.assign(expected, { is_disqualified: 'true', dq_reason: lead.reason });
  expect(query).toEqual(expected);
}

/** Expects the ingest service to have received the given answers under their specified names. */
async function expectPostedLead(
  row: Row,
  leadId: string,
  way: FlowPath,
  reason: string,
): Promise<void> {
  await expectDeliveredOnce(leadId);
  const [body = {}] = await ingestBodies(leadId);
  const { answers } = walk(row.flowData, way.answers, row.context);
  const expected: Record<string, string | undefined> = {
    ...answers,
    ...idsOf(row, reason),
    language: row.language,
    sub_id: 'walk',
    lp_subid1: 'walk',
    gclid: 'g-1',
    dq_reason: reason,
    city: 'New York',
    state: 'NY',
    zip_code: '10001',
  };
  if (answers.injury_month) {
    expected.incident_date = `${answers.injury_year}-${answers.injury_month}-01`;
  }
  if (row.flow === 'ticket') for (const name of removedFromTicket) delete expected[name];
  expect(body).toMatchObject(expected);
  if (row.flow === 'ticket') {
    for (const name of removedFromTicket) expect(body).not.toHaveProperty(name);
  }
}

/** Returns the kind of disqualified ending. Each is walked once, and `npm test -- every-path` walks all. */
function endingOf(row: Row): string {
  return JSON.stringify([
    row.flow === 'one-page',
    opensPartnerTab(row),
    flowsThatNeverSendToDq.includes(row.flow),
    row.thankYouPath,
    thankYouRow(row.flow).reason,
    row.language,
  ]);
}
const endings = new Map([...walkedOnce.values()].reverse().map((row) => [endingOf(row), row]));

for (const row of walkedOnce.values()) {
  test(`${row.path}: a qualified visitor`, async ({ page }) => {
    const errors = collectErrors(page);
    const leadId = await watchLeadId(page);
    const way = visitorOf(row, qualifiedWay(row.flowData, row.context), 0);
    const { answers } = walk(row.flowData, way.answers, row.context);
    await openSurvey(page, `${row.path}?s1=walk&gclid=g-1`, referer);
    const query = await thankYouQuery(page, row, () => walkSurveyFast(page, row.flowData, way));
    expectQuery(row, query, { answers, reason: '' });
    await expect(page.locator('html')).toHaveAttribute('lang', row.language);
    await expectPostedLead(row, leadId(), way, '');
    expect(errors).toEqual([]);
  });

  const tag = endings.get(endingOf(row)) === row ? [] : ['@every-path'];
  test(`${row.path}: a disqualified visitor`, { tag }, async ({ page }) => {
    const errors = collectErrors(page);
    const leadId = await watchLeadId(page);
    const found = disqualifiedWay(row.flowData, row.context);
    if (!found) throw new Error(`${row.path} asks nothing that disqualifies`);
    const way = visitorOf(row, found.way, 1);
    const { answers } = walk(row.flowData, way.answers, row.context);
    const reason = found.decisive.with_Lawyer
      ? 'have_attorney|yes'
      : (Object.entries(found.decisive)[0] ?? []).join('|');
    const partner = opensPartnerTab(row) ? page.waitForEvent('popup') : undefined;
    await openSurvey(page, `${row.path}?s1=walk&gclid=g-1`, referer);
    if (row.flow === 'one-page') {
      // The disqualified screen without a redirect (docs/specification.md#one-page-form).
      await walkSurveyFast(page, row.flowData, way);
      await expect(page.locator('[data-step]')).not.toHaveAttribute(
        'data-step',
        way.steps[0] ?? '',
      );
      await examine(page, 'disqualified screen');
      await expectPostedLead(row, leadId(), way, reason);
      expect(new URL(page.url()).pathname).toBe(row.path);
    } else {
      const query = await thankYouQuery(page, row, () => walkSurveyFast(page, row.flowData, way));
      expectQuery(row, query, { answers, reason });
      await expectPostedLead(row, leadId(), way, reason);
    }
    // The partner's tab (docs/specification.md#partner-tab) receives ids and nothing else.
    if (partner) {
      const tab = new URL((await partner).url());
      expect(tab.searchParams.get('affid')).toBe(String(row.affiliateId));
      expect(tab.searchParams.get('sub_id')).toBe('walk');
    } else {
      expect(page.context().pages()).toHaveLength(1);
    }
    expect(errors).toEqual([]);
  });
}

for (const row of rows.filter(({ flow }) => flowsWithoutLead.includes(flow))) {
  test(`${row.path}: ends with its result and posts no lead`, async ({ page }) => {
    const errors = collectErrors(page);
    const posts: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/post-lead') posts.push(request.url());
    });
    const way = qualifiedWay(row.flowData, row.context);
    await openSurvey(page, row.path);
    await walkSurveyFast(page, row.flowData, answeredSteps(row.flowData, way));
    await expectStep(page, way.steps.at(-1) ?? '');
    await expect(page.locator('[data-step] a[href^="tel:"]')).toBeVisible();
    await examine(page, row.path);
    expect(posts).toEqual([]);
    expect(errors).toEqual([]);
  });
}

/** every-path.spec.ts examines the screens of the v4 flow, in both languages. */
const examined = new Set<string>();
for (const row of rows.filter(({ survey }) => survey.flow === 'v4')) {
  for (const name of Object.keys(row.flowData.steps)) examined.add(screenOf(row, name));
}

/** Steps with the same question and words are one screen, whatever their names. */
function screenOf(row: Row, name: string): string {
  const { next: _, stage: __, progress: ___, sets: ____, ...shown } = stepOf(row.flowData, name);
  const words = textsFor(row.language, row.flowData).steps[name];
  return JSON.stringify([row.language, row.flowData.progress, words, shown]);
}

/** The cheapest walks that together show every other screen. A survey's start costs most. */
const examinations = cheapCover(
  rows.flatMap((row) =>
    allPaths(row.flowData, row.context, testSamples(today)).map((each) => ({
      row,
      way: answeredSteps(row.flowData, each),
    })),
  ),
  ({ row, way }) =>
    way.steps.map((name) => screenOf(row, name)).filter((one) => !examined.has(one)),
  ({ way }) => 10 + way.steps.length,
);

/** Kinds of screens also examined on a desktop, where the frame around them differs. */
const examinedOnDesktop = new Set<string>();
for (const { row, way } of examinations) {
  const isNew = new Set(way.steps.filter((name) => !examined.has(screenOf(row, name))));
  if (isNew.size === 0) continue;
  const isNewKind = new Set<string>();
  for (const name of isNew) {
    examined.add(screenOf(row, name));
    const kind = `${row.language} ${stepOf(row.flowData, name).kind}`;
    if (!examinedOnDesktop.has(kind)) isNewKind.add(name);
    examinedOnDesktop.add(kind);
  }
  const title = `${row.path}: ${[...isNew].join(', ')} without violations`;
  test(title, async ({ page }) => {
    test.setTimeout(120_000);
    const errors = collectErrors(page);
    await openSurvey(page, row.path);
    // Walks to the last new screen only, so nothing is posted.
    const last = [...isNew].at(-1) ?? '';
    const steps = way.steps.slice(0, way.steps.indexOf(last));
    const look = async (step: string) => {
      if (isNewKind.has(step)) await examineBothSizes(page, `${row.language} ${step}`);
      else if (isNew.has(step)) await examine(page, `${row.language} ${step}`);
    };
    await walkSurvey(page, row.flowData, { ...way, steps }, look);
    await expectStep(page, last);
    await look(last);
    expect(errors).toEqual([]);
  });
}

test.afterAll(async () => {
  expect(await violations()).toEqual([]);
});
