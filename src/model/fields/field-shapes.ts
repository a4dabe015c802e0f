import {
  type GenericSchema,
  literal,
  maxLength,
  picklist,
  pipe,
  regex,
  string,
  union,
  uuid,
} from 'valibot';
import {
  type AskedField,
  type AskedFieldName,
  askedFields,
  type FieldError,
  normaliseField,
} from './asked-fields.ts';
import { inOwnCase, isPlain } from './field-rules.ts';

export type LeadFieldError = FieldError | 'wrong_type';

/** The schema, normalisation and maximum length of a lead field. */
export type FieldShape = {
  readonly schema: GenericSchema<unknown, string>;
  /** Maximum length of a stored value, in characters. */
  readonly maxLength: number;
  readonly normalise: (value: string) => string;
  readonly errors: readonly LeadFieldError[];
  readonly isFree?: true;
  /** True if an ad network inserts the value. A value that was not inserted is a placeholder. */
  readonly isTemplated?: true;
};

const TEXT_CHARACTERS = 500;
const NUL = /\0/g;

/** Trims a text, and removes the characters that PostgreSQL refuses. */
function tidy(value: string): string {
  if (isPlain(value)) return value;
  return value.replace(NUL, '').toWellFormed().normalize('NFC').trim();
}

/** Returns the shape of any text up to `longest` characters. */
export function limited(longest: number): FieldShape {
  return {
    schema: pipe(string(), maxLength(longest)),
    maxLength: longest,
    normalise: tidy,
    errors: ['wrong_type', 'too_long'],
    isFree: true,
  };
}

function shaped(
  schema: GenericSchema<unknown, string>,
  longest: number,
  normalise = tidy,
): FieldShape {
  const orEmpty = union([literal(''), schema]);
  return { schema: orEmpty, maxLength: longest, normalise, errors: ['wrong_type', 'invalid'] };
}

/** Returns the shape of a field that accepts only these values, in upper or lower case. */
export function folded(...values: string[]): FieldShape {
  const longest = Math.max(...values.map((value) => value.length));
  return shaped(picklist(values), longest, (value) => inOwnCase(values, tidy(value)));
}

export const text = limited(TEXT_CHARACTERS);
export const longText = limited(10_000);
export const address = limited(2000);
/** The shape of an ad network's click id. The limit is high, because a truncated id is useless. */
export const clickValue: FieldShape = { ...limited(2000), isTemplated: true };
export const templatedText: FieldShape = { ...text, isTemplated: true };
export const yesNo = folded('yes', 'no');
export const zeroOne = folded('0', '1');
export const wholeNumber = shaped(pipe(string(), regex(/^-?\d{1,9}$/)), 10);
export const id: FieldShape = {
  ...shaped(pipe(string(), regex(/^\d{1,12}$/)), 12),
  isTemplated: true,
};
/** The shape of the 40 hexadecimal digits that end a TrustedForm certificate's URL. */
export const certificateId: FieldShape = {
  ...shaped(pipe(string(), regex(/^[\da-f]{40}$/)), 40, (value) => tidy(value).toLowerCase()),
  isTemplated: true,
};
export const certificateAddress = shaped(
  pipe(string(), regex(/^https?:\/\/[\w.-]+(:\d{1,5})?\/[\da-f]{40}$/i)),
  200,
);
export const isoDate = shaped(pipe(string(), regex(/^\d{4}-\d{2}-\d{2}$/)), 10);
export const leadId = shaped(pipe(string(), uuid()), 36, (value) => tidy(value).toLowerCase());

/** Returns the shape of a field that flows ask. */
export function asAsked(name: AskedFieldName): FieldShape {
  const field: AskedField = askedFields[name];
  const longest = field.kind === 'description' ? 10_000 : (field.maxLength ?? TEXT_CHARACTERS);
  return {
    schema: pipe(string(), maxLength(longest)),
    maxLength: longest,
    normalise: (value) => normaliseField(name, value),
    errors: ['wrong_type', ...field.errors],
    isFree: true,
  };
}
