/** Fills a database with many copies of one posted lead. */
import pg from 'pg';
import { countingOptions, countPortion } from '../src/server/insight/index.ts';
import { inTransaction } from '../src/server/platform/database/database.ts';
import { readPassword } from '../src/server/platform/postgres/cluster.ts';
import { parseSettings } from '../src/server/settings/settings.ts';
import { turnFor } from '../tests/support/job-clock.ts';

const BATCH = 5_000;
/** The seconds between two copied leads. Ten million leads span 300 days. */
const STEP_SECONDS = 2.6;

/** The tables with rows of a lead, in the order of their foreign keys. */
const TABLES = [
  ['visits', 'lead_id'],
  ['clicks', 'lead_id'],
  ['progress', 'lead_id'],
  ['leads', 'id'],
  ['lead_revisions', 'lead_id'],
  ['consents', 'lead_id'],
  ['deliveries', 'lead_id'],
  ['visit_summaries', 'lead_id'],
] as const;

/** SQL for a UUID of version 7, made from a time and a number. */
const ID = `(lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '7' || substr(md5(i::text), 1, 3)
  || '8' || substr(md5(i::text), 4, 15))::uuid`;

const hashOf = (what: string) =>
  `translate(rtrim(encode(sha256(convert_to('${what}' || i, 'UTF8')), 'base64'), '='), '+/', '-_')`;

/** Maps each column that differs in a copy to SQL for the new value. */
const OWN: Readonly<Record<string, string>> = {
  lead_id: ID,
  email_key: `'k1.' || ${hashOf('email')}`,
  phone_key: `'k1.' || ${hashOf('phone')}`,
  secret_sha256: hashOf('secret'),
  body_sha256: hashOf('body'),
  click_id: `md5('click' || i)`,
  evidence_salt: 'gen_random_uuid()',
  ...Object.fromEntries(
    ['created_at', 'updated_at', 'received_at', 'seen_at', 'began_at'].map((name) => [
      name,
      'moment',
    ]),
  ),
};
const CONTACT_KEYS = `array['k1.' || ${hashOf('email')}, 'k1.' || ${hashOf('phone')}]`;
const OWN_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  leads: { id: ID },
  clicks: { id: `md5('click' || i)` },
  progress: {
    contact_keys: `case when e.contact_keys is not null then ${CONTACT_KEYS} end`,
    at: 'moment',
  },
  deliveries: {
    id: `md5(e.id::text || i)::uuid`,
    state: `'delivered'`,
    attempts: '1',
    revision: '1',
    due_at: 'null',
    lease_owner: 'null',
    finished_at: `moment + interval '1 minute'`,
  },
};

/**
 * Opens an embedded database without the settings for safe writes, because filling is then faster.
 */
export async function openFillingPool(dataDir: string, connectionString: string): Promise<pg.Pool> {
  const url = new URL(connectionString);
  url.username = 'postgres';
  url.password = (await readPassword(dataDir)) ?? '';
  const options = '-c session_replication_role=replica -c synchronous_commit=off';
  const pool = new pg.Pool({ connectionString: url.href, options, max: 1 });
  // Ignores the error that the pool emits when the database stops. Otherwise the error would end
  // the process.
  pool.on('error', () => undefined);
  return pool;
}

/** Copies a lead with all its rows, once for each of the `numbers`. */
export async function fillLeads(
  pool: pg.Pool,
  example: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const statements = await Promise.all(
    TABLES.map(([table, key]) => copyStatement(pool, table, key)),
  );
  // Inserts the oldest leads first, because a real site stores leads in this order.
  for (let next = to; next > from; next -= BATCH) {
    const values = [example, Math.max(next - BATCH, from), next - 1];
    await inTransaction(pool, async (client) => {
      for (const statement of statements) await client.query(statement, values);
    });
  }
}

async function copyStatement(pool: pg.Pool, table: string, key: string): Promise<string> {
  const { rows } = await pool.query<{ name: string; is_made: boolean }>(
    `select column_name as name, is_generated = 'ALWAYS' as is_made
     from information_schema.columns where table_schema = 'public' and table_name = $1
     order by ordinal_position`,
    [table],
  );
  const columns = rows.filter(({ is_made }) => !is_made);
  const values = columns.map(({ name }) => OWN_OF[table]?.[name] ?? OWN[name] ?? `e.${name}`);
  return `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
    select ${values.join(', ')}
    from (select * from ${table} where ${key} = $1) e
    cross join generate_series($3::integer, $2::integer, -1) i
    cross join lateral (
      select now() - interval '26 hours' - i * interval '${STEP_SECONDS} seconds' as moment
    ) time`;
}

/** Counts all visits, as the server's counting job does. */
export async function countVisits(pool: pg.Pool): Promise<void> {
  const counting = await countingOptions(parseSettings({}));
  const turn = turnFor(pool, 'counts');
  while ((await countPortion(turn, { ...counting, limit: 1_000_000 })).isBehind);
}
