import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AskedFieldName, askedFields, checkField, normaliseField } from './asked-fields.ts';

const names = Object.keys(askedFields) as AskedFieldName[];
const today = { year: 2025, month: 6, day: 15 };
const check = (name: AskedFieldName, value: string | undefined, answers = {}) =>
  checkField(name, value, { today, answers });

it('normaliseField returns a normalised value unchanged', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.string({ unit: 'binary' }), (name, value) => {
      const once = normaliseField(name, value);
      expect(normaliseField(name, once)).toBe(once);
      expect(once).not.toContain('\0');
      expect(once.isWellFormed()).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it('normaliseField returns the defined spelling of a choice that was typed in capitals', () => {
  for (const name of names) {
    for (const value of askedFields[name].values ?? []) {
      expect(normaliseField(name, value)).toBe(value);
      expect(normaliseField(name, ` ${value.toUpperCase()} `)).toBe(value);
      expect(check(name, value)).toBeUndefined();
    }
  }
});

it.each([
  ['phone', '+1 (212) 555-0123', '2125550123'],
  ['zip_code', '10001-1234', '10001'],
  ['zip_code', ' 02134 ', '02134'],
  ['email', ' Ann.Lee@Example.COM ', 'Ann.Lee@example.com'],
  ['email', 'Ann.Lee@Example.com. ,', 'Ann.Lee@example.com'],
  ['injury_month', '3', '03'],
  ['first_name', '  Ann\u00a0  Marie\n', 'Ann Marie'],
  ['first_name', 'Jose\u0301', 'José'],
  ['first_name', 'A\u200bnn\0', 'Ann'],
  ['case_description', ' one\r\ntwo\rthree\t4 ', 'one\ntwo\nthree 4'],
  ['current_compensation', '$12,500.00', '12500'],
  ['physical_injury', 'yes', 'Yes'],
] as const)('normaliseField normalises a value of the field %s', (name, value, expected) => {
  expect(normaliseField(name, value)).toBe(expected);
});

it('checkField returns the error "required" for an empty field that is not optional', () => {
  for (const name of names) {
    const isOptional = askedFields[name].optional;
    expect(check(name, undefined), name).toBe(isOptional ? undefined : 'required');
    expect(check(name, '  '), name).toBe(isOptional ? undefined : 'required');
  }
  for (const name of ['injury_year', 'at_Fault', 'police_report'] as const) {
    expect(check(name, '0')).toBe('required');
  }
});

it.each([
  ['at_Fault', 'maybe', 'invalid'],
  ['email', 'ann@example.com', undefined],
  ['email', '"ann lee"@example.com', undefined],
  ['email', 'ann@example', 'invalid'],
  ['email', 'ann@example.com.', undefined],
  ['email', 'ann example.com', 'no_at'],
  ['email', 'ann lee@example.com', 'has_space'],
  ['email', 'ann@example.com, lee@example.com', 'several'],
  ['email', 'a@b@c.com', 'invalid'],
  ['email', `${'a'.repeat(250)}@example.com`, 'too_long'],
  ['phone', '(212) 555-0123', undefined],
  ['phone', 'call me', 'too_short'],
  ['phone', '(212) 976-5550', 'not_reachable'],
  ['phone', '(123) 456-7890', 'area_code'],
  ['phone', '21255501234', 'too_many_digits'],
  ['phone', '0125550123', 'invalid'],
  ['zip_code', '1000A', 'invalid'],
  ['zip_code', '00501', undefined],
  ['case_description', 'hit from behind hard', undefined],
  ['case_description', 'hit from behind har', 'too_short'],
  ['case_description', 'rearended someplace somewhere', 'too_few_words'],
  ['case_description', `hit from behind ${'x'.repeat(1000)}`, 'too_long'],
  ['first_name', 'x'.repeat(101), 'too_long'],
  ['injury_year', '2026', 'in_future'],
  ['injury_year', '20x5', 'invalid'],
  ['injury_month', '13', 'invalid'],
  ['current_compensation', '250001', 'invalid'],
  ['date_accident_occurred', '06/16/2025', 'in_future'],
  ['date_accident_occurred', '02/30/2025', 'invalid'],
  ['when_seek_medical_treatment_date', '2025-06-19', undefined],
] as const)(
  'checkField returns an error only for invalid values of the field %s',
  (name, value, error) => {
    expect(check(name, value)).toBe(error);
  },
);

it('checkField checks each part of a date together with the other parts', () => {
  const year = { injury_year: '2025' };
  expect(check('injury_month', '06', year)).toBeUndefined();
  expect(check('injury_month', '07', year)).toBe('in_future');
  expect(check('injury_month', '07', { injury_year: '2024' })).toBeUndefined();
  expect(check('injury_day', '15', { ...year, injury_month: '06' })).toBeUndefined();
  expect(check('injury_day', '16', { ...year, injury_month: '06' })).toBe('in_future');
  expect(check('injury_day', '29', { ...year, injury_month: '02' })).toBe('invalid');
  expect(check('injury_day', '29', { injury_year: '2024', injury_month: '02' })).toBeUndefined();
  expect(check('injury_day', '31', { ...year, injury_month: '04' })).toBe('invalid');
  expect(check('injury_day', '')).toBeUndefined();
});
