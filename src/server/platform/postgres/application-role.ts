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

/**
 * Creates or repairs the application's role, the owner of the database. Runs on every start; idempotent.
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
      alter database ${DATABASE} owner to ${APPLICATION_ROLE}`),
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
