import { expect, it } from 'vitest';
import { publishedConsents } from '../../../content/consent/index.ts';
import { testRules } from '../../../tests/support/build.ts';
import { publishedTcpa } from '../../../tests/support/consent.ts';
import { testNow, testVisitor } from '../../../tests/support/leads.ts';
import { type BuyerList, failedStep } from '../rules/buyers.ts';
import { indexConsents } from '../rules/consent.ts';
import { type ConsentParts, readConsent } from './consent.ts';

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

it('readConsent records no time that the database cannot store', () => {
  const odd = { consent_shown_at: '+275760-09-13', submitted_at: '0000-01-01' };
  const { record } = consentOf({ ...publishedTcpa(), ...odd });
  expect(record).toMatchObject({ shownAt: null, givenAt: null });
});

it.each([undefined, ' ', '\u200b\ufeff', '\u3164', '-'])(
  'readConsent returns neither a record nor a hold if no text was posted (%j), nor a statement to send',
  (tcpa) => {
    for (const list of [undefined, buyerList]) {
      const read = consentOf({ ...times, tcpa }, { buyerList: list });
      expect(read).toEqual({ sent: '', record: null, hold: undefined });
    }
  },
);

it('readConsent records only a well-formed certificate', () => {
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

it('readConsent judges the text of an earlier post by the time of that post', () => {
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
  'readConsent accepts the %s text, in both languages, only where the page had to show it',
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
])('readConsent of a text that names %j where %j were shown: %s', (named, displayed, expected) => {
  const list = { ...buyerList, displayed };
  for (const language of ['en', 'es'] as const) {
    const body = { ...publishedTcpa('buyers', language, named), ...times };
    expect(consentOf(body, { buyerList: list, language }).hold).toBe(expected);
  }
});

it('readConsent requires the ticket text from the ticket flow and accepts it from no other', () => {
  const ticket = { ...publishedTcpa('ticket'), ...times };
  const general = { ...publishedTcpa(), ...times };
  expect(ticket.tcpa).toContain('traffic ticket');
  expect(ticket.tcpa).not.toContain('accident');
  expect(consentOf(ticket, { flow: 'ticket' }).hold).toBeUndefined();
  expect(consentOf(ticket, { flow: 'ticket' }).record?.sentText).toBeNull();
  expect(consentOf(ticket, { flow: 'v4' }).hold).toBe('consent_other_text');
  expect(consentOf(general, { flow: 'ticket' }).hold).toBe('consent_other_text');
});

it('readConsent accepts the general text for a ticket from the time before the ticket text', () => {
  const first = publishedConsents(['Your Claim Guide']).find(
    ({ version }) => version === '2026-11-20',
  );
  const body = { tcpa: first?.text, consent_version: '2026-11-20', ...times };
  for (const flow of ['ticket', 'v4']) expect(consentOf(body, { flow }).hold).toBeUndefined();
});

it('readConsent accepts a text with a former company name only if that name is known', () => {
  const { tcpa, consent_version } = publishedTcpa();
  const old = tcpa.replaceAll('Your Claim Guide', () => 'Old $& Name');
  const body = { tcpa: old, consent_version, ...times };
  expect(consentOf(body).hold).toBe('consent_other_text');
  const consents = indexConsents(publishedConsents(['Your Claim Guide', 'Old $& Name']));
  expect(consentOf(body, {}, { ...testRules, consents }).hold).toBeUndefined();
});
