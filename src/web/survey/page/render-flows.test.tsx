import { describe, expect, test } from 'vitest';
import { languages } from '../../../model/fields/language.ts';
import { type Flow, stepWords } from '../../../model/flows/engine/flow.ts';
import { flowLoaders, type Survey, surveyAt } from '../../../model/flows/surveys.ts';
import { buttonFields, checkValues } from '../../../model/visit/form-values.ts';
import { initialState, type VisitState } from '../../../model/visit/state.ts';
import type { SurveyPageData } from '../screens/screen-props.ts';
import { settings, today } from '../test-support/survey-fixture.ts';
import { texts } from '../texts/texts.ts';
import { surveyPageData } from './page-data.ts';
import { renderState } from './render-survey.tsx';

const flows: Flow[] = await Promise.all(Object.values(flowLoaders).map((load) => load()));
const anySurvey = surveyAt('/survey/v4nv') as Survey;
const steps = flows.flatMap((flow) =>
  Object.keys(flow.steps).map((name): [string, string, Flow] => [flow.id, name, flow]),
);

function stateAt(flow: Flow, at: string, change: Partial<VisitState> = {}): VisitState {
  return { ...initialState(flow), at, screen: 3, direction: 'forward', ...change };
}

function count(html: string, pattern: RegExp): number {
  return html.match(new RegExp(pattern, 'g'))?.length ?? 0;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;');
}

describe.each(languages)('a survey page in %s', (language) => {
  const consent = { version: '2026-11-20', language, text: 'I agree to be called.' };
  const dataOf = (flow: Flow): SurveyPageData =>
    surveyPageData({ ...anySurvey, language }, flow, settings, consent, today);

  test.each(steps)('shows the texts and controls of each step of the flow %s', (_, name, flow) => {
    const data = dataOf(flow);
    const html = renderState(data, stateAt(flow, name));
    const step = flow.steps[name] as Flow['steps'][string];
    expect(count(html, /data-step="/)).toBe(1);
    expect(html).toContain(`data-step="${name}"`);
    expect(count(html, /<h1 /)).toBe(1);
    expect(count(html, /aria-current="step"/)).toBe(flow.id === 'one-page' ? 0 : 1);
    expect(html).not.toContain(' style=');
    expect(html).not.toContain('undefined');
    expect(html).not.toMatch(/\{\w+\}/);
    const words = stepWords(texts[language].steps, flow.id, name);
    expect(html).toContain(escaped(words?.question as string));
    expect(/<h1 [^>]*aria-describedby="help"/.test(html)).toBe(Boolean(words?.help));
    const submits = ['choice', 'result', 'sending'].includes(step.kind) ? 0 : 1;
    expect(count(html, /<button type="submit"/)).toBe(submits);
    expect(count(html, /id="tcpa"/)).toBe(step.submits ? 1 : 0);
    for (const choice of step.choices ?? []) {
      const [field, value] = Object.entries(choice)[0] as [string, string];
      expect(html).toMatch(
        new RegExp(`<button [^>]*value="${value.replace('|', '\\|')}"[^>]* name="${field}"`),
      );
    }
    for (const field of [...(step.asks ?? []), ...(step.optional ?? [])]) {
      // The checkboxes of this field depend on an earlier step. one-to-one.test.tsx tests them.
      if (field === 'selected_buyers') continue;
      // The page hides a field that `implies` names until another answer requires the field.
      if (step.implies?.some((each) => each.field === field)) continue;
      expect(html).toMatch(new RegExp(`<(input|select|textarea|button)[^>]* name="${field}"`));
      expect(count(html, new RegExp(`id="field-${field}"`))).toBe(1);
    }
  });

  const inForms = steps.filter(([, name, flow]) => {
    const { asks } = flow.steps[name] as Flow['steps'][string];
    return asks;
  });
  test.each(inForms)('shows an error beside each missing field of the flow %s', (_, name, flow) => {
    const data = dataOf(flow);
    const step = flow.steps[name] as Flow['steps'][string];
    const errors = checkValues(data.fields, step, {}, { today });
    const html = renderState(data, stateAt(flow, name, { errors, refusals: 1 }));
    expect(Object.keys(errors)).toEqual(step.asks);
    for (const [field, error] of Object.entries(errors)) {
      if (step.implies?.some((each) => each.field === field)) continue;
      const frame = html.match(new RegExp(`<\\w+ [^>]*id="field-${field}"[^>]*>`))?.[0];
      expect(frame).toMatch(new RegExp(`aria-describedby="[^"]*error-${field}"`));
      const own = data.texts.steps[name]?.required?.[field];
      expect(html).toContain(escaped(own ?? (data.texts.fields[field]?.errors[error] as string)));
      const isGroup = frame?.startsWith('<fieldset');
      if (!isGroup) expect(frame).toContain('aria-invalid="true"');
      if (isGroup) expect(buttonFields(data.fields, step)).toContain(field);
    }
    const asksToTap = html.includes(data.texts.controls.scenarios);
    expect(asksToTap, 'there must be something to tap').toBe(html.includes('name="scenario"'));
  });

  test('shows at an end step whether the lead is being sent', () => {
    const flow = flows.find(({ id }) => id === 'progress-bar') as Flow;
    const data = dataOf(flow);
    const at = (sending: VisitState['sending']) =>
      renderState(data, stateAt(flow, 'End', { phase: 'sending', sending }));
    expect(at('sending')).not.toContain('<dialog');
    expect(at('trying')).toContain('data-sending="trying"');
    expect(at('refused')).not.toContain('spinner');
    expect(at('refused')).toContain(settings.phoneHref);
    for (const sending of ['sending', 'trying', 'refused'] as const) {
      expect(at(sending)).not.toContain('class="back"');
    }
  });

  test('asks the visitor to confirm "Start over"', () => {
    const flow = flows.find(({ id }) => id === 'v4') as Flow;
    const data = dataOf(flow);
    const { startOver, deleteAnswers } = data.texts.controls;
    const html = renderState(data, stateAt(flow, 'AtFault', { resumed: true }));
    const asking = /<details><summary[^>]*>([^<]*)<\/summary>(.*?)<\/details>/.exec(html);
    expect(asking?.[1]).toBe(startOver);
    expect(asking?.[2]).toMatch(/^<button value="over"[^>]* name="go">/);
    expect(asking?.[2]).toContain(`>${deleteAnswers}</button>`);
    expect(count(html, /value="over"/)).toBe(1);
  });
});

test.each(flows.map((flow) => [flow.id, flow] as const))(
  'the page of the flow %s contains exactly the icons that its screens draw',
  (_, flow) => {
    const consent = { version: '2026-11-20', language: 'en', text: 'I agree.' } as const;
    const data = surveyPageData(anySurvey, flow, settings, consent, today);
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
