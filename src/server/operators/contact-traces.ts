/** Where an address or a number was answered in a survey, found by an index of migration 014. */
import type { Person } from './person.ts';
import type { Queryable } from './selection.ts';

/** Blanks and invisible characters that are copied with an address; a lead's fields are without them. */
const UNSEEN = '[[:space:]\\u00a0\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]';

// Written as the indexes are, to the letter: any other text of the same would read every step there is.
const EMAIL = `answers ? 'email' and lower(regexp_replace(answers->>'email', '${UNSEEN}', '', 'g')) = $1`;
const number = (name: string) =>
  `answers ? '${name}' and regexp_replace(regexp_replace(answers->>'${name}', '\\D', '', 'g'), '^1+', '') = $1`;

/** $1: the normalised value. Of forms there are only those of a day. */
function tracesOf(conditions: readonly string[]): string {
  return [
    ...conditions.map((condition) => `select lead_id from progress where ${condition}`),
    ...conditions.map(
      (condition) => `select lead_id from visits, jsonb_path_query(form, '$.state.*.*') as answers
        where form is not null and jsonb_typeof(answers) = 'object' and ${condition}`,
    ),
  ].join(' union ');
}

/** Finds visits by kind of value, as one statement each. */
export const TRACES = {
  email: tracesOf([EMAIL]),
  phone: tracesOf([number('phone'), number('phoneNumber')]),
} as const;

/**
 * Finds the visits, with a lead or without, in which an address or number was answered, or stands in a form
 * that was posted and not taken.
 */
export async function visitsOf(client: Queryable, { keys, value }: Person): Promise<string[]> {
  if (value === undefined) return [];
  const { rows } = await client.query<{ lead_id: string }>(TRACES[keys[0]?.kind ?? 'email'], [
    value,
  ]);
  return rows.map(({ lead_id }) => lead_id);
}
