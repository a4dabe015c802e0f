import type { AskedFieldName } from './asked-fields.ts';

export type { AskedFieldName } from './asked-fields.ts';

/**
 * What the visitor has answered so far: lead field name to wire value, every value a string.
 * A field that was not asked, or not answered yet, is absent.
 */
export type Answers = Readonly<Partial<Record<AskedFieldName, string>>>;

/**
 * Whether an answer means yes. Case and outer blanks do not count (docs/specification.md#yes-and-no).
 */
export function isYes(value: string | undefined): boolean {
  return value !== undefined && value.trim().toLowerCase() === 'yes';
}

/**
 * Whether an answer means no. Case and outer blanks do not count (docs/specification.md#yes-and-no).
 */
export function isNo(value: string | undefined): boolean {
  return value !== undefined && value.trim().toLowerCase() === 'no';
}
