/** Reads CSV files of partners. Columns are found by their headings; a bad line loses only itself. */
import { CsvError, type Info, parse } from 'csv-parse/sync';
import { type BadLine, MOST_IMPORT_LINES } from '../../model/messages/console/people-requests.ts';
import { OperatorError, usage } from '../platform/operator-error.ts';

/** The value of each column in a line, without outer spaces. Empty: the line has none. */
type Cells<Column extends string> = Readonly<Record<Column, string>>;
type Row = { readonly record: readonly string[]; readonly line: number };

/**
 * Reads a CSV file. `headings` has the usual headings of each column, the most exact first. `columns` has the heading
 * in the file of each column that it has. @throws OperatorError `usage` if the file has more than 50,000 lines
 */
export function readTable<Column extends string>(
  csv: string,
  headings: Readonly<Record<Column, readonly string[]>>,
) {
  const refused: BadLine[] = [];
  const [head, ...rows] = readRows(csv.replace(/^\ufeff/, ''), refused);
  if (rows.length > MOST_IMPORT_LINES) {
    throw usage(`A file has at most ${MOST_IMPORT_LINES} lines: send it in parts.`);
  }
  const found = head?.record.map(plain) ?? [];
  const places = Object.entries<readonly string[]>(headings).map(([column, names]) => {
    const name = names.find((each) => found.includes(each)) ?? '';
    return [column, found.indexOf(name)] as const;
  });
  const cellsOf = (record: readonly string[] = []) =>
    Object.fromEntries(
      places.map(([column, place]) => [column, record[place]?.trim() ?? '']),
    ) as Cells<Column>;

  /** Reads each line. `read` throws an OperatorError that says why it cannot read one. */
  function readLines<Line>(read: (cells: Cells<Column>, line: number) => Line) {
    const lines: Line[] = [];
    for (const { record, line } of rows) {
      try {
        lines.push(read(cellsOf(record), line));
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        refused.push({ line, reason: error.message });
      }
    }
    return { lines, refused: refused.toSorted((a, b) => a.line - b.line) };
  }
  const columns = Object.entries<string>(cellsOf(head?.record)).filter(([, name]) => name !== '');
  return { columns: Object.fromEntries(columns) as Partial<Cells<Column>>, readLines };
}

const plain = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();

function readRows(csv: string, refused: BadLine[]): Row[] {
  const [start = ''] = csv.trimStart().split(/[\r\n]/, 1);
  const counts = [',', ';', '\t'].map((each) => [start.split(each).length, each] as const);
  const delimiter = counts.toSorted(([one], [other]) => other - one)[0]?.[1] ?? ',';
  const rowsOf = (text: string) =>
    parse(text, {
      delimiter,
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
    }) as unknown as { record: string[]; info: Info }[];
  try {
    return rowsOf(csv).map(({ record, info }) => ({ record, line: info.lines }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  // An unclosed quote would swallow the lines behind it, so each line is read on its own.
  return csv.split(/\r\n|\n|\r/).flatMap((text, index) => {
    try {
      return rowsOf(text).map(({ record }) => ({ record, line: index + 1 }));
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      refused.push({ line: index + 1, reason: 'A quote is not closed, or stands within a text.' });
      return [];
    }
  });
}

/**
 * Returns an amount in US dollars as cents, such as 123450 for `$1,234.50`.
 * Parentheses or a minus mean negative. Undefined if the text is no amount.
 */
export function centsOf(text: string): number | undefined {
  const bare = text.replaceAll(/[\s$]|USD/g, '').replace('−', '-');
  const [, open, digits, fraction = ''] =
    /^(\(|-)?(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d+))?\)?$/.exec(bare) ?? [];
  if (digits === undefined || (open === '(') !== bare.endsWith(')')) return undefined;
  // Counts in thousandths, because sums of binary fractions are inexact.
  const cents = Math.round(Number(fraction.padEnd(3, '0').slice(0, 3)) / 10);
  return (open === undefined ? 1 : -1) * (100 * Number(digits.replaceAll(',', '')) + cents);
}
