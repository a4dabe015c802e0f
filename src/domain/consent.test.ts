import { describe, expect, it } from 'vitest';
import {
  type ConsentKind,
  type GivenConsent,
  indexConsents,
  judgeConsent,
  type PublishedConsent,
} from './consent.ts';

const general: PublishedConsent = {
  version: '2026-03-10',
  kind: 'general',
  language: 'en',
  text: 'I agree that Us may call me.',
  published: '2026-03-10',
};
const index = indexConsents([
  general,
  { ...general, language: 'es', text: 'Acepto que Us me llame mañana.' },
  { ...general, text: 'I agree that Them may call me.' },
  { ...general, version: '2026-03-10 buyers', kind: 'buyers', text: 'I agree with those ticked.' },
  { ...general, version: '2026-05-01', published: '2026-05-01', text: 'I agree anew.' },
]);

const now = new Date('2031-01-01T12:00:00Z');
const judge = (given: Partial<GivenConsent>, kind: ConsentKind = 'general') =>
  judgeConsent(
    {
      text: general.text,
      version: general.version,
      shownAt: '2026-03-10T10:00:00Z',
      givenAt: '2026-03-10T10:01:00Z',
      ...given,
    },
    kind,
    index,
    now,
  );

describe('judgeConsent', () => {
  it.each([
    ['as published', {}],
    ['in Spanish', { text: 'Acepto que Us me llame mañana.' }],
    ['in Spanish, decomposed', { text: 'Acepto que Us me llame mañana.'.normalize('NFD') }],
    ['under another of the company’s names', { text: 'I agree that Them may call me.' }],
    ['with the page’s white space', { text: '\n I agree that\u00a0Us\tmay  call me. ' }],
    ['without times', { shownAt: '', givenAt: '' }],
    ['with times that nobody can read', { shownAt: 'yesterday', givenAt: '0x' }],
    ['long after', { shownAt: '2031-01-01T00:00:00Z', givenAt: '2031-01-01T00:00:00Z' }],
  ])('takes a text %s', (_, given) => {
    expect(judge(given)).toBeUndefined();
  });

  it.each(['', '2026-03-11', '2026-03-10 abbreviated', '__proto__'])(
    'knows no version "%s"',
    (version) => {
      expect(judge({ version })).toBe('consent_unknown_version');
    },
  );

  it.each([
    ['invented', { text: 'I agree that Us may call me. Or not.' }],
    ['of another case', { text: general.text.toUpperCase() }],
    ['empty', { text: '' }],
    ['of another version', { version: '2026-05-01' }],
  ])('refuses a text that is %s', (_, given) => {
    expect(judge(given)).toBe('consent_other_text');
  });

  it('wants the text of the kind that had to be shown', () => {
    const buyers = { version: '2026-03-10 buyers', text: 'I agree with those ticked.' };
    expect(judge(buyers, 'buyers')).toBeUndefined();
    expect(judge(buyers, 'abbreviated')).toBe('consent_other_text');
    expect(judge(buyers)).toBe('consent_other_text');
    expect(judge({}, 'buyers')).toBe('consent_other_text');
  });

  it.each([
    ['2026-03-09T00:00:00.000Z', undefined],
    ['2026-03-08T23:59:59.999Z', 'consent_before_text'],
  ])('at %s, a day before it was published: %s', (time, reason) => {
    expect(judge({ shownAt: time })).toBe(reason);
    expect(judge({ givenAt: time })).toBe(reason);
  });

  it.each([
    ['2031-01-02T12:00:00.000Z', undefined],
    ['2031-01-02T12:00:00.001Z', 'consent_in_future'],
    ['+275760-09-13', 'consent_in_future'],
  ])('at %s, a day after it was received: %s', (time, reason) => {
    expect(judge({ shownAt: time })).toBe(reason);
    expect(judge({ givenAt: time })).toBe(reason);
  });
});
