/** Escapes visitors' texts for spreadsheets and terminals. */

/** Matches characters that require quotes around a CSV field. */
const NEEDS_QUOTES = /[",;|\t\r\n]/;
/** Matches separators at which some spreadsheets start a new cell, even inside quotes. */
const SEPARATORS = /([;|\t\r\n])/;
/** Matches the beginning of a text that a spreadsheet would run as a formula. */
const FORMULA = /^[\s\u00a0"]*[=+\-@＝＋－＠]/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** Returns a text as a CSV field that spreadsheets do not run as a formula. */
export function csvField(value: string): string {
  if (!NEEDS_QUOTES.test(value)) return isFormula(value) ? `'${value}` : value;
  const parts = value.split(SEPARATORS);
  const harmless = parts.map((part) => (isFormula(part) ? `'${part}` : part)).join('');
  const safe = /^[\t\r]/.test(harmless) ? `'${harmless}` : harmless;
  return `"${safe.replaceAll('"', '""')}"`;
}

function isFormula(part: string): boolean {
  return FORMULA.test(part) && !NUMBER.test(part);
}

/** Returns a value as the text of a CSV field: JSON for objects. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns one CSV record with its line end (CRLF). */
export function csvRecord(values: readonly string[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

/** Matches characters that control a terminal or the text direction, except line ends and tabs. */
const STEERS = /[[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]--[\n\t\r]]|\r(?!\n)/gv;

/** Escapes control characters in CSV or JSON for the output on a terminal. */
export function escapeControls(text: string): string {
  return text.replace(
    STEERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
