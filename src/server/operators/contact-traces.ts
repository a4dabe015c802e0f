/** Finds visits by an answered e-mail address or phone number, with the indexes of migration 014. */

import type { Queryable } from '../storage/database.ts';
import type { Person } from './person.ts';

/** Blanks and invisible characters that are copied with an address. Lead fields are stored without them. */
const UNSEEN = '[[:space:]\\u00a0\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]';

// Must match the index expressions exactly, or PostgreSQL scans the whole table.
const EMAIL = `answers ? 'email' and lower(regexp_replace(answers->>'email', '${UNSEEN}', '', 'g')) = $1`;
const number = (name: string) =>
  `answers ? '${name}' and regexp_replace(regexp_replace(answers->>'${name}', '\\D', '', 'g'), '^1+', '') = $1`;

/** Returns a statement whose $1 is the normalised value. Posted forms are kept for one day only. */
function tracesOf(conditions: readonly string[]): string {
  return [
    ...conditions.map((condition) => `select lead_id from progress where ${condition}`),
    ...conditions.map(
      (condition) => `select lead_id from visits, jsonb_path_query(form, '$.state.*.*') as answers
        where form is not null and jsonb_typeof(answers) = 'object' and ${condition}`,
    ),
  ].join(' union ');
}

/** The statement that finds visits, by kind of value. */
const TRACES = {
  email: tracesOf([EMAIL]),
  phone: tracesOf([number('phone'), number('phoneNumber')]),
} as const;

/** Finds visits, with or without a lead, whose answers or rejected forms contain the person's address or number. */
export async function visitsOf(client: Queryable, { keys, value }: Person): Promise<string[]> {
  if (value === undefined) return [];
  const { rows } = await client.query<{ lead_id: string }>(TRACES[keys[0]?.kind ?? 'email'], [
    value,
  ]);
  return rows.map(({ lead_id }) => lead_id);
}
