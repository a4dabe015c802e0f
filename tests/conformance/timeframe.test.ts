import { describe, expect, test } from 'vitest';
import type { Answers } from '../../src/model/fields/answers.ts';
import { fieldsOf, type Step } from '../../src/model/flows/engine/flow.ts';
import { nextStep } from '../../src/model/flows/engine/walk.ts';
import { loadSurveyTable } from '../../src/model/flows/survey-table.ts';
import { flowOf, type Survey, surveyFacts, surveys } from '../../src/model/flows/surveys.ts';
import { check } from '../../src/model/flows/test-support/check.ts';
import { texts } from '../../src/web/survey/texts/texts.ts';
import { testAcceptLead, testLead } from '../support/leads.ts';

const today = { year: 2026, month: 11, day: 20 };
const ofDate = ['injury_month', 'injury_year', 'injury_day'] as const;

const withoutDate = (step: Step) => ({
  ...step,
  kind: '',
  choices: 0,
  asks: 0,
  optional: 0,
  sets: 0,
});

describe('the question about the accident timeframe', () => {
  test.each(surveys)('at $path replaces the question about the accident date', async (survey) => {
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
      expect(withoutDate(step)).toEqual(withoutDate(before));
    }
  });

  /** Maps each answer to the rules that apply after it (docs/specification.md#accident-date). */
  const rules = [
    ['Within 1 Week', { insurance: true, willing: true, funding: true, forced: true, year: 'yes' }],
    ['Within 1 Month', { insurance: true, funding: true, year: 'yes' }],
    ['Within 6 Months', { insurance: true, funding: true, year: 'yes' }],
    ['Within 1 Year', { insurance: true, funding: true, year: 'yes' }],
    ['Within 2 Years', { funding: true, year: 'no' }],
    ['Over 2 Years', { over: true, year: 'no' }],
  ] as const;
  type Fires = Partial<
    Record<'insurance' | 'willing' | 'funding' | 'forced' | 'over', true> & { year: string }
  >;

  test.each<[string, Fires]>(rules.map(([answer, fires]) => [answer, fires]))(
    'leads to the steps of the specification after the answer %s',
    async (answer, fires) => {
      const survey = surveys.find(({ path }) => path === '/survey/v4nv') as Survey;
      const flow = await flowOf({ ...survey, asksTimeframe: true });
      const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
      const next = (step: string, answers: Answers) =>
        nextStep(flow, step, { accident_date_button: answer, ...answers }, context);
      const injury = { at_Fault: 'yes', physical_injury: 'Yes', specific_injury: 'Whiplash' };
      expect(next('WasUserInjured', injury)).toBe(
        fires.insurance ? 'ActiveInsurancePolicy' : 'DidYouReceiveMedicalTreatment',
      );
      expect(next('DidYouReceiveMedicalTreatment', { doctor_treatment: 'no' })).toBe(
        fires.willing ? 'WillingToTreat' : 'PoliceReportFiled',
      );
      expect(next('HasLawyer', { with_Lawyer: 'yes' })).toBe(
        fires.funding ? 'ConfirmationHasLawyer' : 'IncidentDescription',
      );
    },
  );

  test.each<[string, Fires]>(rules.map(([answer, fires]) => [answer, fires]))(
    'decides which rules apply to a lead with the answer %s',
    async (accident_date_button, fires) => {
      const table = surveys.map((survey) => ({ ...survey, asksTimeframe: true }));
      const decided = async (zip_code: string) => {
        const { post, lead } = testAcceptLead({ surveys: await loadSurveyTable(table) });
        const undated = { injury_month: undefined, injury_year: undefined };
        const answers = {
          doctor_treatment: 'no',
          ...(fires.willing && { willing_to_treat: 'no' }),
        };
        await post(testLead({ ...undated, ...answers, zip_code, accident_date_button }));
        expect(lead().problems).toEqual([]);
        return lead();
      };
      const inTexas = await decided('75001');
      const reason = fires.over
        ? 'date|accident_limit_exceeded'
        : fires.forced
          ? ''
          : 'doctor_treatment|no';
      expect(inTexas.fields).toMatchObject({
        accident_date_button,
        accident_within_last_year: fires.year,
        lead_is_qualified: fires.forced ? 'yes' : 'no',
        accident_limit_exceeded: fires.over ? '1' : '0',
        doctor_treatment: fires.forced ? 'Yes' : 'no',
        dq_reason: reason,
        incident_date: '',
      });
      // The statute of limitations is three years in New York, but only one year in Tennessee.
      expect((await decided('10001')).fields.accident_limit_exceeded).toBe('0');
      expect((await decided('37201')).fields.accident_limit_exceeded).toBe(fires.over ? '1' : '0');
    },
  );
});
