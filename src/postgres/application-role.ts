/**
 * Roles of the embedded database. Only the supervisor uses the superuser. The application, its migrations and
 * its commands use a role that owns the database and cannot reach files or programs outside it.
 */
import { createHmac } from 'node:crypto';
import pg from 'pg';

/** The role that initialised the cluster. */
export const SUPERUSER = 'postgres';
/** The role that the application uses. */
const APPLICATION_ROLE = 'application';
const DATABASE = 'postgres';

/** The address on which the embedded database listens. */
export const HOST = '127.0.0.1';

function addressFor(role: string, password: string, port: number): string {
  return `postgres://${role}:${password}@${HOST}:${port}/${DATABASE}`;
}

/**
 * Returns the connection string of the application.
 *
 * @param superuserPassword as in the file `postgres-password`. The role's password is a one-way hash of it, so
 * no second file is needed and the superuser's password stays secret.
 */
export function applicationAddress(superuserPassword: string, port: number): string {
  return addressFor(APPLICATION_ROLE, applicationPassword(superuserPassword), port);
}

function applicationPassword(superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update(APPLICATION_ROLE).digest('hex');
}

/** Transfers everything that the superuser owns in our schemas to the role. */
const GIVE_OVER = `
do $$
declare
  statement text;
begin
  for statement in
    with ours as (
      select oid, nspname, nspowner from pg_namespace
      where nspname !~ '^pg_' and nspname <> 'information_schema'
    ), bound as (
      -- Objects of extensions, and sequences that follow their table.
      select classid, objid from pg_depend where deptype in ('e', 'i')
      union all
      select classid, objid from pg_depend where deptype = 'a' and refobjsubid > 0
        and classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass
    ), found as (
      select 1 as place, format('alter schema %I owner to ${APPLICATION_ROLE}', nspname) as text,
        'pg_namespace'::regclass as classid, oid
      from ours where nspowner = '${SUPERUSER}'::regrole
      union all
      select 2, format('alter table %s owner to ${APPLICATION_ROLE}', c.oid::regclass),
        'pg_class'::regclass, c.oid
      from pg_class c join ours on ours.oid = c.relnamespace
      where c.relowner = '${SUPERUSER}'::regrole and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
      union all
      select 3, format('alter routine %s owner to ${APPLICATION_ROLE}', p.oid::regprocedure),
        'pg_proc'::regclass, p.oid
      from pg_proc p join ours on ours.oid = p.pronamespace
      where p.proowner = '${SUPERUSER}'::regrole
      union all
      select 4, format('alter type %s owner to ${APPLICATION_ROLE}', t.oid::regtype),
        'pg_type'::regclass, t.oid
      from pg_type t join ours on ours.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
      where t.typowner = '${SUPERUSER}'::regrole
        and (t.typtype in ('e', 'd', 'r') or (t.typtype = 'c' and c.relkind = 'c'))
    )
    select text from found
    where not exists (select 1 from bound where bound.classid = found.classid and bound.objid = found.oid)
    order by place, text
  loop
    execute statement;
  end loop;
end $$`;

/**
 * Creates or repairs the application's role and transfers the database to it, including objects of an earlier
 * version or a restore. Runs on every start in one transaction; idempotent.
 *
 * @param superuserPassword as in the file `postgres-password`
 */
export async function ensureApplicationRole(
  superuserPassword: string,
  port: number,
): Promise<void> {
  const config = {
    connectionString: addressFor(SUPERUSER, superuserPassword, port),
    // The search path keeps the superuser from calling functions of the role. No password is logged.
    options: '-c search_path=pg_catalog -c log_statement=none -c log_min_duration_statement=-1',
  };
  await withClient(config, (client) =>
    client.query(`
      do $$ begin
        if not exists (select 1 from pg_roles where rolname = '${APPLICATION_ROLE}') then
          create role ${APPLICATION_ROLE};
        end if;
      end $$;
      alter role ${APPLICATION_ROLE} login nosuperuser nocreatedb nocreaterole noreplication
        nobypassrls password '${applicationPassword(superuserPassword)}';
      alter database ${DATABASE} owner to ${APPLICATION_ROLE};
      ${GIVE_OVER}`),
  );
}

/** Runs `use` on a separate connection. */
export async function withClient<Result>(
  config: pg.ClientConfig,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...config });
  client.on('error', () => undefined); // The query rejects with the same error.
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
