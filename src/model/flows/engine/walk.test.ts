import { expect, test } from 'vitest';
import { flowLoaders, surveyAt, surveyFacts } from '../surveys.ts';
import { allPaths } from '../test-support/paths.ts';
import { testSamples } from '../test-support/samples.ts';
import { v4 } from '../variants/v4.ts';
import type { Flow } from './flow.ts';
import { walk, walkByField } from './walk.ts';

const today = { year: 2026, month: 11, day: 20 };
const survey = surveyAt('/survey/v4nv');
if (!survey) throw new Error('no /survey/v4nv');
const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: ['AL'] } };
const recent = { injury_month: '11', injury_year: '2026', injury_day: '10' };

test('walk returns the later answer if two steps answer the same field', () => {
  const given = {
    StartPath: { accident_type: 'Other' },
    WhenWasTheAccident: recent,
    AtFault: { at_Fault: 'no' },
    WasUserInjured: { physical_injury: 'No' },
    PoliceReportFiled: { police_report: 'yes' },
    HasLawyer: { with_Lawyer: 'yes' },
    ConfirmationHasLawyer: { with_Lawyer: 'no' },
  };
  const result = walk(v4, given, context);
  expect(result.steps).toContain('ConfirmationHasLawyer');
  expect(result.steps.at(-1)).toBe('IncidentDescription');
  expect(result.answers.with_Lawyer).toBe('no');
});

test.each(['v4', 'one-to-one', 'benefits'] as const)(
  'walkByField completes every path of the flow %s from the answers that walk returns',
  async (id) => {
    const flow: Flow = await flowLoaders[id]();
    for (const path of allPaths(flow, context, testSamples(today))) {
      const flat = walk(flow, path.answers, context).answers;
      const back = walkByField(flow, flat, context);
      expect(back.unanswered, path.steps.join(' > ')).toBeUndefined();
      expect(back.answers).toEqual(flat);
      expect(back.unreached).toEqual([]);
    }
  },
);

test('walkByField reports answers to questions that the flow did not ask', () => {
  const flat = { accident_type: 'Other', ...recent, at_Fault: 'no', bac_level: 'dont_know' };
  expect(walkByField(v4, flat, context)).toMatchObject({
    unanswered: 'WasUserInjured',
    unreached: ['bac_level'],
  });
});
