import type { Queryable } from '../storage/database.ts';

/** Which page of a list to read. `after` is the `next` of the page before. */
export type ListPage = { readonly after?: string | undefined; readonly limit: number };

/** Reads a page of a table's rows, newest first. `list.id` breaks ties; `$1` to `$3` are taken by the page. */
export async function readPage<Row extends object>(
  client: Queryable,
  { after = 'infinity~ffffffff-ffff-ffff-ffff-ffffffffffff', limit }: ListPage,
  list: {
    readonly columns: string;
    readonly table: string;
    readonly at: string;
    readonly id: string;
    /** SQL: the part of the id that `next` shows. Default: the whole id. */
    readonly shownId?: string;
    readonly where?: string;
    readonly values?: readonly unknown[];
  },
): Promise<{ rows: Row[]; next: string | null }> {
  const { columns, table, at, id, shownId = `${id}::text`, where = 'true', values = [] } = list;
  const [lastAt = '', lastId = ''] = after.split('~');
  const { rows } = await client.query<Row & { place: string }>(
    `select ${columns}, ${at}::text || '~' || ${shownId} as place from ${table} r
     where (${at}, ${id}) < ($1::timestamptz, $2) and ${where}
     order by ${at} desc, ${id} desc limit $3`,
    [lastAt, lastId, limit + 1, ...values],
  );
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? (page.at(-1)?.place ?? null) : null;
  return { rows: page.map(({ place: _, ...row }) => row as unknown as Row), next };
}
