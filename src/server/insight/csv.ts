/** Writes CSV (RFC 4180) that is safe to open in a spreadsheet. */

/** What most fields are: no character of the expressions below, and no formula. */
const PLAIN = /^[A-Za-z0-9][^",;|\t\r\n]*$/;
/** Characters that RFC 4180 wants quoted, and every other separator at which some spreadsheet splits. */
const NEEDS_QUOTES = /[",;|\t\r\n]/;
/**
 * Separators at which some spreadsheets start a new cell, depending on locale or import settings. They ignore
 * our quotes there, which do not open the cell.
 */
const SEPARATORS = /([;|\t\r\n])/;
/** The start of a text that a spreadsheet runs as a formula, including the full-width characters. */
const FORMULA = /^[\s\u00a0"]*[=+\-@＝＋－＠]/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/**
 * Returns one CSV field. Visitors write these texts, so any part that a spreadsheet could run as a formula gets
 * an apostrophe in front. Plain numbers are left alone.
 */
export function csvField(value: string): string {
  if (value === '' || PLAIN.test(value)) return value;
  if (!NEEDS_QUOTES.test(value)) return isFormula(value) ? `'${value}` : value;
  const parts = value.split(SEPARATORS);
  const harmless = parts.map((part) => (isFormula(part) ? `'${part}` : part)).join('');
  const safe = /^[\t\r]/.test(harmless) ? `'${harmless}` : harmless;
  return `"${safe.replaceAll('"', '""')}"`;
}

function isFormula(part: string): boolean {
  return FORMULA.test(part) && !NUMBER.test(part);
}

/** Returns one CSV record with its line end (CRLF). */
export function csvRecord(values: readonly string[]): string {
  // A record of one empty field would otherwise be an empty line.
  if (values.length === 1 && values[0] === '') return '""\r\n';
  return `${values.map(csvField).join(',')}\r\n`;
}
