import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Flow } from '../../flows/engine/flow.ts';
import { flowLoaders, surveyAt } from '../../flows/surveys.ts';
import { initialState } from '../runner/runner-state.ts';
import { settings, today } from '../test-support/survey-fixture.ts';
import { surveyPageData } from './page-data.ts';
import { renderState } from './render-survey.tsx';
import { SurveyIcons } from './survey-icons.tsx';

const flows: Flow[] = await Promise.all(Object.values(flowLoaders).map((load) => load()));
const survey = surveyAt('/survey/v4nv')!;
const consent = { version: '2026-11-20', language: 'en', text: 'I agree.' } as const;

test.each(flows.map((flow) => [flow.id, flow] as const))(
  '%s: the page has just the icons that its answers show, and each is drawn',
  (_, flow) => {
    const data = surveyPageData(survey, flow, settings, consent, today);
    const sprite = renderToStaticMarkup(<SurveyIcons flow={flow} />);
    const screens = Object.keys(flow.steps)
      .map((at) => renderState(data, { ...initialState(flow), at }))
      .join('');
    const ids = (html: string, pattern: RegExp) =>
      [...new Set([...html.matchAll(pattern)].map(([, id]) => id))].sort();
    expect(ids(sprite, /<symbol id="([^"]+)"/g)).toEqual(ids(screens, /<use href="#([^"]+)"/g));
    expect(sprite).not.toMatch(/<symbol[^>]*><\/symbol>/);
  },
);
