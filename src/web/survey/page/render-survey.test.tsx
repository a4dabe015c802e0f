import { describe, expect, test } from 'vitest';
import { currentConsent } from '../../../../content/consent/index.ts';
import type { Answers } from '../../../model/fields/answers.ts';
import { flowLoaders, type Survey, surveyAt } from '../../../model/flows/surveys.ts';
import { initialState, type VisitState } from '../../../model/visit/state.ts';
import { pageData, settings, today } from '../test-support/survey-fixture.ts';
import { serialisePageData, shownConsent, surveyPageData } from './page-data.ts';
import { renderState, renderSurvey } from './render-survey.tsx';

function stateAt(at: string, change: Partial<VisitState> = {}): VisitState {
  return { ...initialState(pageData().flow), at, screen: 3, direction: 'forward', ...change };
}

function count(html: string, pattern: RegExp): number {
  return html.match(new RegExp(pattern, 'g'))?.length ?? 0;
}

describe('the survey page', () => {
  test('contains the second question if every answer to the first question leads to it', () => {
    const { island, next, json } = renderSurvey(pageData());
    expect(island).toContain('data-step="StartPath"');
    expect(next).toContain('data-step="WhenWasTheAccident"');
    expect(JSON.parse(json).survey.path).toBe('/survey/v4nv');
    expect(renderSurvey(pageData('en', { survey: { path: '/survey/v4' } })).next).toContain(
      'data-step="AutoAccidentCaseWorth"',
    );
  });

  test('escapes its JSON data, so that no text can close the script element', () => {
    const data = pageData('en', { settings: { phoneDisplay: '</script><script>x\u2028' } });
    const json = serialisePageData(data);
    expect(json).not.toContain('<');
    expect(json).not.toContain('\u2028');
    expect(JSON.parse(json)).toEqual(data);
  });

  test('shows the consent text above the button', () => {
    const consent = currentConsent('en', 'Claim Guide');
    const html = renderState(
      { ...pageData(), consent: shownConsent(consent, 'Claims') },
      stateAt('PhoneAndZip'),
    );
    const text = /<p id="tcpa"[^>]*>(.*?)<\/p>/.exec(html)?.[1] ?? '';
    expect(text).toMatch(
      /^<strong>Claim Guide and up to five <a [^>]*>law firms on its list<\/a> may call and text me[^<]*<\/strong>/,
    );
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

  test('hides a question of a form until another answer requires it', async () => {
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

  test('shows the same amount in all parts of the compensation estimator', () => {
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
});
