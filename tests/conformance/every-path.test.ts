/** Posts the lead of every path of every survey. */
import { expect, test } from 'vitest';
import { walk } from '../../src/model/flows/engine/walk.ts';
import { surveyFacts } from '../../src/model/flows/surveys.ts';
import { allPaths } from '../../src/model/flows/test-support/paths.ts';
import { testSamples, typedAnswers } from '../../src/model/flows/test-support/samples.ts';
import { deriveFields } from '../../src/model/rules/derive-fields.ts';
import { leadBody } from '../../src/model/visit/lead-body.ts';
import { newVisit } from '../../src/model/visit/visit.ts';
import { settings, today } from '../../src/web/survey/test-support/survey-fixture.ts';
import { tcpaOf } from '../support/consent.ts';
import { testAcceptLead, testNow } from '../support/leads.ts';
import { hitAndRunAddition } from '../support/ways.ts';
import { surveyRows } from './survey-rows.ts';
import { flowsWithoutLead } from './tables.ts';

const rows = surveyRows.filter(
  ({ flow, survey }) => !flowsWithoutLead.includes(flow) && !survey.buyers,
);

test.each(rows)(
  'every path of $path leads to an accepted lead without problems',
  async ({ path, survey, data }) => {
    const context = { today, survey: surveyFacts(survey), settings };
    const { post, store } = testAcceptLead();
    const { tcpa: text, consent_version: version } = tcpaOf(survey);
    const common = { survey, earlier: {}, place: undefined, userAgent: 'Browser/1' };
    for (const way of allPaths(data, context, testSamples(today))) {
      const { answers } = walk(data, way.answers, context);
      const { derived } = deriveFields({
        answers,
        today,
        rules: data.rules ?? {},
        settings,
        checks: {},
      });
      const landing = { href: `https://site.example${path}?s1=abc`, referrer: '' };
      const visit = newVisit(path, { ...landing, now: testNow.getTime() });
      const body = leadBody({
        ...common,
        visit: { ...visit, consentShownAt: testNow.toISOString() },
        answers,
        derived,
        consent: { text, version },
        submittedAt: testNow.toISOString(),
      });
      expect(body).toMatchObject(answers);
      await post(body);
      const [lead] = store.leads.get(body.lead_id) ?? [];
      expect([lead?.state, lead?.problems], way.steps.join(' > ')).toEqual(['accepted', []]);
      if (answers.case_description) {
        const description = typedAnswers.case_description + hitAndRunAddition(way);
        expect(lead?.fields.case_description).toBe(description);
      }
    }
  },
);
