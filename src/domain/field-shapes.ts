/** The shapes of lead field values: schema, longest length, spelling and possible errors. */
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

/** What can be wrong with a lead field: the errors of a question, or a value of the wrong type. */
export type LeadFieldError = FieldError | 'wrong_type';

/** How the values of a field are normalised and checked. */
export type FieldShape = {
  /** The normalised value's schema. */
  readonly schema: GenericSchema<unknown, string>;
  /** Longest stored value, in characters. */
  readonly maxLength: number;
  /** The one spelling of a value; idempotent. */
  readonly normalise: (value: string) => string;
  /** Every error that the field can have. */
  readonly errors: readonly LeadFieldError[];
  /** Only its length is limited: the schema has nothing else to say. */
  readonly isFree?: true;
  /** Filled in by an ad network's template: a placeholder that nobody filled in goes out empty. */
  readonly isTemplated?: true;
};

/** Longest value of a field that has no limit of its own, in characters. */
const TEXT_CHARACTERS = 500;
const NUL = /\0/g;

/** Trimmed, composed, without what a database cannot hold (NUL, lone surrogates). */
function tidy(value: string): string {
  if (isPlain(value)) return value;
  return value.replace(NUL, '').toWellFormed().normalize('NFC').trim();
}

/** Any text of at most so many characters. */
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

/** One of some values, in any case. */
export function folded(...values: string[]): FieldShape {
  const longest = Math.max(...values.map((value) => value.length));
  return shaped(picklist(values), longest, (value) => inOwnCase(values, tidy(value)));
}

export const text = limited(TEXT_CHARACTERS);
export const longText = limited(10_000);
export const address = limited(2000);
/** What a click brings along: ad networks' ids grow, and a lead that loses one is paid to nobody. */
export const clickValue: FieldShape = { ...limited(2000), isTemplated: true };
export const templatedText: FieldShape = { ...text, isTemplated: true };
export const yesNo = folded('yes', 'no');
export const zeroOne = folded('0', '1');
export const wholeNumber = shaped(pipe(string(), regex(/^-?\d{1,9}$/)), 10);
export const id: FieldShape = {
  ...shaped(pipe(string(), regex(/^\d{1,12}$/)), 12),
  isTemplated: true,
};
/** A TrustedForm certificate: 40 hexadecimal digits. Its address ends in them; who may host it is a setting. */
export const certificateId: FieldShape = {
  ...shaped(pipe(string(), regex(/^[\da-f]{40}$/)), 40, (value) => tidy(value).toLowerCase()),
  isTemplated: true,
};
export const certificateAddress = shaped(
  pipe(string(), regex(/^https?:\/\/[\w.-]+(:\d{1,5})?(\/[\w-]+)?\/[\da-f]{40}$/i)),
  200,
);
export const isoDate = shaped(pipe(string(), regex(/^\d{4}-\d{2}-\d{2}$/)), 10);
export const leadId = shaped(pipe(string(), uuid()), 36, (value) => tidy(value).toLowerCase());

/** The limits and errors of a question, as a lead field. */
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
