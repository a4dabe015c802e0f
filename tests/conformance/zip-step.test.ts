import { describe, expect, test } from 'vitest';
import { stepOf } from '../../src/model/flows/engine/flow.ts';
import { loadSurveyTable } from '../../src/model/flows/survey-table.ts';
import { flowOf, surveys } from '../../src/model/flows/surveys.ts';
import { check } from '../../src/model/flows/test-support/check.ts';
import { texts } from '../../src/web/survey/texts/texts.ts';
import { testAcceptLead, testLead } from '../support/leads.ts';

describe('the step that asks only the zip code', () => {
  test.each(surveys)('at $path comes right before the phone number', async (survey) => {
    const usual = await flowOf(survey);
    const flow = await flowOf({ ...survey, asksZipAlone: true });
    expect(check(flow, texts)).toEqual([]);
    for (const [name, before] of Object.entries(usual.steps)) {
      const step = stepOf(flow, name);
      const isShared = before.submits && before.asks?.toSorted().join() === 'phone,zip_code';
      expect(step.asks).toEqual(isShared ? ['phone'] : before.asks);
      expect({ ...step, asks: 0, next: 0 }).toEqual({ ...before, asks: 0, next: 0 });
      if (!isShared) continue;
      expect(stepOf(flow, 'ZipCode')).toMatchObject({ asks: ['zip_code'], next: [name] });
      const ways = Object.entries(flow.steps).flatMap(([from, { next }]) =>
        next.flatMap((edge) => ((typeof edge === 'string' ? edge : edge.to) === name ? from : [])),
      );
      expect(ways).toEqual(['ZipCode']);
    }
    const added = Object.keys(flow.steps).length - Object.keys(usual.steps).length;
    expect(added === 1 || JSON.stringify(flow) === JSON.stringify(usual)).toBe(true);
  });

  test('sets the zip code and the US state of the lead', async () => {
    const table = surveys.map((survey) => ({ ...survey, asksZipAlone: true }));
    const { post, lead } = testAcceptLead({ surveys: await loadSurveyTable(table) });
    await post(testLead({ zip_code: '75001' }));
    expect(lead().problems).toEqual([]);
    expect(lead().fields).toMatchObject({ zip_code: '75001', state: 'TX' });
  });
});
