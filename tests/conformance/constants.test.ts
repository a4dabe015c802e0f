import { describe, expect, test } from 'vitest';
import { askedFields, isAskedField } from '../../src/model/fields/asked-fields.ts';
import { readTracking } from '../../src/model/fields/tracking.ts';
import * as compensation from '../../src/model/rules/compensation.ts';
import { isOverLimit, limitYears } from '../../src/model/rules/limitation-years.ts';
import { parseSettings } from '../../src/server/settings/settings.ts';
import * as tables from './tables.ts';

describe('the statutes of limitations', () => {
  const rows = Object.entries(tables.statuteYears).flatMap(([years, states]) =>
    states.split(', ').map((state) => [state, Number(years)] as const),
  );

  test('cover exactly the fifty US states and DC', () => {
    expect(rows).toHaveLength(tables.STATUTE_ENTRIES);
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((first) => letters.map((second) => first + second));
    const known = codes.filter((code) => limitYears(code, 'coded') !== undefined);
    expect(known).toEqual(rows.map(([state]) => state).toSorted());
  });

  test.each(rows)('match the specification for the US state %s', (state, years) => {
    expect(limitYears(state, 'coded')).toBe(years);
    const today = { year: 2026, month: 11, day: 22 };
    const elapsed = (months: number) =>
      isOverLimit({
        state,
        age: { days: [0, 0], months: [months, months] },
        which: 'coded',
        today,
      });
    expect(elapsed(12 * years)).toBe(false);
    expect(elapsed(12 * years + 1)).toBe(true);
  });
});

test('the default settings have the values of the specification', () => {
  const AUTOMATION_WEBHOOK_URL = 'https://hooks.example.com/secret';
  const { site, destinations } = parseSettings({ AUTOMATION_WEBHOOK_URL });
  const { values } = destinations.find(({ definition }) => definition.name === 'automation') ?? {};
  const { states, statesWithoutPartialFault } = tables;
  expect(site.partialFaultStates.toSorted()).toEqual(
    states.filter((state) => !statesWithoutPartialFault.includes(state)).toSorted(),
  );
  expect(values?.BAD_WORDS_STATES).toEqual(expect.arrayContaining([...states]));
  expect(site).toMatchObject({
    dateOfBirthStates: tables.dateOfBirthStates,
    descriptionLimit: tables.DESCRIPTION_LIMIT,
    limitation: 'coded',
  });
});

describe('the compensation estimate', () => {
  test.each(tables.compensation.bands.map((band, index) => [index + 1, ...band] as const))(
    'has the amounts and the label of the specification at level %i',
    (level, from, to, label) => {
      for (const value of [from, to]) {
        expect(compensation.compensationBand(value)).toEqual({ level, from, to, label });
      }
    },
  );

  test('marks all amounts above the maximum at the same position of the scale', () => {
    const { maximum, markCap } = tables.compensation;
    expect(compensation.markPosition(maximum + 1)).toEqual(compensation.markPosition(markCap));
  });
});

describe('readTracking', () => {
  test.each(tables.trackingInputs)(
    'reads the query parameter %s into its lead field',
    (parameter, field) => {
      expect(readTracking(`?${parameter}=123`)).toHaveProperty(field, '123');
    },
  );

  test('returns the default value for a missing query parameter', () => {
    expect(readTracking('')).toMatchObject(tables.trackingDefaults);
    const unfilled = tables.trackingInputs.map(([parameter]) => `${parameter}={${parameter}}`);
    expect(readTracking(`?${unfilled.join('&')}`)).toMatchObject(tables.trackingDefaults);
  });
});

test.each(Object.entries(tables.wireValues))(
  'the field %s has the values of the specification',
  (name, values) => {
    if (!isAskedField(name)) throw new Error(`no step asks ${name}`);
    const field = askedFields[name];
    expect(field.values?.toSorted()).toEqual(values.toSorted());
  },
);
