import { describe, expect, test } from 'vitest';
import { type Language, languages } from '../../domain/language.ts';
import { type Survey, surveyAt } from '../../flows/surveys.ts';
import { ticket } from '../../flows/variants/ticket.ts';
import { surveyPageData } from '../page/page-data.ts';
import { renderState } from '../page/render-survey.tsx';
import { initialState } from '../runner/runner-state.ts';
import { settings, today } from '../test-support/survey-fixture.ts';
import { stateNames } from '../texts/state-names.ts';
import { isFound } from './pick-screen.tsx';

function found(search: string, language: Language = 'en'): string[] {
  return Object.entries(stateNames(language))
    .filter(([value, label]) => isFound(search, value, label))
    .map(([value]) => value);
}

describe('search', () => {
  test.each([
    ['', 51],
    ['  ', 51],
    ['new', 4],
    ['zz', 0],
    ['exas', 0],
  ])('"%s" leaves %i', (search, count) => {
    expect(found(search)).toHaveLength(count);
  });
  test('finds by code, by any word, in any case, with or without accents', () => {
    expect(found('tx')).toEqual(['TX']);
    expect(found('york')).toEqual(['NY']);
    expect(found('NEW YORK ')).toEqual(['NY']);
    expect(found('michigan', 'es')).toEqual(['MI']);
    expect(found('Míchi', 'es')).toEqual(['MI']);
    // A code that is also a beginning finds both.
    expect(found('co').sort()).toEqual(['CO', 'CT', 'DC']);
  });
});

describe.each(languages)('the state picker in %s', (language) => {
  const survey = { ...(surveyAt('/ticket') as Survey), language };
  const consent = { version: '2026-11-20', language, text: 'I agree.' };
  const data = surveyPageData(survey, ticket, settings, consent, today);
  const html = (given = {}) =>
    renderState(data, { ...initialState(ticket), at: 'SelectState', given });

  test('has a labelled search field, and every state as a button', () => {
    const page = html();
    expect(page).toMatch(/<label for="pick-search">[^<]+<span class="hint"> \([^<]+\)<\/span>/);
    expect(page).toContain('id="pick-search"');
    for (const [code, name] of Object.entries(stateNames(language))) {
      expect(page).toMatch(new RegExp(`<button[^>]* value="${code}"[^>]*>${name}<`));
    }
    expect(page).not.toContain('aria-pressed');
  });
  test('shows the state that was chosen before', () => {
    const page = html({ SelectState: { state_accident_occurred: 'OH' } });
    expect(page.match(/<button[^>]*aria-pressed="true"[^>]*>/g)).toHaveLength(1);
    expect(page).toMatch(/<button[^>]* value="OH"[^>]*aria-pressed="true"/);
  });
});
