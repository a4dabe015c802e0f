/**
 * Every path of every survey that posts a lead, from the first answer to the stored lead, without a browser:
 * the page's own runner and the server's own use case. The browser tests walk every screen and every ending;
 * `npm run test:all` walks every path of the v4 flow there.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AskedFieldName } from '../../src/domain/answers.ts';
import { type Flow, stepOf } from '../../src/flows/engine/flow.ts';
import { allPaths, type FlowPath } from '../../src/flows/engine/paths.ts';
import { walk } from '../../src/flows/engine/walk.ts';
import { flowLoaders, type Survey, surveyFacts } from '../../src/flows/surveys.ts';
import { testSamples, typedAnswers } from '../../src/flows/test-support/samples.ts';
import { buttonFields } from '../../src/journey/form-values.ts';
import { surveyPageData } from '../../src/survey/page/page-data.ts';
import {
  runnerFixture,
  showScreens,
  stubBrowser,
} from '../../src/survey/test-support/runner-fixture.ts';
import { settings, today } from '../../src/survey/test-support/survey-fixture.ts';
import { tcpaOf } from '../support/consent.ts';
import { testAcceptLead } from '../support/leads.ts';
import { answeredSteps, hitAndRunAddition } from '../support/ways.ts';
import { surveyRows } from './survey-rows.ts';
import { flowsWithoutLead } from './tables.ts';

const place = {
  zip: '10001',
  city: 'New York',
  state: 'NY',
  state_long: 'New York',
  county: 'New York',
};

/** Returns the server's answers for a visitor with valid details. */
function answer(path: string): Response {
  if (path.startsWith('/us/')) return Response.json(place);
  if (path === '/api/check/email') return Response.json({ blocked: false });
  if (path === '/api/check/phone') return Response.json({ valid: true, active: true });
  if (path === '/api/check/text') return Response.json({ is_gibberish: 'no', bad_words: 'no' });
  return new Response(null, { status: 503 });
}

/** Walks a path on a new page. @returns the page's post */
async function postedOn(survey: Survey, flow: Flow, path: FlowPath) {
  const { tcpa, consent_version } = tcpaOf(survey);
  const consent = { version: consent_version, language: survey.language, text: tcpa };
  const data = surveyPageData(survey, flow, settings, consent, today);
  const { runner, choose, submit, posts } = runnerFixture(data, answer);
  showScreens(runner);
  for (const step of path.steps) {
    expect(runner.getState().at).toBe(step);
    const given = path.answers[step] ?? {};
    const { kind, choices } = stepOf(flow, step);
    if (kind === 'choice') {
      choose(given);
    } else {
      const inForm = Object.keys(choices?.[0] ?? {}) as AskedFieldName[];
      for (const field of [...inForm, ...buttonFields(data.fields, stepOf(flow, step))]) {
        const value = given[field];
        if (value !== undefined) runner.on.toggle(field, value);
      }
      submit(given);
    }
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(posts).toHaveLength(1);
  return { ...posts[0], tcpa, consent_version };
}

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'Date'],
    now: new Date('2026-11-21T15:00:00Z'),
  });
  stubBrowser();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('every path ends in a lead', () => {
  for (const { path, flow: flowId, survey } of surveyRows) {
    if (flowsWithoutLead.includes(flowId) || survey.buyers) continue;
    test(path, async () => {
      const flow: Flow = await flowLoaders[survey.flow]();
      const context = { today, survey: surveyFacts(survey), settings };
      const { post, store } = testAcceptLead();
      const paths = allPaths(flow, context, testSamples(today));
      for (const way of paths) {
        const answered = answeredSteps(flow, way);
        const body = await postedOn(survey, flow, answered);
        const { answers } = walk(flow, way.answers, context);
        expect(body).toMatchObject(answers);
        await post(body);
        const lead = store.leads.get(String(body.lead_id))?.[0];
        expect(lead?.state, answered.steps.join(' > ')).toBe('accepted');
        expect(lead?.problems).toEqual([]);
        if (answers.case_description) {
          const description = typedAnswers.case_description + hitAndRunAddition(answered);
          expect(lead?.fields.case_description).toBe(description);
        }
      }
    });
  }
});
