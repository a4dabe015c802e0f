import { type CalendarDate, daysBetween, isRealDate, parseIso, parseUs } from './dates.ts';
import { canBePersonsLine, phoneDigits } from './phone-format.ts';
import { hasEnoughWords, isLongEnough, withoutStop } from './text.ts';
import { DESCRIPTION_LIMIT_CHARACTERS, PHONE_DIGITS, ZIP_DIGITS } from './thresholds.ts';

export type FieldError =
  | 'required' // no answer, or 0 (docs/specification.md#yes-and-no)
  | 'invalid' // not a value, format or date that the field allows
  | ('too_short' | 'too_few_words' | 'too_long') // the length rules of phone, zip and free text
  | ('no_at' | 'has_space' | 'several') // why a text is not one e-mail address
  | 'too_many_digits' // a phone number with more than ten digits
  | 'in_future' // a date in the future
  | 'unknown_zip' // the zip check found no city, state, state_long or county
  | 'area_code' // a phone number whose area code starts with 1
  | 'not_reachable' // the phone or e-mail check refused it, or no person can have the number
  | 'doubtful'; // probably mistyped; the form asks once, then accepts the value (typos.ts)

type FieldKind =
  | 'choice'
  | 'text'
  | 'message'
  | 'name'
  | 'email'
  | 'phone'
  | 'zip'
  | 'month'
  | 'year'
  | 'day'
  | 'number'
  | 'description'
  | 'date';

/** The names of the three fields that together form a date. */
export type DateParts = { readonly year: string; readonly month: string; readonly day: string };

/** The rule of a field, which browser and server share. */
export type FieldRule = {
  readonly kind: FieldKind;
  /** The allowed values of a choice, in display order. */
  readonly values?: readonly string[];
  /** Maximum length of the normalised value, in characters. */
  readonly maxLength?: number;
  readonly optional?: true;
  /** Format of a whole date: `iso` is yyyy-MM-dd, `us` is MM/DD/YYYY. */
  readonly format?: 'iso' | 'us';
  readonly mayBeFuture?: true;
  readonly parts?: DateParts;
  readonly max?: number;
  /** True for a wish about the call. A drop-down list beside the phone number asks it. */
  readonly isCallWish?: true;
};

const emailPattern =
  /^([^<>()[\]\\.,;:\s@"]+(\.[^<>()[\]\\.,;:\s@"]+)*|"[^"]+")@(\[(\d{1,3}\.){3}\d{1,3}\]|([a-z\d-]+\.)+[a-z]{2,})$/i;

/** Characters that no visitor types: control, direction and zero-width characters. */
const invisible = /[\p{Cc}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Returns the error of an e-mail address, or undefined if the address is valid. */
export function emailError(text: string): FieldError | undefined {
  if (emailPattern.test(text)) return undefined;
  const marks = text.split('@').length - 1;
  if (marks === 0) return 'no_at';
  if (marks > 1 && /[ ,;/]/.test(text)) return 'several';
  return text.includes(' ') ? 'has_space' : 'invalid';
}

/** Returns whether a value is ASCII text without superfluous blanks. */
export function isPlain(value: string): boolean {
  return /^[!-~]+(?: [!-~]+)*$/.test(value);
}

function oneLine(value: string): string {
  if (isPlain(value)) return value;
  return value
    .replace(/\s+/g, ' ')
    .replace(invisible, '')
    .normalize('NFC')
    .trim()
    .replace(/ +/g, ' ');
}

function severalLines(value: string): string {
  if (isPlain(value)) return value;
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(invisible, (character) => (character === '\n' ? character : ''))
    .normalize('NFC')
    .trim();
}

/** Returns the member of `values` that equals the text except for upper and lower case. */
export function inOwnCase(values: readonly string[], text: string): string {
  if (values.includes(text)) return text;
  const folded = text.toLowerCase();
  return values.find((each) => each.toLowerCase() === folded) ?? text;
}

function padNumber(value: string, width: number): string {
  return /^\d+$/.test(value) ? value.replace(/^0+(?=\d)/, '').padStart(width, '0') : value;
}

/** Returns the canonical form of a value, such as the digits of a phone number. */
export function normaliseValue(field: FieldRule, value: string): string {
  if (field.kind === 'description' || field.kind === 'message') return severalLines(value);
  const line = oneLine(value);
  switch (field.kind) {
    case 'choice':
      return inOwnCase(field.values ?? [], line);
    case 'phone':
      return phoneDigits(line);
    case 'zip': {
      const zip = /^(\d{5})(?:[- ]?\d{4})?$/.exec(line);
      return zip?.[1] ?? line;
    }
    case 'email': {
      const email = withoutStop(line);
      const at = email.lastIndexOf('@');
      return at < 0 ? email : email.slice(0, at) + email.slice(at).toLowerCase();
    }
    case 'month':
    case 'day':
      return padNumber(line, 2);
    case 'number': {
      const number = /^\$? ?(\d[\d,]*)(\.0*)?$/.exec(line);
      return number ? padNumber(number[1]!.replaceAll(',', ''), 1) : line;
    }
    default:
      return line;
  }
}

export type CheckContext = {
  readonly today: CalendarDate;
  /** Maximum length of a case description, in characters. */
  readonly descriptionLimit?: number | undefined;
  /** `length_only` means: check only the number of digits (docs/specification.md#phone-check). */
  readonly phoneCheck?: 'length_only' | undefined;
  /** The visitor's other answers, such as the other parts of a date. */
  readonly answers?: Readonly<Partial<Record<string, string>>>;
};

function checkDatePart(
  field: FieldRule,
  value: string,
  { today, answers = {} }: CheckContext,
): FieldError | undefined {
  const number = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  const part = (key: 'year' | 'month'): number =>
    Number(answers[field.parts?.[key] ?? ''] || Number.NaN);
  if (field.kind === 'year') {
    if (!(number >= today.year - 120)) return 'invalid';
    return number > today.year ? 'in_future' : undefined;
  }
  const year = part('year');
  const month = field.kind === 'month' ? number : part('month');
  const day = field.kind === 'day' ? number : 1;
  // Replaces a missing year by a leap year, so that February 29 is valid.
  const date = { year: year || 2000, month: month || 1, day };
  if (Number.isNaN(number) || !isRealDate(date)) return 'invalid';
  return year && month && daysBetween(today, date) > 0 ? 'in_future' : undefined;
}

/** Returns the first error of a value, or undefined (docs/specification.md#field-checks). */
export function checkValue(
  field: FieldRule,
  value: string | undefined,
  context: CheckContext,
): FieldError | undefined {
  const normal = normaliseValue(field, value ?? '');
  const isEmpty =
    normal === '' ||
    (/^0+$/.test(normal) && !['zip', 'number', 'text', 'message'].includes(field.kind));
  if (isEmpty) {
    // The phone number is empty because the visitor typed a text without digits.
    if (field.kind === 'phone' && value?.trim()) return 'too_short';
    return field.optional ? undefined : 'required';
  }
  if (field.maxLength !== undefined && normal.length > field.maxLength) return 'too_long';
  switch (field.kind) {
    case 'choice':
      return field.values?.includes(normal) ? undefined : 'invalid';
    case 'email':
      return emailError(normal);
    case 'phone':
      if (normal.length < PHONE_DIGITS) return 'too_short';
      if (normal.length > PHONE_DIGITS) return 'too_many_digits';
      if (context.phoneCheck) return undefined;
      if (normal.startsWith('1')) return 'area_code';
      if (normal.startsWith('0')) return 'invalid';
      return canBePersonsLine(normal) ? undefined : 'not_reachable';
    case 'zip':
      if (/^\d+$/.test(normal) && normal.length < ZIP_DIGITS) return 'too_short';
      return /^\d{5}$/.test(normal) ? undefined : 'invalid';
    case 'year':
    case 'month':
    case 'day':
      return checkDatePart(field, normal, context);
    case 'number':
      return /^\d+$/.test(normal) && Number(normal) <= (field.max ?? Number.MAX_SAFE_INTEGER)
        ? undefined
        : 'invalid';
    case 'description':
      if (!isLongEnough(normal)) return 'too_short';
      if (!hasEnoughWords(normal)) return 'too_few_words';
      return normal.length > (context.descriptionLimit ?? DESCRIPTION_LIMIT_CHARACTERS)
        ? 'too_long'
        : undefined;
    case 'date': {
      const date = field.format === 'us' ? parseUs(normal) : parseIso(normal);
      if (date === undefined) return 'invalid';
      return !field.mayBeFuture && daysBetween(context.today, date) > 0 ? 'in_future' : undefined;
    }
    default:
      return undefined;
  }
}
