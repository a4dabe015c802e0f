import { expect, it } from 'vitest';
import { accidentAge } from './accident-age.ts';
import { limitationTable } from './limitation.ts';
import { isOverLimit, limitYears } from './limitation-years.ts';

const today = { year: 2026, month: 11, day: 22 };

it('limitationTable contains the present limit of each state that changed its law', () => {
  const moved = limitationTable.filter((row) => row.present);
  expect(Object.fromEntries(moved.map((row) => [row.code, row.present?.years]))).toEqual({
    FL: 2,
    LA: 2,
    KY: 2,
    MN: 6,
  });
  for (const row of moved) expect(row.present?.source).not.toBe('');
  expect(limitYears('FL', 'present')).toBe(2);
  expect(limitYears('FL', 'present', { year: 2023, month: 3, day: 23 })).toBe(4);
  expect(limitYears('FL', 'present', { year: 2023, month: 3, day: 24 })).toBe(2);
  expect(limitYears('LA', 'present', { year: 2024, month: 7, day: 1 })).toBe(1);
  expect(limitYears('LA', 'present', { year: 2024, month: 7, day: 2 })).toBe(2);
  expect(limitYears('TX', 'present')).toBe(2);
});

const isOver = (state: string, day = today) =>
  isOverLimit({
    state,
    age: accidentAge({ accident_date_button: 'Over 2 Years' }, day)!,
    which: 'present',
    today: day,
  });

it('isOverLimit is false if a state’s former law may still allow a claim', () => {
  expect(isOver('LA')).toBe(true);
  expect(isOver('KY')).toBe(true);
  expect(isOver('MN')).toBe(false);
  // Florida's former law allows four years for accidents up to 2023-03-23.
  expect(isOver('FL')).toBe(false);
  expect(isOver('FL', { year: 2027, month: 4, day: 23 })).toBe(true);
});
