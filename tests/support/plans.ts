import pg from 'pg';

/** Creates a pool that records PostgreSQL's plan of each statement. */
export function planning(connectionString: string, options = '') {
  const plans: string[] = [];
  const pool = new pg.Pool({ connectionString, max: 1, options });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = (async (text: unknown, values?: unknown, ...more: unknown[]) => {
      // Omits the statement's time limit, because explaining a statement takes additional time.
      if (/^set local statement_timeout/.test(String(text))) return query('select');
      if (
        typeof text === 'string' &&
        /^\s*(select|with|update|delete|insert|declare)\b/i.test(text)
      ) {
        const { rows } = (await query(`explain ${text}`, values)) as pg.QueryResult;
        plans.push(`${text}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`);
      }
      return query(text, values, ...more);
    }) as typeof client.query;
  });
  return { pool, plans };
}
