/** CSV as RFC 4180 has it, safe to open in a spreadsheet. */

/** Beside what needs them, everything at which some spreadsheet splits a text that has none. */
const NEEDS_QUOTES = /[",;|\t\r\n]/;
/**
 * Where a spreadsheet of another country, or one told so when it opens the file, begins a new cell: it does
 * not see our quotes then, since they do not stand at the beginning of its cell. At a comma it does.
 */
const SEPARATORS = /([;|\t\r\n])/;
/** What spreadsheets take for the beginning of a formula, also in full-width form. */
const FORMULA = /^[\s\u00a0"]*[=+\-@＝＋－＠]/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/**
 * One field. A text that a spreadsheet would run as a formula gets an apostrophe in front (visitors
 * write these texts), and so does every part of it that would be one in a cell of its own; a plain number
 * does not, since it only stands for itself.
 */
export function csvField(value: string): string {
  const parts = value.split(SEPARATORS);
  const isFormula = (part: string) => FORMULA.test(part) && !NUMBER.test(part);
  const harmless = parts.map((part) => (isFormula(part) ? `'${part}` : part)).join('');
  const safe = /^[\t\r]/.test(harmless) ? `'${harmless}` : harmless;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One record with its line end (CRLF). */
export function csvRecord(values: readonly string[]): string {
  // A record of one empty field would otherwise be an empty line.
  if (values.length === 1 && values[0] === '') return '""\r\n';
  return `${values.map(csvField).join(',')}\r\n`;
}
