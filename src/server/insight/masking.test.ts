import fc from 'fast-check';
import { expect, test } from 'vitest';
import { historyOf, viewOf } from '../../../tests/support/lead-history.ts';
import { ana } from '../../../tests/support/ledger.ts';
import { askedFields } from '../../model/fields/asked-fields.ts';
import { isLeadField, leadFieldNames } from '../../model/fields/lead-fields.ts';
import { answerOf } from './lead-page.ts';
import { isClear, MASKED } from './masking.ts';

const canaries = [...Object.values(ana), 'Kanarienvogel', 'canary@mail.example', '(512) 555-0123'];

test('isClear returns false for a personal value in any field of a lead', () => {
  for (const name of leadFieldNames) {
    for (const value of canaries) {
      const isCode = value === ana.zip_code;
      // Does not test zip codes, because a field for a number shows every number.
      if (!isCode) expect(isClear(name, value), `${name} = ${value}`).toBe(false);
    }
  }
});

test('an unknown field is masked', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (name, value) => {
      expect(isLeadField(name) || !isClear(name, value)).toBe(true);
    }),
  );
  for (const name of ['__proto__', 'constructor', 'toString']) {
    expect(isClear(name, 'Kanarienvogel')).toBe(false);
  }
});

test('the answer to a question is shown only if it is the value of a button', () => {
  for (const [name, { kind, values = [] }] of Object.entries(askedFields)) {
    if (kind !== 'choice' || name === 'typeOfAccident') continue;
    for (const value of values) {
      expect(isClear(name, value), `${name} = ${value}`).toBe(true);
      expect(isClear(name, `${value} `), name).toBe(false);
    }
  }
});

/** Paths of the properties whose texts our own code writes. */
const OURS = [
  /^lead\.(id|state|flow|variants|survey|do_not_send_to_dq|claims_id)$/,
  /\.(id|lead_id|delivery_id|number_key)$/,
  /^deliveries\.\d+\.(destination|event_key|state|lease_owner|waits_because)$/,
  /^(codes|checks)\.\d+\.(kind|outcome|service)$/,
  /^deliveries\.\d+\.log\.\d+\.outcome$/,
  /^events\.\d+\.(kind|actor|detail\.was)$/,
  /^revisions\.\d+\.(problems\.\d+\.(problem|reason)|(decisions|overrides)\.\d+\.rule)$/,
  /^revisions\.\d+\.(email_key|phone_key)$/,
];

/** Replaces the texts of a history by a marker, except the texts that our own code writes. */
function withCanaries<Value>(value: Value, path = ''): Value {
  if (typeof value === 'string') {
    return (OURS.some((each) => each.test(path)) ? value : 'Kanarienvogel') as Value;
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) {
    return value.map((each, index) => withCanaries(each, `${path}.${index}`)) as Value;
  }
  const stored = /(params|answers|body|said|given\.\w+)$/.test(path) ? { Kanarienvogel: 'x' } : {};
  return Object.fromEntries(
    Object.entries({ ...value, ...stored }).map(([name, each]) => [
      name,
      withCanaries(each, path === '' ? name : `${path}.${name}`),
    ]),
  ) as Value;
}

test('a masked lead page shows no free text of visitors or third parties', () => {
  const history = withCanaries(historyOf());
  // Changes the consent text to an unpublished text, which the page must mask.
  const [revision] = history.revisions;
  revision?.problems.push({ problem: 'held', reason: 'consent_other_text' });
  const masked = JSON.stringify(answerOf(history, new Map(), viewOf(false), 'viewer'));
  expect(masked).not.toMatch(/kanarienvogel/i);
  expect(masked).toContain(MASKED);
  const opened = JSON.stringify(answerOf(history, new Map(), viewOf(true), 'operator'));
  expect(opened.match(/Kanarienvogel/g)?.length).toBeGreaterThan(40);
});

test('a published consent text is masked only if it contains a value of the person', () => {
  const consentOf = (text: string) => {
    const [consent] = historyOf().consents;
    const history = historyOf({ consents: consent ? [{ ...consent, text }] : [] });
    const { story: entries } = answerOf(history, new Map(), viewOf(false), 'viewer');
    return entries.find(({ kind }) => kind === 'consent')?.consent;
  };
  expect(consentOf('A lawyer may call me.')).toMatchObject({
    text: 'A lawyer may call me.',
    textState: 'shown',
    version: '2026-11-21',
  });
  expect(consentOf(`I, ${ana.first_name}, agree.`)).toMatchObject({
    text: null,
    textState: 'masked',
  });
  expect(consentOf('')).toMatchObject({ text: null, textState: 'erased' });
});
