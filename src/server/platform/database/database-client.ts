/** Connects to PostgreSQL, even through a pooler (docs/decisions/0071-several-processes.md). */
import pg from 'pg';
import type { Logger } from '../postgres/logger.ts';

/** A connection that sets time limits after connecting, because PgBouncer refuses them earlier. */
export class DatabaseClient extends pg.Client {
  /** The time limits: pairs of a PostgreSQL setting's name and milliseconds. */
  readonly limits: readonly (readonly [string, string])[];
  readonly connectMs: number;
  begin = 'begin';
  hasPooler = false;

  constructor(config: pg.ClientConfig = {}) {
    const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout, ...rest } =
      config;
    super(rest);
    const given = { statement_timeout, lock_timeout, idle_in_transaction_session_timeout };
    this.limits = Object.entries(given).flatMap(([name, ms]) =>
      typeof ms === 'number' ? [[name, String(ms)] as const] : [],
    );
    this.connectMs = config.connectionTimeoutMillis ?? 0;
    const send = this.query.bind(this) as (...given: unknown[]) => unknown;
    const query = (given: unknown, ...more: unknown[]) =>
      send(this.hasPooler && isNamed(given) ? { ...given, name: undefined } : given, ...more);
    this.query = query as typeof this.query;
  }
}

/** Returns whether this is a named query config. A cursor is excluded, because it has methods. */
function isNamed(given: unknown): given is pg.QueryConfig {
  return typeof given === 'object' && given !== null && 'name' in given && !('submit' in given);
}

/** Returns the SQL that begins a transaction on a pool's client. */
export function beginOf(client: pg.ClientBase): string {
  return client instanceof DatabaseClient ? client.begin : 'begin';
}

/** Sets the time limits of a new connection. Returns undefined if there is no pooler. */
export async function prepareConnection(client: pg.ClientBase) {
  if (!(client instanceof DatabaseClient)) throw new TypeError('The pool makes other clients');
  // A pooler sends an invented process id, so an id that is not the server's reveals a pooler.
  const { processID } = client as unknown as { processID: number };
  const ask: pg.QueryConfig & { query_timeout: number } = {
    text: `select pg_backend_pid() = $1::integer as "isDirect",
      current_setting('statement_timeout') <> '0' as "limitsStatements",
      (select count(set_config(name, value, false)) from json_each_text($2) as given(name, value)
        where pg_backend_pid() = $1::integer)`,
    values: [processID, JSON.stringify(Object.fromEntries(client.limits))],
    query_timeout: client.connectMs,
  };
  const [found] = (await client.query<{ isDirect: boolean; limitsStatements: boolean }>(ask)).rows;
  if (found?.isDirect) return undefined;
  const limits = client.limits.map(([name, ms]) => `set local ${name} = '${ms}'`);
  client.begin = ['begin', ...limits].join('; ');
  client.hasPooler = true;
  return { limitsStatements: found?.limitsStatements === true };
}

/** Logs how connections through the pooler differ from direct connections. */
export function logPooler(pooler: { readonly limitsStatements: boolean }, log: Logger): void {
  log.info('A connection pooler is between the server and its database');
  if (pooler.limitsStatements) return;
  log.warn(
    'Single statements have no time limit, because the connection pooler keeps ours from the database: run ' +
      `"alter role <role> set statement_timeout = '10s'" there`,
  );
}
