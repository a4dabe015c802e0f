/** Reads the suppression list: by person, and the newest entries. */
import type { Queryable } from '../storage/database.ts';
import { findPerson, leadsOf, type People } from './person.ts';

/** An entry of the list. The start of its key recognises it without naming the person. */
export type ListedKey = {
  readonly keyStart: string;
  readonly kind: 'email' | 'phone';
  readonly actor: string;
  readonly createdAt: Date;
  readonly isOfRequest: boolean;
};

const COLUMNS = `left(key, 12) as "keyStart", kind, actor, created_at as "createdAt",
  request_id is not null as "isOfRequest"`;

/** Looks up a person by e-mail address, phone number or lead id. @throws OperatorError as `findPerson` */
export async function lookUpSuppression(
  { pool, personKey }: People,
  text: string,
): Promise<{ readonly entries: readonly ListedKey[]; readonly leads: number }> {
  const { keys } = await findPerson(pool, personKey, text);
  const [{ rows }, leads] = await Promise.all([
    pool.query<ListedKey>(
      `select ${COLUMNS} from suppressions where key = any($1::text[]) order by created_at, key`,
      [keys.map(({ key }) => key)],
    ),
    leadsOf(pool, keys),
  ]);
  return { entries: rows, leads: leads.length };
}

/** Lists entries, newest first. `after` is the `next` of the page before. */
export async function listSuppressions(
  client: Queryable,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<{ readonly entries: readonly ListedKey[]; readonly next: string | null }> {
  const { rows } = await client.query<ListedKey & { place: string }>(
    `select ${COLUMNS}, created_at::text || '~' || left(key, 12) as place from suppressions
     where (created_at, key) < (split_part($1, '~', 1)::timestamptz, split_part($1, '~', 2))
     order by created_at desc, key desc limit $2`,
    [after ?? 'infinity~', limit + 1],
  );
  const entries = rows.slice(0, limit);
  return { entries, next: rows.length > limit ? (entries.at(-1)?.place ?? null) : null };
}
