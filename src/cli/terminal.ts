/** Formats text for terminals: colours, widths, wrapping. */
import process from 'node:process';
import { stripVTControlCharacters, styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** Colours a text if standard output is a terminal with colours. Respects NO_COLOR. */
export function paint(format: Format, text: string): string {
  return styleText(format, text, { stream: process.stdout, validateStream: true });
}

/** Returns the terminal's width, between 72 and 100 columns, or 100 without a terminal. */
export function outputWidth(): number {
  const columns = process.stdout.isTTY ? process.stdout.columns : 100;
  return Math.min(100, Math.max(72, columns || 100));
}

/**
 * Returns text by visitors or third parties on one line and without control characters, which could move the
 * cursor or change the screen.
 */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu,
    ' ',
  );
}

/** Breaks a text into lines of at most `width` characters, at spaces where possible. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    let rest = word;
    if (line !== '' && line.length + 1 + rest.length > width) {
      lines.push(line);
      line = '';
    }
    while (rest.length > width) {
      lines.push(rest.slice(0, width));
      rest = rest.slice(width);
    }
    line = line === '' ? rest : rest === '' ? line : `${line} ${rest}`;
  }
  if (line !== '' || lines.length === 0) lines.push(line);
  return lines;
}

export type Column<Row> = {
  title: string;
  value: (row: Row) => string;
  format?: (row: Row) => Format | undefined;
};

/** Returns a table with a line of titles and left-aligned columns, two spaces apart. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cells = rows.map((row) => columns.map((column) => plain(column.value(row))));
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const isLast = (index: number) => index === columns.length - 1;
  const pad = (text: string, index: number) =>
    isLast(index) ? text : text.padEnd((widths[index] ?? 0) + 2);
  const head = columns.map((column, index) => paint('bold', pad(column.title, index))).join('');
  const body = cells.map((row, rowIndex) =>
    row
      .map((cell, index) => {
        const source = rows[rowIndex];
        const format = source === undefined ? undefined : columns[index]?.format?.(source);
        return format === undefined ? pad(cell, index) : paint(format, pad(cell, index));
      })
      .join(''),
  );
  return [head, ...body].join('\n');
}
