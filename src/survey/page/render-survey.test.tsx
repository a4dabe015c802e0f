import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { currentConsent } from '../../../content/consent/index.ts';
import type { Answers } from '../../domain/answers.ts';
import { languages } from '../../domain/language.ts';
import type { StepAnswers } from '../../flows/engine/walk.ts';
import { flowLoaders, type Survey, surveyAt, surveys } from '../../flows/surveys.ts';
import { initialState, type JourneyState } from '../../journey/state.ts';
import { pageData, settings, today } from '../test-support/survey-fixture.ts';
import { texts, thankYouTexts } from '../texts/texts.ts';
import { shownConsent } from './consent-html.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { serialisePageData, surveyPageData } from './page-data.ts';
import { renderState, renderSurvey } from './render-survey.tsx';
import { SkipLink, SurveyFooter, SurveyHeader, SurveyPanel } from './survey-page.tsx';
import { ThankYou } from './thank-you.tsx';

function stateAt(at: string, change: Partial<JourneyState> = {}): JourneyState {
  return { ...initialState(pageData().flow), at, screen: 3, direction: 'forward', ...change };
}

function count(html: string, pattern: RegExp): number {
  return html.match(new RegExp(pattern, 'g'))?.length ?? 0;
}

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
    const data = pageData('en', { settings: { phoneDisplay: '</script><script>x\u2028' } });
    const json = serialisePageData(data);
    expect(json).not.toContain('<');
    expect(json).not.toContain('\u2028');
    const { survey, facts, settings, ...rest } = JSON.parse(json);
    expect({ ...data, ...rest }).toEqual(data);
    expect(settings.phoneDisplay).toBe(data.settings.phoneDisplay);
    expect(Object.values({ ...survey, ...facts, ...settings })).not.toContain(false);
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

  test('a contact step says where its details came from only while one of them stands there', () => {
    const data = pageData();
    const shown = (prefilled: StepAnswers, typed: Answers) =>
      renderState(data, stateAt('PhoneAndZip', { prefilled, drafts: { PhoneAndZip: typed } }));
    const note = data.texts.controls.prefilled;
    const brought = { PhoneAndZip: { zip_code: '10001' } };
    expect(shown(brought, { zip_code: '10001', phone: '2125550123' })).toContain(note);
    expect(shown(brought, { zip_code: '77002' })).not.toContain(note);
    expect(shown({ NameAndEmail: { first_name: 'Ann' } }, {})).not.toContain(note);
  });

  test.each(languages)(
    '%s: a page about a ticket or benefits promises no accident case',
    (language) => {
      const panelOf = (flow: string) =>
        renderToStaticMarkup(
          <SurveyPanel
            language={language}
            settings={settings}
            logo="road"
            flow={flow}
            scene="road"
          />,
        );
      const { page, subjects } = texts[language];
      expect(panelOf('v4')).toContain(page.panelTitle);
      for (const flow of ['ticket', 'benefits']) {
        expect(panelOf(flow)).toContain(subjects[flow]?.panelTitle);
        expect(panelOf(flow)).not.toContain(page.panelTitle);
      }
    },
  );

  test('the consent stands above the button, its pages open beside the survey', () => {
    const consent = currentConsent('en', 'Claim Guide');
    const html = renderState(
      { ...pageData(), consent: shownConsent(consent) },
      stateAt('PhoneAndZip'),
    );
    const text = /<p id="tcpa"[^>]*>(.*?)<\/p>/.exec(html)?.[1] ?? '';
    expect(text).toMatch(/^<strong>A lawyer may call and text me[^<]*<\/strong>/);
    const links = [...text.matchAll(/<a href="([^"]*)" target="_blank" rel="noopener">([^<]*)</g)];
    expect(links.map(([, href, words]) => [words, href])).toEqual(consent.links);
    expect(text.replace(/<[^>]*>/g, '')).toBe(consent.text.replace('\n', ' '));
    expect(html.indexOf('id="tcpa"')).toBeLessThan(html.indexOf('type="submit"'));
    const order = ['name="phone"', 'name="zip_code"', 'id="tcpa"', 'type="submit"'];
    expect(order.map((each) => html.indexOf(each))).toEqual(
      order.map((each) => html.indexOf(each)).toSorted((a, b) => a - b),
    );
    expect(html).not.toContain('class="note"');
  });

  test('an optional question says so, an address says what it is', async () => {
    const html = renderState(pageData(), stateAt('IncidentDescription'));
    expect(html).toMatch(/<legend>[^<]*<span class="hint"> \(optional\)/);
    const flow = await flowLoaders.ticket();
    const form = renderState(
      { ...pageData(), flow },
      { ...stateAt('StartPath'), at: 'NameAndEmailTicket' },
    );
    expect(form).toMatch(/<input[^>]*autoComplete="address-line1"[^>]*name="address"/i);
  });

  test('a form leaves out the question that an answer makes idle', async () => {
    const flow = await flowLoaders['one-page']();
    const survey = surveyAt('/form') as Survey;
    const data = surveyPageData(survey, flow, settings, currentConsent('en', 'Us'), today);
    const asks = (drafts: Answers) =>
      renderState(data, { ...initialState(flow), drafts: { OnePageForm: drafts } });
    expect(asks({})).not.toContain('name="injury_type"');
    expect(asks({ physical_injury: 'Yes' })).toContain('name="injury_type"');
    expect(asks({ physical_injury: 'No' })).not.toContain('name="injury_type"');
    expect(asks({})).not.toContain('No Injury');
  });

  test('a survey with a translation leads there', () => {
    for (const survey of surveys.filter(({ translation }) => translation !== undefined)) {
      const other = surveyAt(survey.translation ?? '');
      expect(other?.translation).toBe(survey.path);
      expect(other?.language).not.toBe(survey.language);
      expect(other?.flow).toBe(survey.flow);
    }
    const html = renderToStaticMarkup(<LanguageSwitch language="en" path="/survey/es" />);
    expect(html).toContain('href="/survey/es" hrefLang="es" lang="es"');
    expect(html).toContain('Español');
  });

  test('who comes back after sending is told that it was sent', () => {
    const { controls } = pageData().texts;
    const html = renderState(pageData(), { ...stateAt('StartPath'), sent: true });
    expect(html).toContain(controls.sent);
    expect(html).not.toContain(controls.startOver);
  });

  test('the estimator: knob, both gauges, amount and band say the same, the amount once', () => {
    const data = pageData('en', { survey: { path: '/survey/v4' } });
    const html = renderState(data, {
      ...stateAt('AutoAccidentCaseWorth'),
      drafts: { AutoAccidentCaseWorth: { current_compensation: '20000' } },
    });
    expect(html).toContain('>Mid to High Value<');
    expect(html.replace(/aria-valuetext="[^"]*"/g, '')).not.toContain('20,000');
    expect(count(html, /class="gauge-on"/)).toBe(8);
    const knob = Number(/type="range"[^>]* value="([\d.]+)"/.exec(html)?.[1]);
    const [mark, horizontal] = [/d="M40 ([\d.]+)l16-10v20z"/, /d="M([\d.]+) 50l-20 30h40z"/].map(
      (shape) => Number(shape.exec(html)?.[1]),
    );
    expect(knob).toBeCloseTo(3.6);
    expect(7 * 60.71 - (mark ?? 0)).toBeCloseTo(knob * 60.71);
    expect(horizontal).toBeCloseTo(knob * 100);
    expect(html).toMatch(/<input type="text"[^>]*name="current_compensation"[^>]*value="20000"/);
  });

  test.each([
    ['Car Accident', '5000', 'Low Value'],
    ['Truck Accident', '7000', 'Low to Mid Value'],
  ] as const)('the estimator after %s starts at %s', (accident_type, value, label) => {
    const data = pageData('en', { survey: { path: '/survey/v4' } });
    const given = { StartPath: { accident_type } };
    const html = renderState(data, stateAt('AutoAccidentCaseWorth', { given }));
    expect(html).toContain(`placeholder="${value}"`);
    expect(html).not.toMatch(/name="current_compensation"[^>]*value=/);
    expect(html).toContain(`>${label}<`);
  });

  test.each(languages)('%s: header, panel, footer and thank-you are whole', (language) => {
    const props = { language, settings };
    const words = thankYouTexts(language, 'v4');
    const html = renderToStaticMarkup(
      <>
        <SkipLink language={language} />
        <SurveyHeader {...props} logo="road" />
        <SurveyPanel {...props} logo="word" flow="v4" scene="road" />
        <SurveyFooter {...props} />
        <ThankYou {...props} start="#questions" words={words} qualified />
        <ThankYou {...props} start="#questions" words={words} qualified={false} />
      </>,
    );
    expect(html).not.toContain('undefined');
    expect(html).not.toContain(' style=');
    expect(html).not.toMatch(/\{\w+\}/);
    const inLanguage = language === 'es' ? '/es' : '';
    for (const page of ['sponsors', 'privacy-policy', 'do-not-sell-my-information']) {
      expect(html).toContain(`href="${inLanguage}/${page}/"`);
    }
    if (language === 'es') expect(html).not.toMatch(/href="\/(?!es\/)/);
    expect(html).toContain(settings.phoneHref);
    expect(count(html, /id="partner"/)).toBe(1);
  });
});
