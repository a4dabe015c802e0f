import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/domain/language.ts';
import type { Flow } from '../../src/flows/engine/flow.ts';
import { allPaths, type FlowPath } from '../../src/flows/engine/paths.ts';
import { reachableSteps } from '../../src/flows/engine/reach.ts';
import { walk } from '../../src/flows/engine/walk.ts';
import {
  flowLoaders,
  type Survey,
  surveyAt,
  surveyFacts,
  surveys,
} from '../../src/flows/surveys.ts';
import { check } from '../../src/flows/test-support/check.ts';
import { testSamples } from '../../src/flows/test-support/samples.ts';
import { loadSurveyTable, type SurveyTable } from '../../src/intake/survey-table.ts';
import { walkContext } from '../../src/journey/data.ts';
import { initialState, reduce } from '../../src/journey/state.ts';
import { surveyPageData } from '../../src/survey/page/page-data.ts';
import { renderState, renderSurvey } from '../../src/survey/page/render-survey.tsx';
import type { SurveyPageData } from '../../src/survey/screens/screen-props.ts';
import { settings, today } from '../../src/survey/test-support/survey-fixture.ts';
import { type StepTexts, texts } from '../../src/survey/texts/texts.ts';
import { tcpaOf } from '../support/consent.ts';
import { testAcceptLead, testLead } from '../support/leads.ts';
import { workLoss } from './example/work-loss.ts';

/** Checks what docs/adding-a-survey.md says, by adding its example at run time. */

const base = surveyAt('/survey/v4nv') as Survey;

/** Returns a survey's page data, with its own texts added to those of the language. */
function pageOf(
  survey: Survey,
  flow: Flow,
  words: Readonly<Record<string, StepTexts>> = {},
): SurveyPageData {
  const consent = { version: '2026-11-20', language: survey.language, text: 'I agree.' };
  const data = surveyPageData(survey, flow, settings, consent, today);
  return { ...data, texts: { ...data.texts, steps: { ...data.texts.steps, ...words } } };
}

/** Answers a path screen by screen, as the browser's state machine does, and returns the screens' HTML. */
function walkScreens(data: SurveyPageData, way: FlowPath): string[] {
  const context = walkContext(data, today);
  let state = initialState(data.flow);
  return way.steps.map((step, index) => {
    const html = renderState(data, state);
    expect(state.at).toBe(step);
    expect(html).toContain(`data-step="${step}"`);
    expect(html).not.toContain('undefined');
    if (index < way.steps.length - 1) {
      const answers = way.answers[step] ?? {};
      state = reduce(data.flow, context, state, {
        type: 'answered',
        screen: state.screen,
        answers,
      });
    }
    return html;
  });
}

/** Walks two paths of a survey to stored leads, and returns the number of all paths. */
async function walkToLeads(
  survey: Survey,
  flow: Flow,
  table: SurveyTable,
  words?: Readonly<Record<string, StepTexts>>,
): Promise<number> {
  const data = pageOf(survey, flow, words);
  const context = walkContext(data, today);
  const ways = allPaths(flow, context, testSamples(today));
  for (const way of ways.slice(0, 2)) {
    walkScreens(data, way);
    const { answers } = walk(flow, way.answers, context);
    const { lead_id } = testLead();
    const { post, lead } = testAcceptLead({ surveys: table });
    await post({
      ...answers,
      lead_id,
      ...tcpaOf(survey),
      survey: survey.path,
      oid: String(survey.offerId),
      affid: String(survey.affiliateId),
    });
    expect(lead().problems, way.steps.join(' > ')).toEqual([]);
    expect(lead()).toMatchObject({ survey: survey.path, flow: flow.id, state: 'accepted' });
    expect(lead().fields).toMatchObject({
      oid: String(survey.offerId),
      affid: String(survey.affiliateId),
      language: survey.language,
    });
  }
  return ways.length;
}

describe('a survey is one row', () => {
  const row: Survey = {
    ...base,
    path: '/survey/radio',
    offerId: 321,
    affiliateId: 45,
    startsWithCaseWorth: false,
  };
  const table = [...surveys, row];

  test('it is found, with and without a trailing slash', () => {
    expect(surveyAt('/survey/radio/', table)).toBe(row);
    expect(surveyAt('/survey/radio')).toBeUndefined();
  });

  test('its paths lead to leads with its ids', async () => {
    const flow: Flow = await flowLoaders[row.flow]();
    const { island } = renderSurvey(pageOf(row, flow));
    expect(island).toContain(`data-step="${flow.start}"`);
    expect(await walkToLeads(row, flow, await loadSurveyTable(table))).toBeGreaterThan(100);
    // "The questions of /survey/v4nv".
    const stepsOf = (survey: Survey) =>
      reachableSteps(flow, { today, survey: surveyFacts(survey), settings });
    expect(stepsOf(row)).toEqual(stepsOf(base));
  });
});

describe('a flow is one file, its texts and a row', () => {
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

  const flow: Flow = workLoss;

  test('check() names the missing texts, and nothing once they exist', () => {
    const missing = check(flow, texts);
    expect(missing.map(({ kind, step }) => `${kind} ${step}`).toSorted()).toEqual([
      'missing-text CouldYouWork',
      'missing-text CouldYouWork',
      'missing-text LikeToSeeADoctor',
      'missing-text LikeToSeeADoctor',
    ]);
    const whole = {
      en: { ...texts.en, steps: { ...texts.en.steps, ...words.en } },
      es: { ...texts.es, steps: { ...texts.es.steps, ...words.es } },
    };
    expect(check(flow, whole)).toEqual([]);
  });

  test.each(['en', 'es'] as const)('%s: both paths lead to a lead', async (language) => {
    const survey: Survey = { ...base, path: '/survey/work', language, offerId: 322 };
    const rest = await loadSurveyTable(surveys);
    const table: SurveyTable = (path) =>
      path === survey.path
        ? { survey, flow, flowVersion: 'work-loss', facts: surveyFacts(survey) }
        : rest(path);
    const { island } = renderSurvey(pageOf(survey, flow, words[language]));
    expect(island).toContain('data-step="StartPath"');
    // Visitors who missed work see one more step.
    expect(await walkToLeads(survey, flow, table, words[language])).toBe(2);
  });

  test('the questions come from the survey’s language', () => {
    const survey: Survey = { ...base, path: '/survey/work', language: 'es' };
    const data = pageOf(survey, flow, words.es);
    const [way] = allPaths(flow, walkContext(data, today), testSamples(today));
    const html = walkScreens(data, way as FlowPath);
    expect(html[2]).toContain(words.es.CouldYouWork.question);
  });
});

test('docs/adding-a-survey.md shows the flow that is tested here', () => {
  const here = import.meta.dirname;
  const doc = readFileSync(join(here, '..', '..', 'docs', 'adding-a-survey.md'), 'utf8');
  const file = readFileSync(join(here, 'example', 'work-loss.ts'), 'utf8')
    .replace('../../../src/flows/engine/', '../engine/')
    .replace('../../../src/flows/variants/', './');
  expect(doc).toContain(file.trim());
});
