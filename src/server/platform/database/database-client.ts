/**
 * Connections that also work through a connection pooler in transaction mode, such as PgBouncer, which may run each
 * transaction on another connection of the server (docs/decisions/0071-several-processes.md).
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Logger } from '../postgres/logger.ts';

/** A pooler between this process and the server. */
export type Pooler = {
  /** Whether it supports named statements, by giving them its own names on the server's connections. */
  readonly keepsStatements: boolean;
  /** Whether a single statement has a time limit, which only the role's or the database's settings can give it. */
  readonly limitsStatements: boolean;
};

/**
 * Sets the session's time limits after the start of the connection, because PgBouncer refuses them there, and sends a
 * statement's name only where named statements are kept for this connection.
 */
export class DatabaseClient extends pg.Client {
  readonly limits: Readonly<Record<string, number>>;
  readonly connectMs: number;
  pooler: Pooler | undefined;
  /** Begins a transaction. */
  begin = 'begin';

  constructor(config: pg.ClientConfig = {}) {
    const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout, ...rest } =
      config;
    super(rest);
    const given = { statement_timeout, lock_timeout, idle_in_transaction_session_timeout };
    this.limits = Object.fromEntries(
      Object.entries(given).flatMap(([name, ms]) => (typeof ms === 'number' ? [[name, ms]] : [])),
    );
    this.connectMs = config.connectionTimeoutMillis ?? 0;
    const send = this.query.bind(this) as (...given: unknown[]) => unknown;
    const query = (given: unknown, ...more: unknown[]) => {
      const isNameless = this.pooler?.keepsStatements === false && isNamed(given);
      return send(isNameless ? { ...given, name: undefined } : given, ...more);
    };
    this.query = query as typeof this.query;
  }
}

/** Returns whether this is a plain statement with a name; a cursor would have methods. */
function isNamed(given: unknown): given is pg.QueryConfig {
  return typeof given === 'object' && given !== null && 'name' in given && !('submit' in given);
}

/** Returns the statements that begin a transaction on a pool's client. */
export function beginOf(client: pg.ClientBase): string {
  return client instanceof DatabaseClient ? client.begin : 'begin';
}

/**
 * Prepares a new connection: sets the session's time limits or, through a pooler, lets each transaction set them.
 *
 * @returns the pooler, if one is between
 */
export async function prepareConnection(client: pg.ClientBase): Promise<Pooler | undefined> {
  if (!(client instanceof DatabaseClient)) throw new TypeError('The pool makes other clients');
  const names = Object.keys(client.limits);
  const values = Object.values(client.limits).map(String);
  const ask: Ask = async (config) => {
    const limited = { ...config, query_timeout: client.connectMs } as pg.QueryConfig;
    return (await client.query(limited)).rows[0];
  };
  // A pooler invents the process id that it gives a client.
  const { processID } = client as unknown as { processID: number };
  const found = await ask({
    text: `select pg_backend_pid() = $1::integer as "isDirect",
      current_setting('statement_timeout') <> '0' as "limitsStatements",
      (select count(set_config(name, value, false)) from unnest($2::text[], $3::text[]) as given(name, value)
        where pg_backend_pid() = $1::integer)`,
    values: [processID, names, values],
  });
  if (found?.isDirect) return undefined;
  const begin = names.map((name, index) => `set local ${name} = '${values[index]}'`);
  client.begin = ['begin', ...begin].join('; ');
  client.pooler = {
    keepsStatements: await keepsStatements(ask),
    limitsStatements: found?.limitsStatements === true,
  };
  return client.pooler;
}

type Ask = (query: pg.QueryConfig) => Promise<Record<string, boolean> | undefined>;

/** Returns whether the pooler supports named statements: the server then knows ours by another name. */
async function keepsStatements(ask: Ask): Promise<boolean> {
  const name = `probe-${randomBytes(8).toString('hex')}`;
  await ask({ text: 'begin' });
  const found = await ask({
    name,
    text: 'select exists (select from pg_prepared_statements where name = $1) as "isSame"',
    values: [name],
  });
  if (found?.isSame) await ask({ text: `deallocate "${name}"` });
  await ask({ text: 'commit' });
  return found?.isSame !== true;
}

/** Tells operators what the pooler changes. */
export function logPooler({ keepsStatements, limitsStatements }: Pooler, log: Logger): void {
  log.info(
    { preparedStatements: keepsStatements },
    'A connection pooler is between the server and its database',
  );
  if (limitsStatements) return;
  log.warn(
    'Single statements have no time limit, because the connection pooler keeps ours from the database: run ' +
      `"alter role <role> set statement_timeout = '10s'" there`,
  );
}
