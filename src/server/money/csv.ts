/** Reads CSV files of partners. Columns are found by their headings; a bad line loses only itself. */
import { CsvError, type Info, parse } from 'csv-parse/sync';
import { type BadLine, MOST_IMPORT_LINES } from '../../model/messages/console/people-requests.ts';
import { OperatorError, usage } from '../platform/operator-error.ts';

/** A line with the value of each column, without outer spaces. Empty: the line has none. */
export type TableLine<Column extends string> = {
  readonly line: number;
  readonly cells: Readonly<Record<Column, string>>;
};

export type Table<Column extends string> = {
  /** The heading in the file for each column that it has. */
  readonly columns: Readonly<Partial<Record<Column, string>>>;
  readonly lines: readonly TableLine<Column>[];
  readonly refused: readonly BadLine[];
};

type Row = { readonly record: readonly string[]; readonly line: number };

/**
 * Reads a CSV file. `headings` has the usual headings of each column, the most exact first.
 * @throws OperatorError `usage` if the file has more than 50,000 lines
 */
export function readTable<Column extends string>(
  csv: string,
  headings: Readonly<Record<Column, readonly string[]>>,
): Table<Column> {
  const refused: BadLine[] = [];
  const [head, ...rows] = readRows(csv.replace(/^\ufeff/, ''), refused);
  if (rows.length > MOST_IMPORT_LINES) {
    throw usage(`A file has at most ${MOST_IMPORT_LINES} lines: send it in parts.`);
  }
  const found = head?.record.map(plain) ?? [];
  const places = Object.entries<readonly string[]>(headings).flatMap(([column, names]) => {
    const name = names.find((each) => found.includes(each));
    return name === undefined ? [] : [[column, found.indexOf(name)] as const];
  });
  const lines = rows.map(({ record, line }) => {
    const cells = Object.keys(headings).map((column) => [column, '']);
    const given = places.map(([column, place]) => [column, record[place]?.trim() ?? '']);
    return { line, cells: Object.fromEntries([...cells, ...given]) };
  });
  const columns = places.map(([column, place]) => [column, head?.record[place]?.trim()]);
  return { columns: Object.fromEntries(columns), lines, refused };
}

/** Reads each line of a table. A line for which `read` throws an OperatorError is refused. */
export function readLines<Column extends string, Row>(
  table: Table<Column>,
  read: (cells: TableLine<Column>['cells'], line: number) => Row,
): { readonly read: Row[]; readonly refused: BadLine[] } {
  const refused = [...table.refused];
  const rows = table.lines.flatMap(({ cells, line }) => {
    try {
      return [read(cells, line)];
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      refused.push({ line, reason: error.message });
      return [];
    }
  });
  return { read: rows, refused: refused.toSorted((one, other) => one.line - other.line) };
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
