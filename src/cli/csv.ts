/** CSV as RFC 4180 has it, safe to open in a spreadsheet. */

const NEEDS_QUOTES = /[",\r\n]/;
/** What spreadsheets take for the beginning of a formula, also in full-width form. */
const FORMULA = /^[\s\u00a0]*[=+\-@＝＋－＠]|^[\t\r]/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/**
 * One field. A text that a spreadsheet would run as a formula gets an apostrophe in front (visitors
 * write these texts); a plain number does not, since it only stands for itself.
 */
export function csvField(value: string): string {
  const safe = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One record with its line end (CRLF). */
export function csvRecord(values: readonly string[]): string {
  // A record of one empty field would otherwise be an empty line.
  if (values.length === 1 && values[0] === '') return '""\r\n';
  return `${values.map(csvField).join(',')}\r\n`;
}
