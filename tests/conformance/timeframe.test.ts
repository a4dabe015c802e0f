import { describe, expect, test } from 'vitest';
import { check } from '../../src/flows/engine/check.ts';
import { fieldsOf } from '../../src/flows/engine/flow.ts';
import { nextStep } from '../../src/flows/engine/walk.ts';
import { flowOf, type Survey, surveyFacts, surveys } from '../../src/flows/surveys.ts';
import { loadSurveyTable } from '../../src/intake/survey-table.ts';
import { texts } from '../../src/survey/texts/texts.ts';
import { testAcceptLead, testLead } from '../support/leads.ts';

const today = { year: 2026, month: 11, day: 20 };
const ofDate = ['injury_month', 'injury_year', 'injury_day'] as const;

describe('the accident timeframe in place of the date', () => {
  test.each(surveys)('$path: asked where the date was, at the same steps', async (survey) => {
    const dated = await flowOf(survey);
    const flow = await flowOf({ ...survey, asksTimeframe: true });
    expect(check(flow, texts)).toEqual([]);
    for (const [name, step] of Object.entries(flow.steps)) {
      const before = dated.steps[name];
      if (!before) throw new Error(`${name} is new`);
      const asked = fieldsOf(step);
      for (const field of ofDate) expect(asked).not.toContain(field);
      expect(asked.includes('accident_date_button')).toBe(fieldsOf(before).includes('injury_year'));
      if (before.kind === 'accident-date') {
        expect(step.kind).toBe('choice');
        expect(step.choices).toHaveLength(6);
        expect(step.choices?.at(-1)).toEqual({ accident_date_button: 'Over 2 Years' });
      } else {
        expect(step.kind).toBe(before.kind);
      }
      expect({ ...step, kind: '', choices: 0, asks: 0, optional: 0, sets: 0 }).toEqual({
        ...before,
        kind: '',
        choices: 0,
        asks: 0,
        optional: 0,
        sets: 0,
      });
    }
  });

  test.each([
    ['Within 1 Week', 'ConfirmationHasLawyer'],
    ['Within 2 Years', 'ConfirmationHasLawyer'],
    ['Over 2 Years', 'IncidentDescription'],
  ])('%s: a lawyer leads to %s', async (accident_date_button, next) => {
    const survey = surveys.find(({ path }) => path === '/survey/v4nv') as Survey;
    const flow = await flowOf({ ...survey, asksTimeframe: true });
    const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
    const answers = { with_Lawyer: 'yes', accident_date_button };
    expect(nextStep(flow, 'HasLawyer', answers, context)).toBe(next);
  });

  test.each([
    ['Within 6 Months', 'yes', 'yes'],
    ['Within 2 Years', 'no', 'yes'],
    ['Over 2 Years', 'no', 'no'],
  ])('a lead of %s', async (accident_date_button, accident_within_last_year, lead_is_qualified) => {
    const table = surveys.map((survey) => ({ ...survey, asksTimeframe: true }));
    const { post, lead } = testAcceptLead({ surveys: await loadSurveyTable(table) });
    const undated = { injury_month: undefined, injury_year: undefined };
    await post(testLead({ ...undated, accident_date_button }));
    expect(lead().problems).toEqual([]);
    expect(lead().fields).toMatchObject({
      accident_date_button,
      accident_within_last_year,
      lead_is_qualified,
      accident_limit_exceeded: '0',
      incident_date: '',
    });
  });
});
