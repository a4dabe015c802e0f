/** A posted body taken apart into lead fields. */
import { array, boolean, finite, number, pipe, safeParse, string, union } from 'valibot';
import {
  type AskedFieldName,
  askedFields,
  checkField,
  type FieldError,
  isAskedField,
} from './asked-fields.ts';
import { type CalendarDate, parseIso } from './dates.ts';
import { type FieldShape, isoDate, type LeadFieldError } from './field-shapes.ts';
import { isLeadField, type LeadFieldName, leadFields } from './lead-fields.ts';

/** A value that breaks a rule: as it came, with what is wrong with it. */
export type LeadFieldProblem = {
  readonly field: LeadFieldName;
  readonly error: LeadFieldError;
  readonly value: unknown;
};

/** A posted body taken apart; nothing of it is lost. */
export type ParsedLeadFields = {
  /** Normalised values that can be stored and used. */
  fields: Partial<Record<LeadFieldName, string>>;
  /** Values that break a rule. Those that only break a question's rule are in `fields` as well. */
  problems: LeadFieldProblem[];
  /** Everything under a name that is no lead field; a body that is no object is under `''`. */
  unknown: Record<string, unknown>;
};

const scalar = union([string(), pipe(number(), finite()), boolean()]);
const list = array(scalar);

/** One posted value as text: numbers and yes-or-no values written out, lists joined by a comma. */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const single = safeParse(scalar, value);
  if (single.success) {
    if (typeof single.output === 'boolean') return single.output ? 'yes' : 'no';
    return String(single.output);
  }
  const several = safeParse(list, value);
  return several.success ? several.output.map(String).join(',') : undefined;
}

/** Rules of a question that a stored value may break: it is usable text, only not a good answer. */
const storableErrors: readonly LeadFieldError[] = ['too_short', 'too_few_words', 'in_future'];

function checkShape(shape: FieldShape, value: string): LeadFieldError | undefined {
  const { schema, isFree, maxLength: longest } = shape;
  if (value.length > longest) return shape.errors.includes('too_long') ? 'too_long' : 'invalid';
  if (isFree) return undefined;
  if (!safeParse(schema, value).success) return 'invalid';
  return schema === isoDate.schema && parseIso(value) === undefined ? 'invalid' : undefined;
}

/** The last day that a date can have: stands in for today where nothing is to lie ahead. */
const END_OF_CALENDAR: CalendarDate = { year: 9999, month: 12, day: 31 };
const EARLIEST_YEAR = 1900;

/** The question's own rules; without a day to compare with, a date need only be real. */
function checkAsked(
  name: AskedFieldName,
  value: string,
  answers: Readonly<Partial<Record<string, string>>>,
  options: { readonly today?: CalendarDate; readonly descriptionLimit?: number },
): FieldError | undefined {
  if (options.today === undefined && askedFields[name].kind === 'year') {
    return /^\d{4}$/.test(value) && Number(value) >= EARLIEST_YEAR ? undefined : 'invalid';
  }
  const { descriptionLimit } = options;
  const today = options.today ?? END_OF_CALENDAR;
  const context =
    descriptionLimit === undefined ? { today, answers } : { today, answers, descriptionLimit };
  const error = checkField(name, value, context);
  return error === 'required' ? 'invalid' : error;
}

/**
 * Takes a posted body apart. Never throws and never drops: a value that cannot be used comes back in
 * `problems` as it came, a name that is no lead field in `unknown`. Empty strings and null are no
 * answer and no problem; they are left out of `fields`.
 *
 * @param body The parsed JSON body, of any shape.
 * @param options `today`: the day against which dates are checked; without it, dates are checked for
 *   being real but not for lying ahead. `descriptionLimit`: in characters, default 1000.
 */
export function parseLeadFields(
  body: unknown,
  options: { readonly today?: CalendarDate; readonly descriptionLimit?: number } = {},
): ParsedLeadFields {
  const parsed: ParsedLeadFields = { fields: {}, problems: [], unknown: {} };
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    if (body !== undefined) parsed.unknown[''] = body;
    return parsed;
  }
  const texts = parsed.fields;
  // Out of `fields` at the end: until then a part of a date is checked against the others, right or wrong.
  const refused: LeadFieldName[] = [];
  const raw = body as Record<string, unknown>;
  for (const name of Object.keys(raw)) {
    const value = raw[name];
    if (!isLeadField(name)) {
      // A plain assignment would take the name __proto__ for the object's prototype.
      Object.defineProperty(parsed.unknown, name, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
      continue;
    }
    if (value === null || value === undefined) continue;
    const asString = asText(value);
    if (asString === undefined) {
      parsed.problems.push({ field: name, error: 'wrong_type', value });
      continue;
    }
    texts[name] = leadFields[name].normalise(asString);
  }
  for (const name of Object.keys(texts) as LeadFieldName[]) {
    const value = texts[name] as string;
    const given = raw[name];
    const shape: FieldShape = leadFields[name];
    let error: LeadFieldError | undefined;
    if (value === '') {
      // Something was sent of which nothing is left, such as a phone number of letters.
      error = String(given).trim() === '' ? undefined : 'invalid';
    } else {
      error = checkShape(shape, value);
      if (!error && isAskedField(name)) error = checkAsked(name, value, texts, options);
    }
    if (error) parsed.problems.push({ field: name, error, value: given });
    const isDescriptionOverLimit = error === 'too_long' && value.length <= shape.maxLength;
    const isUsable = !error || storableErrors.includes(error) || isDescriptionOverLimit;
    if (value === '' || !isUsable) refused.push(name);
  }
  for (const name of refused) delete parsed.fields[name];
  return parsed;
}
