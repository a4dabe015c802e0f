import { expect } from '@playwright/test';
import { allPaths } from '../../src/model/flows/test-support/paths.ts';
import { testSamples, typedAnswers } from '../../src/model/flows/test-support/samples.ts';
import { v4 } from '../../src/model/flows/variants/v4.ts';
import { hitAndRunAddition } from '../support/ways.ts';
import { collectErrors, desktop, phone } from './support/checks.ts';
import { deliveredLead } from './support/sandbox.ts';
import { walkSurvey, watchLeadId } from './support/survey-page.ts';
import { contextOf, newVisitor, openSurvey, surveyOf, test, today } from './support/visits.ts';

/** Walks every path of the v4 flow in both languages until the lead is delivered. */

const walked = ['/survey/v4nv', '/survey/v5', '/survey/v4nv-es'].map(surveyOf);
const pathsPerTest = 27;

for (const [index, size] of [phone, desktop].entries()) {
  test.describe(`every path of a survey sends a lead in a window ${size.viewport.width} px wide`, () => {
    test.use(size);
    for (const survey of walked) {
      const paths = allPaths(v4, contextOf(survey), testSamples(today)).filter(
        (_, at) => at % 2 === index,
      );
      for (let first = 0; first < paths.length; first += pathsPerTest) {
        const group = paths.slice(first, first + pathsPerTest);
        const title = `${survey.path}: paths ${first + 1} to ${first + group.length}`;
        test(title, { tag: '@all' }, async ({ page }) => {
          test.slow();
          const errors = collectErrors(page);
          const leadId = await watchLeadId(page);
          // Opens no partner tabs, because opening a tab for every path would take minutes.
          await page.addInitScript(() => {
            window.open = () => null;
          });
          for (const path of group) {
            const way = newVisitor(v4, path);
            await openSurvey(page, `${survey.path}?s1=every-path`);
            await walkSurvey(page, v4, way);
            await page.waitForURL(`**${survey.thankYouPath}?**`);
            const description = typedAnswers.case_description + hitAndRunAddition(path);
            expect((await deliveredLead(leadId())).case_description).toBe(description);
            expect(errors, way.steps.join(' > ')).toEqual([]);
          }
        });
      }
    }
  });
}
