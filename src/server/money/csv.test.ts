import { expect, test } from 'vitest';
import { centsOf, readTable } from './csv.ts';

const headings = { id: ['lead id', 'id'], price: ['price', 'payout'], note: ['note'] };

/** Reads all lines of a file with their cells. */
function readAll(csv: string) {
  const { columns, readLines } = readTable(csv, headings);
  return { columns, ...readLines((cells, line) => ({ line, cells })) };
}

test('columns are found by the usual headings, whatever their spelling and separator', () => {
  const csv = '\ufeffDate;"Payout";LEAD_ID;Id\r\n;" $1,234.50 ";a1;x\r\n\r\nonly\r\n';
  expect(readAll(csv)).toEqual({
    columns: { id: 'LEAD_ID', price: 'Payout' },
    lines: [
      { line: 2, cells: { id: 'a1', price: '$1,234.50', note: '' } },
      { line: 4, cells: { id: '', price: '', note: '' } },
    ],
    refused: [],
  });
  expect(readAll('')).toEqual({ columns: {}, lines: [], refused: [] });
});

test('a quote that is not closed loses only its own line', () => {
  const { lines, refused } = readAll('id,price\na1,1\n"a2,2\na3,"3"\n');
  expect(lines.map(({ line, cells }) => [line, cells.id, cells.price])).toEqual([
    [2, 'a1', '1'],
    [4, 'a3', '3'],
  ]);
  expect(refused).toEqual([{ line: 3, reason: expect.stringContaining('not closed') }]);
});

test('a file of more than 50,000 lines is refused', () => {
  const csv = `id\n${'a\n'.repeat(50_001)}`;
  expect(() => readTable(csv, headings)).toThrow('at most 50000 lines');
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
