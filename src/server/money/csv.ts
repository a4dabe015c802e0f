/** Reads CSV files of partners. Finds columns by their headings, and skips bad lines. */
import { CsvError, type Info, parse } from 'csv-parse/sync';
import { parseIso } from '../../model/fields/dates.ts';
import { type BadLine, MOST_IMPORT_LINES } from '../../model/messages/console/people-requests.ts';
import { OperatorError, usage } from '../platform/operator-error.ts';

/** The value of each column in a line, without outer spaces. Empty: the line has none. */
type Cells<Column extends string> = Readonly<Record<Column, string>>;

/**
 * Reads a CSV file. `headings` has the usual headings of each column, the most exact first. `read` throws an
 * OperatorError that says why it cannot read a line. `columns` maps each column that was found to its heading.
 * @throws OperatorError `usage` if a quote is not closed, or the file has more than 50,000 lines
 */
export function readTable<Column extends string, Line>(
  csv: string,
  headings: Readonly<Record<Column, readonly string[]>>,
  read: (cells: Cells<Column>, line: number, columns: Partial<Cells<Column>>) => Line,
) {
  const columns: Partial<Record<Column, string>> = {};
  const names = Object.keys(headings) as Column[];
  const columnsOf = (head: readonly string[]) => {
    for (const name of names) {
      const found = headings[name].map((each) => head.find((one) => plain(one) === each));
      const heading = found.find((each) => each !== undefined);
      if (heading !== undefined) columns[name] = heading;
    }
    // Of two equal headings, the first one counts.
    return head.map((heading, place) => {
      const name = names.find((each) => columns[each] === heading);
      return name !== undefined && head.indexOf(heading) === place ? name : false;
    });
  };
  const lines: Line[] = [];
  const refused: BadLine[] = [];
  const rows = parseRows<Column>(csv, columnsOf);
  if (rows.length > MOST_IMPORT_LINES) {
    throw usage(`A file has at most ${MOST_IMPORT_LINES} lines: send it in parts.`);
  }
  for (const { record, info } of rows) {
    const cells = Object.fromEntries(names.map((name) => [name, record[name]?.trim() ?? '']));
    try {
      lines.push(read(cells as Cells<Column>, info.lines, columns));
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      refused.push({ line: info.lines, reason: error.message });
    }
  }
  return { columns, lines, refused };
}

const plain = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();

function parseRows<Column>(csv: string, columns: (head: string[]) => (Column | false)[]) {
  const [head = ''] = csv.trimStart().split(/[\r\n]/, 1);
  const delimiter = [';', '\t'].find((each) => head.includes(each)) ?? ',';
  const usual = { bom: true, info: true, skip_empty_lines: true, relax_column_count: true };
  try {
    return parse(csv, { ...usual, delimiter, columns: columns as never }) as unknown as {
      readonly record: Partial<Record<Column & string, string>>;
      readonly info: Info;
    }[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = csv.split('\n').findIndex((text) => text.split('"').length % 2 === 0) + 1;
    throw usage(`A quote is not closed, or stands within a text: see line ${line}.`);
  }
}

/** Returns the day of `2026-11-03 14:00` or `11/3/2026` as `2026-11-03`. Undefined: the text has none. */
export function dayIn(text: string): string | undefined {
  const [, month = '', day = '', year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(text) ?? [];
  const iso = year
    ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    : text.slice(0, 10);
  return parseIso(iso) && iso;
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
