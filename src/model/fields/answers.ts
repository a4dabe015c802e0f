import type { AskedFieldName } from './asked-fields.ts';

export type { AskedFieldName } from './asked-fields.ts';

/** The visitor's answers so far, by lead field name. */
export type Answers = Readonly<Partial<Record<AskedFieldName, string>>>;

/** Returns whether an answer means yes, in any case. */
export function isYes(value: string | undefined): boolean {
  return value !== undefined && value.trim().toLowerCase() === 'yes';
}

/** Returns whether an answer means no, in any case. */
export function isNo(value: string | undefined): boolean {
  return value !== undefined && value.trim().toLowerCase() === 'no';
}
