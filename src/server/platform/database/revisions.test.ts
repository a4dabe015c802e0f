import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contactFields } from '../../../model/fields/contact-form.ts';
import { fieldsWhere, isLeadField, leadFieldNames } from '../../../model/fields/lead-fields.ts';
import type { AcceptedLead } from '../../../model/lead/lead-record.ts';
import { storedParts, wholeRevision } from './revisions.ts';

const consent = { text: 'I agree' } as AcceptedLead['consent'];
const lead = {
  id: 'a',
  merged: null,
  consent,
  userAgent: 'Browser/1.0',
  body: {
    lead_id: 'a',
    tcpa: 'I agree',
    user_agent: 'Browser/1.0',
    email: 'a@b.c',
    phone: 1,
    x: null,
  },
  fields: { state: 'NY', email: 'a@b.c', phone: '1', tcpa: 'I agree', user_agent: 'Browser/1.0' },
};
const of = (body: object) => ({ ...lead, body: { lead_id: 'a', ...body } });

test.each([
  ['a survey’s post', lead, ['email', 'phone', 'x']],
  [
    'a post that spells its id otherwise',
    of({ ...lead.body, lead_id: 'A' }),
    ['lead_id', 'tcpa', 'user_agent', 'email', 'phone', 'x'],
  ],
  [
    'a post of nothing but what other columns have',
    of({ tcpa: 'I agree', user_agent: 'Browser/1.0' }),
    ['lead_id', 'tcpa', 'user_agent'],
  ],
  [
    'a posted null',
    { ...of({ tcpa: null, user_agent: null }), consent: null },
    ['lead_id', 'tcpa', 'user_agent'],
  ],
  ['a post without a browser', of({ tcpa: 'I agree' }), ['user_agent']],
  [
    'a text that is no consent',
    { ...of({ tcpa: 5, user_agent: 'Browser/1.0' }), consent: null },
    ['tcpa'],
  ],
  [
    'a later post',
    { ...of({ user_agent: 'Other/2.0' }), consent: null, merged: lead.body },
    ['user_agent'],
  ],
])('a stored revision is read with all values that were posted', (_, given, names) => {
  const stored = storedParts(given);
  expect(Object.keys(stored.body)).toEqual(names);
  expect(stored.fields).not.toContain('a@b.c');
  const tcpa = given.consent?.text ?? null;
  const posted = { lead_id: given.id, tcpa, user_agent: given.userAgent };
  const whole = wholeRevision({ ...stored, posted });
  expect(whole.body).toEqual(given.body);
  expect(Object.entries(whole.fields)).toEqual(Object.entries(given.fields));
});

test('an erased revision is read with an empty body', () => {
  const posted = { lead_id: 'a', tcpa: 'I agree', user_agent: null };
  const erased = { body: {}, merged: null, fields: {}, posted };
  expect(wholeRevision(erased)).toEqual({ body: {}, merged: null, fields: {} });
});

test('the view report.answers contains only fields that answer a question', () => {
  const questions = fieldsWhere(
    ({ from, posted }) =>
      posted === 'used' && ['visitor', 'visitor_or_rule', 'buyer_list'].includes(from),
  );
  const answers = new Set<string>([...questions, ...contactFields, 'earlier_answers']);
  const schema = readFileSync('migrations/001_schema.sql', 'utf8');
  const [, listed = ''] = /where a\.key <> all \(array\[([^\]]*)\]/.exec(schema) ?? [];
  const names: readonly string[] = listed.match(/\w+/g) ?? [];
  const missing = leadFieldNames.filter((name) => !answers.has(name) && !names.includes(name));
  expect(missing, 'Add these fields to report.answers in migrations/').toEqual([]);
  expect(names.filter((name) => answers.has(name) || !isLeadField(name))).toEqual([]);
});
