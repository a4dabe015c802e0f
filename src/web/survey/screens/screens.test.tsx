import { describe, expect, test } from 'vitest';
import { languages } from '../../../model/fields/language.ts';
import type { StepAnswers } from '../../../model/flows/engine/walk.ts';
import { initialState } from '../../../model/visit/state.ts';
import { renderState } from '../page/render-survey.tsx';
import { pageData, today } from '../test-support/survey-fixture.ts';
import { accidentMonths, accidentYears } from './form-screens.tsx';

const names = Array.from({ length: 12 }, (_, index) => `m${index + 1}`);

test.each([
  [{}, 12, '2026'],
  [{ injury_year: '2026' }, 11, '2026'],
  [{ injury_year: '2025' }, 12, '2026'],
  [{ injury_month: '12' }, 12, '2025'],
  [{ injury_month: '11' }, 12, '2026'],
])(
  'the survey does not offer future months or years for the accident',
  (values, months, newest) => {
    const years = accidentYears(values, today).map(([value]) => value);
    expect([years[0], years.at(-1)]).toEqual([newest, '2011']);
    const offered = accidentMonths(values, today, names);
    expect(offered).toHaveLength(months);
    // Without JavaScript, the style sheet hides these options, which are marked `ahead`.
    expect(offered.filter(([, , ahead]) => ahead).map(([value]) => value)).toEqual(
      months === 12 ? ['12'] : [],
    );
  },
);

describe.each(languages)('survey screens in %s', (language) => {
  const data = pageData(language);
  const { flow } = data;

  test('offer the likely e-mail address in place of a mistyped one', () => {
    const at = 'NameAndEmail';
    const typed = { ...initialState(flow), at, drafts: { [at]: { email: 'maria@gmial.com' } } };
    expect(renderState(data, typed)).not.toContain('maria@gmail.com');
    const html = renderState(data, { ...typed, errors: { email: 'doubtful' } });
    expect(html.match(/<p class="error"[^>]*>[^<]*/g)).toEqual([
      expect.stringContaining('maria@gmail.com'),
    ]);
    expect(html).toMatch(/<button value="maria@gmail.com"[^>]* name="use_email">/);
    expect(html).toContain('<button class="link correction">');
  });

  test('have on a contact step only one button that sends the lead, as the consent says', () => {
    const at = 'AllPii';
    const drafts = { [at]: { email: 'maria@gmial.com' } };
    const state = { ...initialState(flow), at, drafts, errors: { email: 'doubtful' } as const };
    const html = renderState(data, state);
    expect(html).toMatch(/<button value="maria@gmail.com"[^>]* name="use_email">/);
    expect(html).not.toContain('<button class="link correction">');
  });

  test('ask for wishes about the call only if a law firm may call', () => {
    const contact = (given: StepAnswers = {}, calls = data.consent.calls) => {
      const closed = { ...data.settings, closedStates: ['CO'] };
      const consent = { ...data.consent, calls };
      // The visitor has gone on after the notice of a closed state.
      const state = { ...initialState(flow), at: 'AllPii', given: { ...given, AllPii: {} } };
      return renderState({ ...data, settings: closed, consent }, state);
    };
    const inColorado = { StartPath: { state_accident_occurred: 'CO' } };
    expect(contact()).toMatch(/call-lines.*name="call_language".*name="call_time".*id="tcpa"/);
    expect(contact()).not.toContain('selected=""');
    for (const html of [contact(inColorado), contact({}, '')]) {
      expect(html).toContain('id="tcpa"');
      expect(html).not.toMatch(/call-lines|call_language|call_time/);
    }
  });

  test.each(['refused', 'offline', 'trying'] as const)(
    'offer a call while the status of the lead is “%s”',
    (sending) => {
      const html = renderState(data, { ...initialState(flow), overlay: true, sending });
      expect(html).toContain(`class="button" href="${data.settings.phoneHref}"`);
    },
  );
});
