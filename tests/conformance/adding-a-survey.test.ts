/** Compares the examples of docs/adding-a-survey.md with working surveys and flows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Language } from '../../src/model/fields/language.ts';
import type { Flow } from '../../src/model/flows/engine/flow.ts';
import { walk } from '../../src/model/flows/engine/walk.ts';
import { loadSurveyTable, type SurveyTable } from '../../src/model/flows/survey-table.ts';
import {
  flowLoaders,
  type Survey,
  surveyAt,
  surveyFacts,
  surveys,
} from '../../src/model/flows/surveys.ts';
import { check } from '../../src/model/flows/test-support/check.ts';
import { allPaths } from '../../src/model/flows/test-support/paths.ts';
import { testSamples } from '../../src/model/flows/test-support/samples.ts';
import { v4 } from '../../src/model/flows/variants/v4.ts';
import { settings, today } from '../../src/web/survey/test-support/survey-fixture.ts';
import type { StepTexts } from '../../src/web/survey/texts/shared.ts';
import { texts } from '../../src/web/survey/texts/texts.ts';
import { tcpaOf } from '../support/consent.ts';
import { testAcceptLead, testLead } from '../support/leads.ts';
import { noReport } from './example/no-report.ts';
import { workLoss } from './example/work-loss.ts';

const base = surveyAt('/survey/v4nv') as Survey;

/** Posts the leads of two paths of a survey. Returns all paths of the survey. */
async function expectLeads(survey: Survey, flow: Flow, table: SurveyTable): Promise<string[]> {
  const context = { today, survey: surveyFacts(survey), settings };
  const ways = allPaths(flow, context, testSamples(today));
  const ids = { oid: String(survey.offerId), affid: String(survey.affiliateId) };
  for (const way of ways.slice(0, 2)) {
    const { answers } = walk(flow, way.answers, context);
    const { lead_id } = testLead();
    const { post, lead } = testAcceptLead({ surveys: table });
    await post({ ...answers, lead_id, ...tcpaOf(survey), survey: survey.path, ...ids });
    expect(lead().problems, way.steps.join(' > ')).toEqual([]);
    expect(lead()).toMatchObject({ survey: survey.path, flow: flow.id, state: 'accepted' });
    expect(lead().fields).toMatchObject({ ...ids, language: survey.language });
  }
  return ways.map(({ steps }) => steps.join(' > '));
}

test('a lead of a survey that was added as one table row has the ids of that row', async () => {
  const ids = { offerId: 321, affiliateId: 45 };
  const row: Survey = { ...base, path: '/survey/radio', ...ids, startsWithCaseWorth: false };
  const table = [...surveys, row];
  expect(surveyAt('/survey/radio/', table)).toBe(row);
  const flow: Flow = await flowLoaders[row.flow]();
  const loaded = await loadSurveyTable(table);
  expect(await expectLeads(row, flow, loaded)).toEqual(await expectLeads(base, flow, loaded));
});

const words = {
  en: {
    CouldYouWork: { question: 'Did you miss work after the accident?' },
    LikeToSeeADoctor: { question: 'Would you like to talk to a doctor?' },
  },
  es: {
    CouldYouWork: { question: '¿Faltó al trabajo después del accidente?' },
    LikeToSeeADoctor: { question: '¿Le gustaría hablar con un médico?' },
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<string, StepTexts>>>>;

test('check lists the missing texts of a new flow', () => {
  const missing = check(workLoss, texts).map(({ kind, step }) => `${kind} ${step}`);
  expect(new Set(missing)).toEqual(
    new Set(['missing-text CouldYouWork', 'missing-text LikeToSeeADoctor']),
  );
  const whole = {
    en: { ...texts.en, steps: { ...texts.en.steps, ...words.en } },
    es: { ...texts.es, steps: { ...texts.es.steps, ...words.es } },
  };
  expect(check(workLoss, whole)).toEqual([]);
});

test.each(['en', 'es'] as const)(
  'every path of a new flow leads to an accepted lead in the language %s',
  async (language) => {
    const survey: Survey = { ...base, path: '/survey/work', language, offerId: 322 };
    const rest = await loadSurveyTable(surveys);
    const entry = { survey, flow: workLoss, flowVersion: 'work-loss', facts: surveyFacts(survey) };
    const table: SurveyTable = (path) => (path === survey.path ? entry : rest(path));
    expect(await expectLeads(survey, workLoss, table)).toHaveLength(2);
  },
);

test('check lists no missing text if a flow only removes a question from another flow', () => {
  expect(Object.keys(noReport.steps)).toHaveLength(Object.keys(v4.steps).length - 1);
  expect(check(noReport, texts)).toEqual([]);
});

test('docs/adding-a-survey.md shows the flows and the texts of this test', () => {
  const here = import.meta.dirname;
  const doc = readFileSync(join(here, '..', '..', 'docs', 'adding-a-survey.md'), 'utf8');
  for (const name of ['work-loss.ts', 'no-report.ts']) {
    const file = readFileSync(join(here, 'example', name), 'utf8')
      .replace('../../../src/model/flows/engine/', '../engine/')
      .replace('../../../src/model/flows/variants/', './');
    expect(doc).toContain(file.trim());
  }
  for (const { CouldYouWork } of Object.values(words)) expect(doc).toContain(CouldYouWork.question);
});
