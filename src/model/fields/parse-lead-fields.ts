import { checkField, isAskedField } from './asked-fields.ts';
import type { CheckContext, FieldError } from './field-rules.ts';
import { type FieldShape, LONGEST_TEXT } from './field-shapes.ts';
import { isLeadField, type LeadFieldName, leadFields } from './lead-fields.ts';

type LeadFieldError = FieldError | 'wrong_type';

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

function asText(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (!Array.isArray(value) || value.some((each) => typeof each === 'object')) return undefined;
  return value.map(String).join(',');
}

const storableErrors: readonly LeadFieldError[] = ['too_short', 'too_few_words', 'in_future'];

function checkShape(
  { isValid, maxLength = LONGEST_TEXT }: FieldShape,
  value: string,
): LeadFieldError | undefined {
  if (isValid) return isValid(value) ? undefined : 'invalid';
  return value.length > maxLength ? 'too_long' : undefined;
}

/** The default of `today`, so late that no accident is in the future. */
const END_OF_CENTURY = { year: 2100, month: 12, day: 31 };

/** Parses the values of a posted body, which may have any type. Never throws. */
export function parseLeadFields(
  raw: Readonly<Record<string, unknown>>,
  options: CheckContext = { today: END_OF_CENTURY },
): ParsedLeadFields {
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
    let error: LeadFieldError | undefined;
    if (value === '') error = String(given).trim() === '' ? undefined : 'invalid';
    else if (value.length > LONGEST_TEXT) error = 'too_long';
    else if (isAskedField(name)) error = checkField(name, value, { answers: texts, ...options });
    else error = checkShape(leadFields[name], value);
    // A posted value such as 0 is not missing, but answers nothing.
    if (error === 'required') error = 'invalid';
    if (error) problems.push({ field: name, error, value: given });
    const isDescriptionOverLimit =
      error === 'too_long' && name === 'case_description' && value.length <= LONGEST_TEXT;
    const isUsable = !error || storableErrors.includes(error) || isDescriptionOverLimit;
    if (value === '' || !isUsable) refused.push(name);
  }
  for (const name of refused) delete texts[name];
  return { fields: texts, problems, unknown };
}
