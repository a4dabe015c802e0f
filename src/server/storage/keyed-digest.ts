/**
 * Digests under a secret of the database, so that the input cannot be found by trying all values.
 */
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import type { KeyedDigest } from '../base/keyed-digest.ts';
import { databaseSecret } from './database-secret.ts';
import { storeErrors } from './leads-errors.ts';

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
