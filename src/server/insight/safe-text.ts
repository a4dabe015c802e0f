/** Writes texts of visitors so that a file is safe: CSV (RFC 4180) in a spreadsheet, and any text on a terminal. */

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

/** Control characters, and characters that reverse the direction of text. */
const STEERS = /(?!\r\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes CSV or JSON safe for a terminal: writes control characters as `\u001b`, except line ends and tabs.
 * The value of JSON does not change.
 */
export function escapeControls(text: string): string {
  return text.replace(STEERS, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Escapes a text as it is streamed. */
export async function* escapedControls(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of text) yield escapeControls(part);
}
