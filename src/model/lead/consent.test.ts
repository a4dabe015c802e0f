import { expect, it } from 'vitest';
import { publishedConsents } from '../../../content/consent/index.ts';
import { testRules } from '../../../tests/support/build.ts';
import { publishedTcpa } from '../../../tests/support/consent.ts';
import { testNow, testVisitor } from '../../../tests/support/leads.ts';
import type { Language } from '../fields/language.ts';
import { type BuyerList, failedStep } from '../rules/buyers.ts';
import {
  type ConsentKind,
  type ConsentParts,
  type GivenConsent,
  indexConsents,
  judgeConsent,
  type PublishedConsent,
  readConsent,
} from './consent.ts';

const times = {
  consent_shown_at: '2026-11-21T14:58:00.000Z',
  submitted_at: '2026-11-21T14:59:30.000Z',
};
const firms = [
  { name: 'A', ids: ['1'] },
  { name: 'B', ids: ['2', '3'] },
];
const buyerList: BuyerList = {
  result: 'fixed',
  consent: 'yes',
  timeout: 'no',
  isPreselected: true,
  displayed: firms,
  possible: firms,
};

function consentOf(
  body: Record<string, unknown>,
  parts: Partial<ConsentParts> = {},
  rules = testRules,
) {
  const text = typeof body.tcpa === 'string' ? body.tcpa : undefined;
  return readConsent(
    {
      text,
      body,
      latest: body,
      buyerList: undefined,
      selectedBuyers: undefined,
      language: 'en',
      seenLanguage: 'en',
      page: 'https://claims.example.com/survey/v4nv',
      visitor: testVisitor,
      now: testNow,
      ...parts,
    },
    rules,
  );
}

it.each([undefined, ' ', '\u200b\ufeff', '\u3164', '-'])(
  'readConsent ignores the consent text %j',
  (tcpa) => {
    for (const list of [undefined, buyerList]) {
      const read = consentOf({ ...times, tcpa }, { buyerList: list });
      expect(read).toEqual({ sent: '', record: null, hold: undefined });
    }
  },
);

it('readConsent records the first well-formed certificate of a posted lead', () => {
  const certificate = (given: Record<string, unknown>) =>
    consentOf({ ...publishedTcpa(), ...times, ...given }).record?.certificate;
  const hex = '0123456789abcdef0123456789abcdef01234567';
  const url = `https://cert.trustedform.com/${hex}`;
  expect(certificate({ trusted_form_cert_id: hex })).toBe(hex);
  expect(certificate({ trustedform_cert_url: url })).toBe(url);
  for (const other of [`${url}/..`, `${url}?a=1`, 'https://cert.trustedform.com/x', `//${hex}`]) {
    const given = { trusted_form_cert_id: 'x', trustedform_cert_url: other };
    expect(certificate(given)).toBeNull();
    expect(certificate({ ...given, leadid_token: 'token' })).toBe('token');
  }
});

it('readConsent judges the consent of an earlier post by the time of that post', () => {
  const body = { ...publishedTcpa(), ...times };
  const later = { latest: { sub_id2: 'x' }, now: new Date('2026-11-01T00:00:00Z') };
  expect(consentOf(body, later).hold).toBe('consent_in_future');
  expect(consentOf(body, { ...later, receivedAt: testNow }).hold).toBeUndefined();
});

it.each([
  ['general', undefined],
  ['buyers', buyerList],
  ['abbreviated', failedStep],
] as const)(
  'readConsent accepts only the kind of consent text that the page requires',
  (kind, shownList) => {
    for (const language of ['en', 'es'] as const) {
      for (const other of ['general', 'buyers', 'abbreviated'] as const) {
        const { hold } = consentOf(
          { ...publishedTcpa(other, language, ['A', 'B']), ...times },
          { buyerList: shownList, language },
        );
        expect(hold).toBe(other === kind ? undefined : 'consent_other_text');
      }
    }
  },
);

it.each([
  [['A', 'B'], firms, undefined],
  [['A'], firms, 'consent_other_text'],
  [['A', 'B', 'C'], firms, 'consent_other_text'],
  [['{firms}'], firms, 'consent_other_text'],
  [['A'], firms.slice(0, 1), undefined],
  [['A', 'A'], firms.slice(0, 1), 'consent_other_text'],
])(
  'readConsent accepts only a consent text that names exactly the displayed law firms',
  (named, displayed, expected) => {
    const list = { ...buyerList, displayed };
    for (const language of ['en', 'es'] as const) {
      const body = { ...publishedTcpa('buyers', language, named), ...times };
      expect(consentOf(body, { buyerList: list, language }).hold).toBe(expected);
    }
  },
);

it('readConsent accepts the consent text of the ticket flow only from the ticket flow', () => {
  const ticket = { ...publishedTcpa('ticket'), ...times };
  const general = { ...publishedTcpa(), ...times };
  expect(ticket.tcpa).toContain('traffic ticket');
  expect(ticket.tcpa).not.toContain('accident');
  expect(consentOf(ticket, { flow: 'ticket' }).hold).toBeUndefined();
  expect(consentOf(ticket, { flow: 'ticket' }).record?.sentText).toBeNull();
  expect(consentOf(ticket, { flow: 'v4' }).hold).toBe('consent_other_text');
  expect(consentOf(general, { flow: 'ticket' }).hold).toBe('consent_other_text');
});

it('readConsent accepts a replaced general text from the contact form for a week', () => {
  const texts = publishedConsents(['Your Claim Guide']);
  const rules = { ...testRules, consents: indexConsents(texts) };
  const older = texts.find(({ version, kind }) => version === '2026-11-21' && kind === 'general');
  if (!older) throw new Error('2026-11-21 has no general text');
  const body = { ...times, tcpa: older.text, consent_version: older.version };
  const hold = (flow: string, now: string) => {
    const given = { ...body, submitted_at: now };
    return consentOf(given, { flow, now: new Date(now) }, rules).hold;
  };
  expect(hold('contact', '2026-12-05T12:00:00Z')).toBeUndefined();
  expect(hold('contact', '2026-12-07T12:00:00Z')).toBe('consent_replaced_text');
  expect(hold('ticket', '2026-12-05T12:00:00Z')).toBe('consent_other_text');
});

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
  ['with invalid times', { shownAt: 'yesterday', givenAt: '0x' }],
  [
    'long after its publication',
    { shownAt: '2031-01-01T00:00:00Z', givenAt: '2031-01-01T00:00:00Z' },
  ],
])('judgeConsent accepts every valid form of the current consent text', (_, given) => {
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
])('judgeConsent refuses a text that was not published under the posted version', (_, given) => {
  expect(judge(given)).toBe('consent_other_text');
});

it.each([
  ['2026-03-09T00:00:00.000Z', undefined],
  ['2026-03-08T23:59:59.999Z', 'consent_before_text'],
])(
  'judgeConsent refuses a consent that was given more than one day before the text was published',
  (time, reason) => {
    expect(judge({ shownAt: time })).toBe(reason);
    expect(judge({ shownAt: '', givenAt: time })).toBe(reason);
  },
);

it.each([
  ['2031-01-02T12:00:00.000Z', undefined],
  ['2031-01-02T12:00:00.001Z', 'consent_in_future'],
  ['+275760-09-13', 'consent_in_future'],
])('judgeConsent refuses a consent dated more than a day after its receipt', (time, reason) => {
  expect(judge({ shownAt: time, givenAt: time })).toBe(reason);
  expect(judge({ givenAt: time })).toBe(reason);
});

it.each([
  ['2026-03-10T10:00:00.000Z', undefined],
  ['2026-03-10T09:55:00.000Z', undefined],
  ['2026-03-10T09:54:59.999Z', 'consent_given_before_shown'],
])('judgeConsent refuses a consent given before the text was displayed', (givenAt, reason) => {
  expect(judge({ givenAt })).toBe(reason);
});

it.each([
  // This text was replaced on May 1. A visitor may accept a replaced text for 8 more days.
  ['on its last day', '2026-05-09T00:00:00Z', '2026-05-09T00:00:00Z', undefined],
  ['too late', '2026-05-09T00:00:01Z', '2026-05-09T00:00:02Z', 'consent_replaced_text'],
  ['in time, and posted weeks after', '2026-05-08T00:00:00Z', '2026-06-07T00:00:00Z', undefined],
  ['more than 30 days before receipt', '2026-05-08T00:00:00Z', '2026-06-07T00:00:01Z', late],
  ['without a time', '', '2026-05-10T00:00:00Z', late],
])(
  'judgeConsent refuses a replaced text that the visitor accepted too late',
  (_, givenAt, receivedAt, reason) => {
    const replaced = { text: 'I agreed.', version: '2026-02-01', shownAt: '', givenAt };
    expect(judge(replaced, 'general', { receivedAt: new Date(receivedAt) })).toBe(reason);
  },
);
