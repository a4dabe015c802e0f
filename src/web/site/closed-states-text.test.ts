import { expect, test } from 'vitest';
import { settings } from '../survey/test-support/survey-fixture.ts';
import { closedStatesText } from './closed-states-text.ts';

const today = { year: 2026, month: 11, day: 28 };
const byDefault = { changes: {}, undecided: 'deliver' } as const;

test.each([
  ['en', /^What you send from Colorado goes only to a law firm that you chose by name\./],
  ['es', /^Lo que envía desde Colorado va solo a un bufete que usted eligió por nombre\./],
] as const)(
  'the privacy policy names the states that need a named firm (%s)',
  (language, words) => {
    expect(closedStatesText(language, today, { ...settings, stateRules: byDefault })).toMatch(
      words,
    );
  },
);

test('the privacy policy follows the changes of the rules', () => {
  const changes = {
    CO: [{ decision: 'allowed', reason: 'a licence' }],
    TX: [{ decision: 'prohibited', reason: 'our choice' }],
  } as const;
  const stateRules = { ...byDefault, changes };
  expect(closedStatesText('en', today, { ...settings, stateRules })).toBe(
    'What you send from Texas goes to no law firm, and the page tells you.',
  );
  const allowed = { ...byDefault, changes: { CO: changes.CO } };
  expect(closedStatesText('en', today, { ...settings, stateRules: allowed })).toBe('');
});
