/** Computes HMACs with the database's secret. */
import { createHmac, randomBytes } from 'node:crypto';
import type pg from 'pg';

/** Returns the hexadecimal HMAC of a text for one purpose. */
export type KeyedDigest = (purpose: string, text: string) => string;

/** Reads the secret from the database, and creates the secret if it is missing. */
export async function openDigest(pool: pg.Pool): Promise<KeyedDigest> {
  await pool.query(
    'insert into phone_code_secret (id, secret) values (1, $1) on conflict (id) do nothing',
    [randomBytes(32).toString('base64url')],
  );
  const { rows } = await pool.query<{ secret: string }>('select secret from phone_code_secret');
  const { secret = '' } = rows[0] ?? {};
  return (purpose, text) => createHmac('sha256', secret).update(`${purpose}:${text}`).digest('hex');
}
