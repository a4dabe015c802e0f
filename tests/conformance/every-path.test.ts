/**
 * Every path of every survey ends in a lead without problems. The page's own runner and the forms walk each flow in
 * tests/integration/survey-forms.test.ts; `npm run test:all` walks every path of the v4 flow in a browser.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { allPaths } from '../../src/flows/engine/paths.ts';
import { walk } from '../../src/flows/engine/walk.ts';
import { surveyFacts } from '../../src/flows/surveys.ts';
import { testSamples, typedAnswers } from '../../src/flows/test-support/samples.ts';
import { settings, today } from '../../src/survey/test-support/survey-fixture.ts';
import { tcpaOf } from '../support/consent.ts';
import { testAcceptLead, testLead } from '../support/leads.ts';
import { hitAndRunAddition } from '../support/ways.ts';
import { surveyRows } from './survey-rows.ts';
import { flowsWithoutLead } from './tables.ts';

const rows = surveyRows.filter(
  ({ flow, survey }) => !flowsWithoutLead.includes(flow) && !survey.buyers,
);

test.each(rows)('$path', async ({ path, survey, data }) => {
  const context = { today, survey: surveyFacts(survey), settings };
  const { post, store } = testAcceptLead();
  const { consent_shown_at, submitted_at } = testLead();
  const common = { survey: path, ...tcpaOf(survey), consent_shown_at, submitted_at };
  for (const way of allPaths(data, context, testSamples(today))) {
    const { answers } = walk(data, way.answers, context);
    const lead_id = randomUUID();
    await post({ ...answers, ...common, lead_id });
    const [lead] = store.leads.get(lead_id) ?? [];
    expect([lead?.state, lead?.problems], way.steps.join(' > ')).toEqual(['accepted', []]);
    if (answers.case_description) {
      const description = typedAnswers.case_description + hitAndRunAddition(way);
      expect(lead?.fields.case_description).toBe(description);
    }
  }
});
