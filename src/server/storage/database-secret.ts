/**
 * The secret of a database, shared by all its servers. Without it the input of a hash cannot be
 * guessed.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { KeyedDigest } from '../base/keyed-digest.ts';
import { storeErrors } from './leads-errors.ts';

const MAKE_SECRET = `
insert into phone_code_secret (id, secret) values (1, $1) on conflict (id) do nothing`;

/** Returns a function that reads the secret once, and creates a missing one. It retries after a failure. */
export function databaseSecret(pool: pg.Pool): () => Promise<string> {
  let secret: Promise<string> | undefined;
  return () => {
    secret ??= readSecret(pool).catch((error: unknown) => {
      secret = undefined;
      throw error;
    });
    return secret;
  };
}

async function readSecret(pool: pg.Pool): Promise<string> {
  await pool.query(MAKE_SECRET, [randomBytes(32).toString('base64url')]);
  const { rows } = await pool.query<{ secret: string }>('select secret from phone_code_secret');
  return (rows[0] as { secret: string }).secret;
}

/** Returns the digest function that all processes of this database share. */
export function createKeyedDigest(pool: pg.Pool): KeyedDigest {
  const secret = databaseSecret(pool);
  return (purpose, text) =>
    storeErrors(async () =>
      createHmac('sha256', await secret())
        .update(`${purpose}:${text}`)
        .digest('hex'),
    );
}
