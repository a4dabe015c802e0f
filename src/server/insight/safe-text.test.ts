import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvField, csvRecord, escapeControls } from './safe-text.ts';

test('a CSV parser reads the original text from csvField, except for added apostrophes', () => {
  const plain = (text: string) => text.replaceAll("'", '');
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom('a,b', '"', 'a"b', 'x\r\ny', '\n', '', ' ', 'ñ', '=1+1', 'a;=1', "'"),
  );
  fc.assert(
    fc.property(
      fc.array(fc.array(value, { minLength: 2, maxLength: 5 }), { minLength: 1 }),
      (rows) => {
        const text = rows.map(csvRecord).join('');
        const read: string[][] = parse(text, { relax_column_count: true });
        expect(read).toHaveLength(rows.length);
        read.forEach((record, row) => {
          expect(record).toHaveLength(rows[row]?.length ?? 0);
          record.forEach((field, column) => {
            const original = rows[row]?.[column] ?? '';
            expect(plain(field)).toBe(plain(original));
            const parts = original.split(/[;|\t\r\n]/).length;
            expect(field.length - original.length).toBeLessThanOrEqual(parts + 1);
          });
        });
      },
    ),
  );
});

test.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '=HYPERLINK("x")'])(
  'csvField adds an apostrophe to the formula %j',
  (formula) => {
    expect(csvField(formula).replace(/^"/, '').startsWith("'")).toBe(true);
  },
);

test.each(['-5', '+15125550123', '3.14', 'Ana', 'a=b', 'ana@example.com', '2026-07-01'])(
  'csvField does not change %j',
  (value) => {
    expect(csvField(value)).toBe(value);
  },
);

test('escapeControls escapes all control characters except line ends and tabs', () => {
  expect(escapeControls('a,\u001b]0;x\u0007\tb\r\n')).toBe('a,\\u001b]0;x\\u0007\tb\r\n');
  expect(escapeControls('hidden\rshown\u009b2J\u007f\u202e')).toBe(
    'hidden\\u000dshown\\u009b2J\\u007f\\u202e',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = escapeControls(JSON.stringify({ text }, null, 2));
      expect(JSON.parse(shown)).toEqual({ text });
      expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    }),
  );
});
