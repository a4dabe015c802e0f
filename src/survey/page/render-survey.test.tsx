import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { languages } from '../../domain/language.ts';
import { checkValues } from '../runner/form-values.ts';
import { initialState, type RunnerState } from '../runner/runner-state.ts';
import { pageData, settings, today } from '../test-support/survey-fixture.ts';
import { texts } from '../texts/texts.ts';
import { serialisePageData } from './page-data.ts';
import { renderState, renderSurvey } from './render-survey.tsx';
import { SkipLink, SurveyFooter, SurveyHeader, SurveyPanel } from './survey-page.tsx';
import { ThankYou } from './thank-you.tsx';

const steps = Object.keys(pageData().flow.steps);

function stateAt(at: string, change: Partial<RunnerState> = {}): RunnerState {
  return { ...initialState(pageData().flow), at, screen: 3, direction: 'forward', ...change };
}

function count(html: string, pattern: RegExp): number {
  return html.match(new RegExp(pattern, 'g'))?.length ?? 0;
}

describe.each(languages)('rendering in %s', (language) => {
  const data = pageData(language);

  test.each(steps)('%s: one step, its question, its way on', (name) => {
    const html = renderState(data, stateAt(name));
    expect(count(html, /data-step="/)).toBe(1);
    expect(html).toContain(`data-step="${name}"`);
    expect(count(html, /<h1 /)).toBe(1);
    expect(count(html, /aria-current="step"/)).toBe(1);
    expect(html).not.toContain(' style=');
    expect(html).not.toContain('undefined');
    const step = data.flow.steps[name];
    for (const choice of step?.choices ?? []) {
      const [field, value] = Object.entries(choice)[0] as [string, string];
      const button = new RegExp(`<button [^>]*name="${field}"[^>]*>`);
      expect(html).toMatch(button);
      expect(html).toContain(`value="${value}"`);
    }
    for (const field of [...(step?.asks ?? []), ...(step?.optional ?? [])]) {
      expect(html).toMatch(new RegExp(`<(input|select|textarea)[^>]* name="${field}"`));
      expect(html).toContain(`for="field-${field}"`);
    }
    expect(count(html, /<button type="submit"/)).toBe(step?.kind === 'choice' ? 0 : 1);
    expect(count(html, /id="tcpa"/)).toBe(step?.submits ? 1 : 0);
  });

  test.each(steps.filter((name) => data.flow.steps[name]?.kind !== 'choice'))(
    '%s: each error is marked, connected and said',
    (name) => {
      const step = data.flow.steps[name];
      if (!step) throw new Error(name);
      const errors = checkValues(data.fields, step, {}, { today });
      const html = renderState(data, stateAt(name, { errors, refusals: 1 }));
      expect(Object.keys(errors).length).toBeGreaterThan(0);
      for (const [field, error] of Object.entries(errors)) {
        expect(html).toContain(`id="error-${field}"`);
        const input = html.match(new RegExp(`<\\w+ [^>]*id="field-${field}"[^>]*>`))?.[0];
        expect(input).toContain('aria-invalid="true"');
        expect(input).toMatch(new RegExp(`aria-describedby="[^"]*error-${field}"`));
        expect(html).toContain(data.texts.fields[field]?.errors[error] as string);
      }
    },
  );
});

describe('the page', () => {
  test('the first question and the next one, which all answers share', () => {
    const { island, next, json } = renderSurvey(pageData());
    expect(island).toContain('data-step="StartPath"');
    expect(next).toContain('data-step="WhenWasTheAccident"');
    expect(JSON.parse(json).survey.path).toBe('/survey/v4nv');
    expect(renderSurvey(pageData('en', { survey: { path: '/survey/v4' } })).next).toContain(
      'data-step="AutoAccidentCaseWorth"',
    );
  });

  test('no next screen where answers lead to different ones', () => {
    const data = pageData();
    const flow = { ...data.flow, start: 'HasLawyer' };
    expect(renderSurvey({ ...data, flow }).next).toBe('');
  });

  test('the JSON cannot end its script element', () => {
    const data = pageData('en', { settings: { companyName: '</script><script>x\u2028' } });
    const json = serialisePageData(data);
    expect(json).not.toContain('<');
    expect(json).not.toContain('\u2028');
    expect(JSON.parse(json)).toEqual(data);
  });

  test('percent style has a progressbar; the percent sign can be hidden', () => {
    const data = pageData();
    const flow = {
      ...data.flow,
      progress: 'percent' as const,
      steps: { ...data.flow.steps, StartPath: { ...data.flow.steps.StartPath, progress: 10 } },
    } as typeof data.flow;
    const html = renderState({ ...data, flow }, initialState(flow));
    expect(html).toMatch(/role="progressbar"[^>]*aria-valuenow="10"/);
    expect(html).toContain('10% done');
    const hidden = pageData('en', {
      survey: { toggles: { ...data.survey.toggles, hidePercentSign: true } },
    });
    expect(renderState({ ...hidden, flow }, initialState(flow))).not.toContain('%');
    const sending = stateAt('StartPath', { phase: 'sending' });
    expect(renderState({ ...data, flow }, sending)).toContain('aria-valuenow="100"');
  });

  test('toggles show and hide their texts', () => {
    const { toggles } = pageData().survey;
    const on = pageData('en', {
      survey: { toggles: { ...toggles, socialProof: true, roundedButtons: true } },
    });
    const off = pageData('en', {
      survey: {
        toggles: {
          ...toggles,
          firstQuestionHeader: false,
          lastStepHeader: false,
          hidePrivacyGuarantee: true,
        },
      },
    });
    const first = renderState(on, initialState(on.flow));
    expect(first).toContain(on.texts.controls.socialProof);
    expect(first).toContain(on.texts.controls.firstQuestionHeader);
    expect(first).toContain('survey--rounded');
    expect(renderState(on, stateAt('PhoneAndZip'))).toContain(on.texts.controls.security);
    expect(renderState(off, initialState(off.flow))).not.toContain('eyebrow');
    const last = renderState(off, stateAt('PhoneAndZip'));
    expect(last).not.toContain('eyebrow');
    expect(last).not.toContain(off.texts.controls.security);
  });

  test.each(languages)(
    '%s: a page about a ticket or benefits promises no accident case',
    (language) => {
      const panelOf = (flow: string) =>
        renderToStaticMarkup(<SurveyPanel language={language} settings={settings} flow={flow} />);
      const { page, subjects } = texts[language];
      expect(panelOf('v4')).toContain(page.panelTitle);
      for (const flow of ['ticket', 'benefits']) {
        expect(panelOf(flow)).toContain(subjects[flow]?.panelTitle);
        expect(panelOf(flow)).not.toContain(page.panelTitle);
      }
    },
  );

  test.each(languages)('%s: the thank-you page of a ticket speaks of the ticket', (language) => {
    const html = renderToStaticMarkup(
      <ThankYou language={language} settings={settings} qualified flow="ticket" />,
    );
    for (const step of texts[language].subjects.ticket?.qualifiedSteps ?? []) {
      expect(html).toContain(step);
    }
    for (const step of texts[language].thankYou.qualifiedSteps.slice(1)) {
      expect(html).not.toContain(step);
    }
  });

  test.each(languages)('%s: header, panel, footer and thank-you are whole', (language) => {
    const props = { language, settings };
    const html = renderToStaticMarkup(
      <>
        <SkipLink language={language} />
        <SurveyHeader {...props} />
        <SurveyPanel {...props} flow="v4" />
        <SurveyFooter {...props} />
        <ThankYou {...props} qualified />
        <ThankYou {...props} qualified={false} />
      </>,
    );
    expect(html).not.toContain('undefined');
    expect(html).not.toContain(' style=');
    expect(html).not.toMatch(/\{\w+\}/);
    expect(html).toContain('href="/sponsors/"');
    expect(html).toContain('href="/do-not-sell-my-information/"');
    expect(html).toContain(settings.phoneHref);
    expect(count(html, /id="partner"/)).toBe(1);
  });
});
