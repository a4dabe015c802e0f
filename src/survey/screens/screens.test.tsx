import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { languages } from '../../domain/language.ts';
import { DESCRIPTION_MIN_CHARACTERS, DESCRIPTION_MIN_WORDS } from '../../domain/thresholds.ts';
import { stepOf } from '../../flows/engine/flow.ts';
import { type Survey, surveyAt } from '../../flows/surveys.ts';
import { vw3 } from '../../flows/variants/vw3.ts';
import { initialState, type JourneyState } from '../../journey/state.ts';
import { surveyPageData } from '../page/page-data.ts';
import { renderState } from '../page/render-survey.tsx';
import { pageData, settings, today } from '../test-support/survey-fixture.ts';
import { texts as allTexts, textsFor } from '../texts/texts.ts';
import { noEvents } from './no-events.ts';
import { SendingStatus } from './sending-status.tsx';

describe.each(languages)('in %s', (language) => {
  const data = pageData(language);
  const { flow, texts } = data;

  test.each([
    ['in a car', 'Car Accident'],
    ['on foot', 'Pedestrian Accident'],
  ])(
    'the description says its least length, and offers beginnings that reach it, %s',
    (_, type) => {
      const given = {
        StartPath: { accident_type: type },
        WhenWasTheAccident: { injury_month: '05', injury_year: '2026' },
      };
      const html = renderState(data, { ...initialState(flow), given, at: 'IncidentDescription' });
      const help = /class="help">([^<]*)</.exec(html)?.[1] ?? '';
      expect(help).toContain(` ${DESCRIPTION_MIN_WORDS} `);
      expect(help).toContain(` ${DESCRIPTION_MIN_CHARACTERS} `);
      const starters = [...html.matchAll(/<button type="button"[^>]*data-starter="([^"]*)"/g)];
      expect(starters).toHaveLength(3);
      for (const [, words = ''] of starters) {
        expect(words).toMatch(/^[A-Z].*[.] $/);
        expect(words.trim().split(' ').length).toBeGreaterThanOrEqual(DESCRIPTION_MIN_WORDS);
        if (type === 'Pedestrian Accident') expect(words).not.toMatch(/My car|Mi auto/);
      }
    },
  );

  test('a form that asks for a description among other things says its least length in the label', () => {
    for (const step of ['FormSecondQuestions', 'OnePageForm']) {
      const label = allTexts[language].steps[step]?.labels?.case_description;
      expect(label).toContain(` ${DESCRIPTION_MIN_WORDS} `);
      expect(label).toContain(` ${DESCRIPTION_MIN_CHARACTERS} `);
    }
  });

  test('a description that is too long says by how much', () => {
    const state = { ...initialState(flow), at: 'IncidentDescription' };
    const limit = data.settings.descriptionLimit;
    const drafts = { IncidentDescription: { case_description: 'x'.repeat(limit + 1999) } };
    const html = renderState(data, { ...state, drafts });
    const counter = /class="counter counter--over"[^>]*>([^<]*)</.exec(html)?.[1] ?? '';
    expect(counter).toMatch(new RegExp(` 1999\\. .* ${limit} `));
  });

  test('only a visitor who was not at fault is offered beginnings, which blame the other driver', () => {
    const asked = { ...stepOf(flow, 'AtFault'), next: ['IncidentDescription'] };
    const short = { ...flow, start: 'AtFault', steps: { ...flow.steps, AtFault: asked } };
    const shown = (at_Fault: string) => {
      const given = { AtFault: { at_Fault } };
      const state = { ...initialState(short), given, at: 'IncidentDescription' };
      return renderState({ ...data, flow: short }, state).includes('data-starter');
    };
    expect([shown('no'), shown('yes')]).toEqual([true, false]);
  });

  test('a mistyped mail domain is asked about in one message, with the address that was meant', () => {
    const at = 'NameAndEmail';
    const typed = { ...initialState(flow), at, drafts: { [at]: { email: 'maria@gmial.com' } } };
    expect(renderState(data, typed)).not.toContain('maria@gmail.com');
    const html = renderState(data, { ...typed, errors: { email: 'doubtful' } });
    expect(html.match(/<p class="error"[^>]*>[^<]*/g)).toEqual([
      expect.stringContaining('maria@gmail.com'),
    ]);
    expect(html).toContain(
      '<button type="button" class="link correction" value="maria@gmail.com">',
    );
  });

  test('a start screen promises three things, each with its icon, before its button', () => {
    const survey = { ...(surveyAt('/survey/vw') as Survey), language };
    const consent = { version: '2026-11-20', language, text: 'I agree.' };
    const start = surveyPageData(survey, vw3, settings, consent, today);
    const html = renderState(start, initialState(vw3));
    const promises = [...html.matchAll(/<li><svg class="icon"[^>]*><path d="([^"]+)"/g)];
    expect(promises).toHaveLength(3);
    expect(html.indexOf('class="promises"')).toBeLessThan(html.indexOf('type="submit"'));
  });

  test('the way to call stands where the server is out of reach or refuses, and only there', () => {
    const calls = (sending: JourneyState['sending']) =>
      renderToStaticMarkup(
        <SendingStatus texts={texts} settings={data.settings} sending={sending} on={noEvents} />,
      ).includes(settings.phoneHref);
    expect(calls('offline')).toBe(true);
    expect(calls('refused')).toBe(true);
    expect(calls('sending')).toBe(false);
    expect(texts.controls.sendingStates.offline).toMatch(/page open|página abierta/);
  });

  test('two sentences lead in to the questions about money', () => {
    const { help = '' } = textsFor(language, flow).steps.InterestedInFunding ?? {};
    expect(help.match(/[.] ?/g)).toHaveLength(2);
  });
});
