import { expect, it } from 'vitest';
import type { Language } from '../fields/language.ts';
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
  {
    version: '2026-02-01',
    kind: 'general',
    language: 'en',
    text: 'I agreed.',
    published: '2026-02-01',
    replaced: '2026-05-01',
  },
  { ...general, version: '2026-05-01', published: '2026-05-01', text: 'I agree anew.' },
]);

const late = 'consent_replaced_text';
const now = new Date('2031-01-01T12:00:00Z');
const judge = (
  given: Partial<GivenConsent>,
  kind: ConsentKind = 'general',
  { language, receivedAt = now }: { language?: Language; receivedAt?: Date } = {},
) =>
  judgeConsent(
    {
      text: general.text,
      version: general.version,
      shownAt: '2026-03-10T10:00:00Z',
      givenAt: '2026-03-10T10:01:00Z',
      ...given,
    },
    { kind, language },
    index,
    receivedAt,
  );

it.each([
  ['as published', {}],
  ['in Spanish', { text: 'Acepto que Us me llame mañana.' }],
  ['in Spanish, decomposed', { text: 'Acepto que Us me llame mañana.'.normalize('NFD') }],
  ['under another of the company’s names', { text: 'I agree that Them may call me.' }],
  ['with the page’s white space', { text: '\n I agree that\u00a0Us\tmay  call me. ' }],
  ['without times', { shownAt: '', givenAt: '' }],
  ['with times that nobody can read', { shownAt: 'yesterday', givenAt: '0x' }],
  ['long after', { shownAt: '2031-01-01T00:00:00Z', givenAt: '2031-01-01T00:00:00Z' }],
])('judgeConsent accepts a text %s', (_, given) => {
  expect(judge(given)).toBeUndefined();
});

it.each(['', '2026-03-11', '2026-03-10 abbreviated', '__proto__'])(
  'judgeConsent refuses the unknown version "%s"',
  (version) => {
    expect(judge({ version })).toBe('consent_unknown_version');
  },
);

it.each([
  ['invented', { text: 'I agree that Us may call me. Or not.' }],
  ['of another case', { text: general.text.toUpperCase() }],
  ['empty', { text: '' }],
  ['of another version', { version: '2026-05-01' }],
])('judgeConsent refuses a text that is %s', (_, given) => {
  expect(judge(given)).toBe('consent_other_text');
});

it.each([
  ['2026-03-09T00:00:00.000Z', undefined],
  ['2026-03-08T23:59:59.999Z', 'consent_before_text'],
])('judgeConsent at %s, about a day before publication: %s', (time, reason) => {
  expect(judge({ shownAt: time })).toBe(reason);
  expect(judge({ shownAt: '', givenAt: time })).toBe(reason);
});

it.each([
  ['2031-01-02T12:00:00.000Z', undefined],
  ['2031-01-02T12:00:00.001Z', 'consent_in_future'],
  ['+275760-09-13', 'consent_in_future'],
])('judgeConsent at %s, about a day after receipt: %s', (time, reason) => {
  expect(judge({ shownAt: time, givenAt: time })).toBe(reason);
  expect(judge({ givenAt: time })).toBe(reason);
});

it.each([
  ['2026-03-10T10:00:00.000Z', undefined],
  ['2026-03-10T09:55:00.000Z', undefined],
  ['2026-03-10T09:54:59.999Z', 'consent_given_before_shown'],
])('judgeConsent shown at ten and given at %s: %s', (givenAt, reason) => {
  expect(judge({ givenAt })).toBe(reason);
});

it.each([
  // Replaced on May 1; allows a week for open pages and a day for time zones.
  ['on its last day', '2026-05-09T00:00:00Z', '2026-05-09T00:00:00Z', undefined],
  ['too late', '2026-05-09T00:00:01Z', '2026-05-09T00:00:02Z', 'consent_replaced_text'],
  ['in time, and posted weeks after', '2026-05-08T00:00:00Z', '2026-06-07T00:00:00Z', undefined],
  ['more than 30 days before receipt', '2026-05-08T00:00:00Z', '2026-06-07T00:00:01Z', late],
  ['at no known time', '', '2026-05-10T00:00:00Z', late],
])('judgeConsent judges a replaced text given %s', (_, givenAt, receivedAt, reason) => {
  const replaced = { text: 'I agreed.', version: '2026-02-01', shownAt: '', givenAt };
  expect(judge(replaced, 'general', { receivedAt: new Date(receivedAt) })).toBe(reason);
});
