import { expect, test } from 'vitest';
import type { Flow } from '../../flows/engine/flow.ts';
import { flowLoaders, surveyAt } from '../../flows/surveys.ts';
import { initialState } from '../../journey/state.ts';
import { settings, today } from '../test-support/survey-fixture.ts';
import { surveyPageData } from './page-data.ts';
import { renderState } from './render-survey.tsx';

const flows: Flow[] = await Promise.all(Object.values(flowLoaders).map((load) => load()));
const survey = surveyAt('/survey/v4nv')!;
const consent = { version: '2026-11-20', language: 'en', text: 'I agree.' } as const;

test.each(flows.map((flow) => [flow.id, flow] as const))(
  '%s: the page has just the icons that its answers show, and each is drawn',
  (_, flow) => {
    const data = surveyPageData(survey, flow, settings, consent, today);
    const screens = Object.keys(flow.steps)
      .map((at) => renderState(data, { ...initialState(flow), at }))
      .join('');
    const drawn = [...screens.matchAll(/<svg class="icon"[^>]*><path d="([^"]*)"/g)].map(
      ([, d]) => d,
    );
    expect(new Set(drawn)).toEqual(new Set(Object.values(data.icons)));
    expect(Object.values(data.icons)).not.toContain('');
    expect(drawn.length).toBe(screens.split('class="icon"').length - 1);
  },
);
