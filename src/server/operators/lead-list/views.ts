/** Saved views of the list of leads: a filter with columns, one's own or shared with all operators. */
import { randomUUID } from 'node:crypto';
import type { NewView, SavedView } from '../../../contract/console/leads.ts';
import type { Queryable } from '../../storage/database.ts';
import { OperatorError, refused } from '../operator-error.ts';
import { namesPerson, parseLeadFilter } from './filter.ts';

const MOST_VIEWS = 50;
const COLUMNS = `id, name, filter, columns, is_shared as "isShared", owner`;

/** Returns the operator's views and those that others share, by name. */
export async function listViews(client: Queryable, owner: string): Promise<SavedView[]> {
  const { rows } = await client.query<SavedView>(
    `select ${COLUMNS} from saved_views where owner = $1
     union all select ${COLUMNS} from saved_views where is_shared and owner <> $1
     order by name, owner limit 500`,
    [owner],
  );
  return rows;
}

/**
 * Returns a view that can be saved, with the id of the owner's view of the same name, which it replaces.
 * @throws OperatorError when it has no name, a wrong filter, or a search for a person
 */
export async function checkView(
  client: Queryable,
  owner: string,
  view: NewView,
): Promise<SavedView> {
  const name = view.name.trim();
  if (name === '') throw new OperatorError('usage', 'Give the view a name.');
  const filter = parseLeadFilter(view.filter);
  if (namesPerson(filter)) {
    throw refused('A view cannot hold a search for a person. Clear the search, then save it.');
  }
  const same = await client.query<{ id: string }>(
    'select id from saved_views where owner = $1 and name = $2',
    [owner, name],
  );
  const { columns, isShared } = view;
  return { id: same.rows[0]?.id ?? randomUUID(), name, filter, columns, isShared, owner };
}

/** Saves a checked view. @throws OperatorError when it is one too many */
export async function saveView(client: Queryable, view: SavedView): Promise<SavedView> {
  const { id, owner, name, filter, columns, isShared } = view;
  const { rows } = await client.query<SavedView>(
    `insert into saved_views (id, owner, name, filter, columns, is_shared)
     select $1, $2, $3, $4, $5, $6 where exists (select 1 from saved_views where owner = $2 and name = $3)
       or (select count(*) from saved_views where owner = $2) < ${MOST_VIEWS}
     on conflict (owner, name) do update set filter = excluded.filter, columns = excluded.columns,
       is_shared = excluded.is_shared, saved_at = now()
     returning ${COLUMNS}`,
    [id, owner, name, JSON.stringify(filter), columns, isShared],
  );
  const [saved] = rows;
  if (saved === undefined) throw refused(`You have ${MOST_VIEWS} views. Delete one first.`);
  return saved;
}

type Deleter = { readonly email: string; readonly isAdmin: boolean };

/** Views that a person may delete: their own, and for an admin shared ones. $1: id. $2: address. $3: is an admin. */
const DELETABLE = 'saved_views where id = $1 and (owner = $2 or (is_shared and $3))';

/** Returns a view that the operator may delete. @throws OperatorError `not_found` */
export async function deletableView(
  client: Queryable,
  id: string,
  { email, isAdmin }: Deleter,
): Promise<SavedView> {
  const { rows } = await client.query<SavedView>(`select ${COLUMNS} from ${DELETABLE}`, [
    ...[id, email, isAdmin],
  ]);
  if (rows[0] !== undefined) return rows[0];
  throw new OperatorError('not_found', 'There is no such view, or it is not yours to delete.');
}

/** Deletes a view, if the operator may. */
export async function deleteView(
  client: Queryable,
  id: string,
  { email, isAdmin }: Deleter,
): Promise<void> {
  await client.query(`delete from ${DELETABLE}`, [id, email, isAdmin]);
}
