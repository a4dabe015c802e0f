import type { AskedFieldName } from './asked-fields.ts';

export type { AskedFieldName } from './asked-fields.ts';

/** The visitor's answers so far, by lead field name. */
export type Answers = Readonly<Partial<Record<AskedFieldName, string>>>;

/** Returns whether an answer is yes, ignoring upper and lower case. */
export function isYes(value: string | undefined): boolean {
  return value !== undefined && value.trim().toLowerCase() === 'yes';
}

/** Returns whether an answer is no, ignoring upper and lower case. */
export function isNo(value: string | undefined): boolean {
  return value !== undefined && value.trim().toLowerCase() === 'no';
}
