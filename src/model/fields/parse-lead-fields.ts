import { array, boolean, finite, number, pipe, safeParse, string, union } from 'valibot';
import {
  type AskedFieldName,
  askedFields,
  checkField,
  type FieldError,
  isAskedField,
} from './asked-fields.ts';
import { type CalendarDate, parseIso } from './dates.ts';
import type { CheckContext } from './field-rules.ts';
import { type FieldShape, isoDate, type LeadFieldError } from './field-shapes.ts';
import { isLeadField, type LeadFieldName, leadFields } from './lead-fields.ts';

type LeadFieldProblem = {
  readonly field: LeadFieldName;
  readonly error: LeadFieldError;
  readonly value: unknown;
};

/** The result of parsing a posted body. */
type ParsedLeadFields = {
  fields: Partial<Record<LeadFieldName, string>>;
  /** The invalid values. */
  problems: LeadFieldProblem[];
  /** The posted values whose names are not lead fields. */
  unknown: Record<string, unknown>;
};

const scalar = union([string(), pipe(number(), finite()), boolean()]);
const list = array(scalar);

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

const storableErrors: readonly LeadFieldError[] = ['too_short', 'too_few_words', 'in_future'];

function checkShape(shape: FieldShape, value: string): LeadFieldError | undefined {
  const { schema, isFree, maxLength: longest } = shape;
  if (value.length > longest) return shape.errors.includes('too_long') ? 'too_long' : 'invalid';
  if (isFree) return undefined;
  if (!safeParse(schema, value).success) return 'invalid';
  return schema === isoDate.schema && parseIso(value) === undefined ? 'invalid' : undefined;
}

/** Replaces a missing `today`, so that no date is in the future. */
const END_OF_CALENDAR: CalendarDate = { year: 9999, month: 12, day: 31 };
const EARLIEST_YEAR = 1900;

/** Options of the checks. Without `today`, future dates are valid. */
type ParseOptions = Partial<Pick<CheckContext, 'today' | 'descriptionLimit' | 'phoneCheck'>>;

function checkAsked(
  name: AskedFieldName,
  value: string,
  answers: Readonly<Partial<Record<string, string>>>,
  options: ParseOptions,
): FieldError | undefined {
  if (options.today === undefined && askedFields[name].kind === 'year') {
    return /^\d{4}$/.test(value) && Number(value) >= EARLIEST_YEAR ? undefined : 'invalid';
  }
  const error = checkField(name, value, { today: END_OF_CALENDAR, answers, ...options });
  return error === 'required' ? 'invalid' : error;
}

/** Parses a posted body of any shape. Never throws. */
export function parseLeadFields(body: unknown, options: ParseOptions = {}): ParsedLeadFields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { fields: {}, problems: [], unknown: body === undefined ? {} : { '': body } };
  }
  const raw = body as Record<string, unknown>;
  const texts: Partial<Record<LeadFieldName, string>> = {};
  const problems: LeadFieldProblem[] = [];
  // `fromEntries` treats `__proto__` as an ordinary name. An assignment would set the prototype.
  const unknown = Object.fromEntries(Object.entries(raw).filter(([name]) => !isLeadField(name)));
  for (const [name, value] of Object.entries(raw)) {
    if (!isLeadField(name) || value === null || value === undefined) continue;
    const asString = asText(value);
    if (asString === undefined) problems.push({ field: name, error: 'wrong_type', value });
    else texts[name] = leadFields[name].normalise(asString);
  }
  // Deletes refused values after the loop, because the check of a day needs the month and the year.
  const refused: LeadFieldName[] = [];
  for (const name of Object.keys(texts) as LeadFieldName[]) {
    const value = texts[name] as string;
    const given = raw[name];
    const shape: FieldShape = leadFields[name];
    let error: LeadFieldError | undefined;
    if (value === '') {
      error = String(given).trim() === '' ? undefined : 'invalid';
    } else {
      error = checkShape(shape, value);
      if (!error && isAskedField(name)) error = checkAsked(name, value, texts, options);
    }
    if (error) problems.push({ field: name, error, value: given });
    const isDescriptionOverLimit = error === 'too_long' && value.length <= shape.maxLength;
    const isUsable = !error || storableErrors.includes(error) || isDescriptionOverLimit;
    if (value === '' || !isUsable) refused.push(name);
  }
  for (const name of refused) delete texts[name];
  return { fields: texts, problems, unknown };
}
