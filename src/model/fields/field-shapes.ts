/** The shapes of lead fields: schema, longest value, normalisation and possible errors. */
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

/** An error of a lead field: a question's error, or a value of the wrong type. */
export type LeadFieldError = FieldError | 'wrong_type';

/** The normalisation and validation of one field. */
export type FieldShape = {
  /** Schema of the normalised value. */
  readonly schema: GenericSchema<unknown, string>;
  /** Longest stored value, in characters. */
  readonly maxLength: number;
  /** Returns the canonical spelling of a value; idempotent. */
  readonly normalise: (value: string) => string;
  readonly errors: readonly LeadFieldError[];
  /** The schema limits only the length. */
  readonly isFree?: true;
  /** An ad network's template fills the field in. An unfilled placeholder is sent as empty. */
  readonly isTemplated?: true;
};

/** Default length limit of a text. */
const TEXT_CHARACTERS = 500;
const NUL = /\0/g;

/** Trims a text, composes accents, and removes what PostgreSQL refuses (NUL, lone surrogates). */
function tidy(value: string): string {
  if (isPlain(value)) return value;
  return value.replace(NUL, '').toWellFormed().normalize('NFC').trim();
}

/** Returns the shape of a text of at most `longest` characters. */
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

/** Returns the shape of a choice between values, whose case is ignored. */
export function folded(...values: string[]): FieldShape {
  const longest = Math.max(...values.map((value) => value.length));
  return shaped(picklist(values), longest, (value) => inOwnCase(values, tidy(value)));
}

export const text = limited(TEXT_CHARACTERS);
export const longText = limited(10_000);
export const address = limited(2000);
/** A click's value. The limit is high because a lead without the ad network's whole id earns nothing. */
export const clickValue: FieldShape = { ...limited(2000), isTemplated: true };
export const templatedText: FieldShape = { ...text, isTemplated: true };
export const yesNo = folded('yes', 'no');
export const zeroOne = folded('0', '1');
export const wholeNumber = shaped(pipe(string(), regex(/^-?\d{1,9}$/)), 10);
export const id: FieldShape = {
  ...shaped(pipe(string(), regex(/^\d{1,12}$/)), 12),
  isTemplated: true,
};
/** The id of a TrustedForm consent certificate: 40 hexadecimal digits, the last part of its URL. */
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

/** Returns the shape of a question's lead field. */
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
