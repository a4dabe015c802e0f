/** Digests with a secret of the database, so that nobody can find the input by trying all values. */
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import type { KeyedDigest } from '../base/keyed-digest.ts';
import { storeErrors } from './leads-errors.ts';
import { readSecret } from './phone-codes-store.ts';

/** Returns the digest function that all processes of this database share. */
export function createKeyedDigest(pool: pg.Pool): KeyedDigest {
  let secret: Promise<string> | undefined;
  return (purpose, text) =>
    storeErrors(async () => {
      secret ??= readSecret(pool).catch((error: unknown) => {
        secret = undefined;
        throw error;
      });
      return createHmac('sha256', await secret)
        .update(`${purpose}:${text}`)
        .digest('hex');
    });
}
