import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leadFieldNames } from './lead-fields.ts';
import { parseLeadFields } from './parse-lead-fields.ts';

const today = { year: 2025, month: 6, day: 15 };

it('parseLeadFields returns the normalised values of a valid body', () => {
  const { fields, problems, unknown } = parseLeadFields(
    {
      lead_id: '0197711E-4B3A-7C3E-8F6B-5F3A3C1D2E4F',
      survey: '/survey/v4nv',
      injury_year: 2025,
      injury_month: 3,
      accident_limit_exceeded: 0,
      sms_verified: false,
      selected_buyers: [1, 'b'],
      sub_id2: '',
      gclid: null,
    },
    { today },
  );
  expect(problems).toEqual([]);
  expect(unknown).toEqual({});
  expect(fields).toEqual({
    lead_id: '0197711e-4b3a-7c3e-8f6b-5f3a3c1d2e4f',
    survey: '/survey/v4nv',
    injury_year: '2025',
    injury_month: '03',
    accident_limit_exceeded: '0',
    sms_verified: 'no',
    selected_buyers: '1,b',
  });
});

it('parseLeadFields reports each invalid value as a problem', () => {
  const body = {
    at_Fault: 'perhaps',
    phone: 'call me',
    email: { nested: true },
    injury_year: '2026',
    case_description: 'short',
    user_agent: 'x'.repeat(2000),
    incident_date: '2025-02-30',
    oid: 'abc',
  };
  const { fields, problems } = parseLeadFields(body, { today });
  expect(Object.fromEntries(problems.map((each) => [each.field, each.error]))).toEqual({
    at_Fault: 'invalid',
    phone: 'invalid',
    email: 'wrong_type',
    injury_year: 'in_future',
    case_description: 'too_short',
    user_agent: 'too_long',
    incident_date: 'invalid',
    oid: 'invalid',
  });
  for (const { field, value } of problems) expect(value).toBe(body[field as keyof typeof body]);
  expect(fields).toEqual({ injury_year: '2026', case_description: 'short' });
});

it('parseLeadFields reports fields with unknown names', () => {
  const body = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2, "of_somebody": "x"}');
  const { unknown } = parseLeadFields(body);
  expect(Object.keys(unknown).sort()).toEqual(['__proto__', 'constructor', 'of_somebody']);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

it('parseLeadFields returns already parsed fields unchanged', () => {
  const name = fc.oneof(fc.constantFrom(...leadFieldNames), fc.string());
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue(), fc.constant('02134'));
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(name, value), fc.object()), (given) => {
      const { fields } = parseLeadFields(given, { today });
      expect(parseLeadFields(fields, { today }).fields).toEqual(fields);
    }),
    { numRuns: 500 },
  );
});
