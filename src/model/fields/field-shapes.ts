import { type AskedFieldName, normaliseField } from './asked-fields.ts';
import { parseIso } from './dates.ts';
import { inOwnCase, isPlain } from './field-rules.ts';

/** The shape of a lead field's value. Fields that flows ask for have rules instead (`checkField`). */
export type FieldShape = {
  readonly normalise: (value: string) => string;
  readonly isValid?: (value: string) => boolean;
  /** Maximum length of a free text, in characters. */
  readonly maxLength?: number;
  /** True if an ad network inserts the value. A value that was not inserted is a placeholder. */
  readonly isTemplated?: true;
};

const NUL = /\0/g;

/** Trims a text, and removes the characters that PostgreSQL refuses. */
function tidy(value: string): string {
  if (isPlain(value)) return value;
  return value.replace(NUL, '').toWellFormed().normalize('NFC').trim();
}

/** Returns the shape of any text up to `maxLength` characters. */
export function limited(maxLength: number): FieldShape {
  return { normalise: tidy, maxLength };
}

/** Returns the shape of a field that accepts only these values, in upper or lower case. */
export function folded(...values: string[]): FieldShape {
  return {
    normalise: (value) => inOwnCase(values, tidy(value)),
    isValid: (value) => values.includes(value),
  };
}

function matching(pattern: RegExp): FieldShape {
  return { normalise: tidy, isValid: (value) => pattern.test(value) };
}

const lowerCase = (value: string) => tidy(value).toLowerCase();

/** Maximum length of the longest stored texts, in characters. */
export const LONGEST_TEXT = 10_000;

export const text = limited(500);
export const longText = limited(LONGEST_TEXT);
export const address = limited(2000);
/** The shape of an ad network's click id. The limit is high, because a truncated id is useless. */
export const clickValue: FieldShape = { ...limited(2000), isTemplated: true };
export const templatedText: FieldShape = { ...text, isTemplated: true };
export const yesNo = folded('yes', 'no');
export const zeroOne = folded('0', '1');
export const wholeNumber = matching(/^-?\d{1,9}$/);
export const id: FieldShape = { ...matching(/^\d{1,12}$/), isTemplated: true };
/** The shape of the 40 hexadecimal digits that end a TrustedForm certificate's URL. */
export const certificateId: FieldShape = {
  ...matching(/^[\da-f]{40}$/),
  normalise: lowerCase,
  isTemplated: true,
};
export const certificateAddress = matching(/^https?:\/\/[\w.-]{1,140}(:\d{1,5})?\/[\da-f]{40}$/i);
export const isoDate: FieldShape = {
  normalise: tidy,
  isValid: (value) => parseIso(value) !== undefined,
};
export const leadId: FieldShape = {
  ...matching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
  normalise: lowerCase,
};

/** Returns the shape of a field that flows ask. */
export function asAsked(name: AskedFieldName): FieldShape {
  return { normalise: (value) => normaliseField(name, value) };
}
