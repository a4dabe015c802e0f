import { expect, test } from 'vitest';
import { centsOf, dayIn, readTable } from './csv.ts';

const headings = { id: ['lead id', 'id'], price: ['price', 'payout'], note: ['note'] };

const read = (csv: string) => readTable(csv, headings, (cells, line) => ({ line, cells }));

test('columns are found by the usual headings, whatever their spelling and separator', () => {
  const csv = '\ufeffDate;"Payout";LEAD_ID;Id;\r\n;" $1,234.50 ";a1;x;y\r\n\r\nonly\r\n';
  expect(read(csv)).toEqual({
    columns: { id: 'LEAD_ID', price: 'Payout' },
    lines: [
      { line: 2, cells: { id: 'a1', price: '$1,234.50', note: '' } },
      { line: 4, cells: { id: '', price: '', note: '' } },
    ],
    refused: [],
  });
  expect(read('')).toEqual({ columns: {}, lines: [], refused: [] });
});

test('the first of two columns with the same heading counts', () => {
  expect(read('id,price,price\na1,10,20\n').lines).toEqual([
    { line: 2, cells: { id: 'a1', price: '10', note: '' } },
  ]);
});

test('a file is refused with the line of a quote that is not closed', () => {
  expect(() => read('id,price\na1,1\n"a2,2\na3,3\n')).toThrow('see line 3');
});

test('a file of more than 50,000 lines is refused', () => {
  const csv = `id\n${'a\n'.repeat(50_001)}`;
  expect(() => read(csv)).toThrow('at most 50000 lines');
});

test.each([
  ['50', 5_000],
  ['$1,234.5', 123_450],
  ['1.005', 101],
  ['(12.30)', -1_230],
  ['-$0.10', -10],
  ['50.0000 USD', 5_000],
  ['50,00', undefined],
  ['1,23', undefined],
  ['(5', undefined],
  ['€5', undefined],
  ['', undefined],
])('the amount "%s" is %s cents', (text, cents) => expect(centsOf(text)).toBe(cents));

test.each([
  ['2026-11-03 14:00', '2026-11-03'],
  ['2026-11-03T14:00:00Z', '2026-11-03'],
  ['11/3/2026', '2026-11-03'],
  ['11/28/2026 2:00 PM', '2026-11-28'],
  ['13/1/2026', undefined],
  ['2026-02-30', undefined],
  ['Total', undefined],
  ['', undefined],
])('dayIn reads "%s" as %s', (text, day) => expect(dayIn(text)).toBe(day));
