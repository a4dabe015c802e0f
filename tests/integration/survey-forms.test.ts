/**
 * Walks every flow without JavaScript. Each lead must equal the lead that the page's script posts.
 */
import type { ChangeEvent } from 'react';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AskedFieldName } from '../../src/model/fields/answers.ts';
import { isAskedField } from '../../src/model/fields/asked-fields.ts';
import { calendarDate } from '../../src/model/fields/dates.ts';
import { fieldsOf, stepOf } from '../../src/model/flows/engine/flow.ts';
import { type Survey, surveyFacts } from '../../src/model/flows/surveys.ts';
import type { FlowPath } from '../../src/model/flows/test-support/paths.ts';
import { leadSecretHeader } from '../../src/model/messages/lead.ts';
import { consentAt } from '../../src/model/visit/state.ts';
import { formShell } from '../../src/server/http/survey-forms.ts';
import { runnerFixture, stubBrowser } from '../../src/web/survey/test-support/runner-fixture.ts';
import { surveyOf, surveyRows } from '../conformance/survey-rows.ts';
import { flowsWithoutLead } from '../conformance/tables.ts';
import { builtSiteForTests } from '../support/built-site.ts';
import { PlainBrowser } from '../support/plain-browser.ts';
import { givenAt, walkByForms } from '../support/plain-walk.ts';
import { answeredSteps, disqualifiedWay, qualifiedWay } from '../support/ways.ts';

const site = builtSiteForTests(() => ({
  SURVEY_OVERRIDES: JSON.stringify({ '/survey/short-b': { asksTimeframe: false } }),
}));
const zone = 'America/New_York';
const query = '?s1=walk&sub2=two&gclid=g-1';

function contextOf(survey: Survey) {
  const today = calendarDate(new Date(), zone);
  return { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: ['AL', 'NE'] } };
}

async function pageData(path: string) {
  const html = await (await fetch(site.server.url + path)).text();
  const identity = Buffer.from(html);
  return formShell({ status: 200, headers: {}, identity, gzip: identity, br: identity }).data;
}

type Offered = { readonly tcpa?: string; readonly selected_buyers?: string };

/**
 * Returns the lead that the page's script posts for the same answers, and the URL of the next page.
 */
async function scripted(path: string, way: FlowPath, offered: Offered = {}) {
  const data = await pageData(path);
  let secret = '';
  const ask = (to: string, body: Record<string, unknown>) => {
    const headers = { 'content-type': 'application/json', [leadSecretHeader]: secret };
    if (to.startsWith('/us/')) return realFetch(site.server.url + to);
    const text = JSON.stringify(body);
    return realFetch(site.server.url + to, { method: 'POST', headers, body: text });
  };
  const fixture = runnerFixture(data, ask, { query, search: query });
  secret = fixture.secret ?? '';
  const { runner, choose, submit, posts, left } = fixture;
  for (const step of way.steps) {
    await vi.waitFor(() => expect(runner.getState()).toMatchObject({ at: step, phase: 'asking' }));
    runner.shown();
    const { kind } = stepOf(data.flow, step);
    const given = givenAt(data.flow, step, way.answers[step] ?? {});
    if (kind === 'choice') {
      const choice = stepOf(data.flow, step).choices?.find(
        (each) => Object.entries(each)[0]?.join() === Object.entries(given)[0]?.join(),
      );
      choose(choice ?? given);
    } else {
      for (const [field, value] of Object.entries(given)) {
        const name = field as AskedFieldName;
        const kindOfField = data.fields[name]?.kind ?? 'choice';
        if (kindOfField === 'choice') runner.on.toggle(name, value);
        // A slider has no value until the visitor moves it.
        if (kindOfField === 'number') {
          const target = { name, value };
          const moved = { target, currentTarget: { values: given } };
          runner.on.edit(moved as unknown as ChangeEvent<HTMLFormElement>);
        }
      }
      const isOffered = fieldsOf(stepOf(data.flow, step)).includes('selected_buyers');
      const { selected_buyers = '' } = offered;
      submit(isOffered ? { ...given, selected_buyers } : given);
    }
  }
  await vi.waitFor(() => expect(posts).toHaveLength(1));
  const ofDocument = {
    tcpa: data.survey.buyers
      ? (offered.tcpa ?? '')
      : consentAt(data, way.steps.at(-1) ?? '')
          .html.replaceAll(/<[^>]*>/g, '')
          .replaceAll('&lt;', '<')
          .replaceAll('&amp;', '&'),
    landing_page: site.server.url + path,
  };
  await site.post('/post-lead', { ...posts[0], ...ofDocument }, secret);
  await vi.waitFor(() =>
    expect([left.length, runner.getState().phase]).not.toEqual([0, 'sending']),
  );
  return { leadId: fixture.lead_id, left: left[0], at: runner.getState().at };
}

const realFetch = globalThis.fetch;

/** The lead fields that differ between visits. */
const ofTheVisit = ['ef_transaction_id', 'debug_id', 'time_on_steps', 'user_agent', 'page_referer'];

async function storedLead(leadId: string) {
  const { lead, last, deliveries } = await site.leadOf(leadId);
  const fields = Object.fromEntries(
    Object.entries((last?.fields ?? {}) as Record<string, unknown>).filter(
      ([name]) => !ofTheVisit.includes(name),
    ),
  );
  const own = ['came_by', ...ofTheVisit];
  const answers = Object.fromEntries(
    Object.entries((last?.body ?? {}) as Record<string, unknown>).filter(
      ([name]) => isAskedField(name) && !own.includes(name),
    ),
  );
  return {
    state: lead?.state,
    survey: lead?.survey,
    flow: lead?.flow,
    qualified: lead?.qualified,
    reason: lead?.dq_reason,
    revision: lead?.revision,
    fields,
    answers,
    decisions: last?.decisions,
    problems: last?.problems,
    destinations: deliveries.map(({ destination, state }) => [destination, state]),
  };
}

const rows = surveyRows.filter(({ flow }) => !flowsWithoutLead.includes(flow));
const flows = rows.filter(
  (row, at) => rows.findIndex(({ survey }) => survey.flow === row.survey.flow) === at,
);

describe('a survey without JavaScript', () => {
  beforeAll(() => {
    stubBrowser();
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });

  for (const kind of ['qualified', 'disqualified'] as const) {
    test.each(flows)(
      `posts the same lead for a ${kind} visitor at $path as with JavaScript`,
      async ({ path, survey, data }) => {
        const context = contextOf(survey);
        const found =
          kind === 'qualified' ? qualifiedWay(data, context) : disqualifiedWay(data, context)?.way;
        if (!found) throw new Error(`${path} asks nothing that disqualifies`);
        const way = answeredSteps(data, found);
        const browser = new PlainBrowser();
        await browser.get(site.server.url + path + query);
        const arrival = browser.visited.length;
        await walkByForms(browser, data, way);
        const { leadId } = browser;
        const { last } = await site.leadOf(leadId);
        const script = await scripted(path, way, last?.body as Offered);
        expect(await storedLead(leadId)).toEqual(await storedLead(script.leadId));
        expect(
          browser.visited
            .slice(arrival)
            .every(
              (each) => !/@|\d{10}|Sandoval/.test(each) || each.startsWith(survey.thankYouPath),
            ),
        ).toBe(true);
        if (script.left) {
          const address = new URL(script.left, site.server.url);
          // The URL must not contain a personal value.
          expect(browser.url).not.toMatch(/email|phone|zip_code|state|city|dq_reason|_form/);
          const mine = new URL(browser.visited.at(-2) ?? '', site.server.url);
          mine.searchParams.delete('_form');
          expect(mine.pathname).toBe(address.pathname);
          address.searchParams.delete('ef_transaction_id');
          mine.searchParams.delete('ef_transaction_id');
          expect([...mine.searchParams]).toEqual([...address.searchParams]);
        } else {
          expect(browser.step).toBe(script.at);
        }
      },
    );
  }
});

test('a form is refused if it names a law firm that the visitor was not shown', async () => {
  const { path, survey, data } = surveyOf('one-to-one-fixed');
  const way = answeredSteps(data, qualifiedWay(data, contextOf(survey)));
  const browser = new PlainBrowser();
  await browser.get(site.server.url + path);
  await walkByForms(browser, data, { ...way, steps: way.steps.slice(0, -1) });
  const typed = browser.fields({ phone: '(212) 555-0123' });
  await browser.post(typed.map(([name, value]) => [name, name === 'firms' ? 'others' : value]));
  expect(browser.step).toBe('PhoneAndBuyersConsent');
  expect((await site.leadOf(browser.leadId)).lead).toBeUndefined();
});
