import type pg from 'pg';

/** Returns a stored lead's person by number: a unique address, a phone number below 500,000. */
export function storedPerson(number: number): { email: string; phone: string } {
  const exchange = 220 + (Math.floor(number / 10_000) % 50);
  return {
    email: `stored.${number}@example.com`,
    phone: `212${exchange}${String(number % 10_000).padStart(4, '0')}`,
  };
}

const EMAIL = `'stored.' || i || '@example.com'`;
const PHONE = `'212' || 220 + i / 10000 % 50 || lpad((i % 10000)::text, 4, '0')`;
/** Returns the same as `unkeyedPersonKey`: a start re-keys such rows of earlier versions. */
const unkeyed = (kind: string, value: string) => `translate(rtrim(
  encode(sha256(convert_to('${kind}:' || ${value}, 'UTF8')), 'base64'), '='), '+/', '-_')`;
const id = (kind: string) => `('01a00000-0000-7000-${kind}-' || lpad(to_hex(i), 12, '0'))::uuid`;
const lead = id('8000');
const keys = { email_key: unkeyed('email', EMAIL), phone_key: unkeyed('phone', PHONE) };

/**
 * Stores leads by SQL as copies of a posted one: a lead, a slim revision with unkeyed hashes of its person,
 * and a delivery. The first `waiting` deliveries are unsent.
 */
export async function storeLeads(
  pool: pg.Pool,
  example: string,
  count: number,
  waiting: number,
): Promise<void> {
  /** @param values expressions that replace the example's values, by column; `i` is the lead's number */
  const copy = async (table: string, where: string, values: Readonly<Record<string, string>>) => {
    const { rows } = await pool.query<{ name: string }>(
      'select column_name as name from information_schema.columns where table_name = $1',
      [table],
    );
    const columns = rows.map(({ name }) => name);
    await pool.query(
      `insert into ${table} (${columns.join(', ')})
       select ${columns.map((name) => values[name] ?? `e.${name}`).join(', ')}
       from (select * from ${table} where ${where}) e, generate_series(0, $2::integer - 1) i`,
      [example, count],
    );
  };
  await copy('leads', 'id = $1', { id: lead, ...keys });
  await copy('lead_revisions', 'lead_id = $1', {
    ...{ lead_id: lead, ...keys, fields: `jsonb_build_object('email', ${EMAIL})` },
    ...{ body: `'{}'`, answers: `'{}'`, decisions: `'[]'` },
  });
  await copy('deliveries', `lead_id = $1 and destination = 'ingest'`, {
    ...{ id: id('9000'), lead_id: lead },
    state: `case when i < ${waiting} then 'waiting' else 'delivered' end`,
  });
  await pool.query('vacuum analyze');
}
