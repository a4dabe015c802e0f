/**
 * The keys of persons in a database: made with one secret, which the database knows by a fingerprint only
 * (docs/decisions/0053-person-keys.md).
 */
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { createPersonKey, type PersonKey } from '../../intake/person-key.ts';
import { PERSON_KEY_FILE, type PersonKeySource, readPersonKeySecret } from './person-key-secret.ts';
import { rekeyPersons } from './rekey-persons.ts';

/** The secret of the keys in the database is not the one that was given, or is not here at all. */
export class PersonKeyError extends Error {
  override readonly name = 'PersonKeyError';
}

type State = { fingerprint: string; is_rekeyed: boolean };

const STATE = 'select fingerprint, rekeyed_at is not null as is_rekeyed from person_keys';

/**
 * Opens the keys of a database. The first process fixes the secret; every other one has to have the same.
 * Unkeyed hashes of an earlier version are replaced before it returns, and again is no harm.
 *
 * @throws PersonKeyError when the secret is missing or another one: nobody on the suppression list would be
 * found by it
 */
export async function openPersonKeys(pool: pg.Pool, source: PersonKeySource): Promise<PersonKey> {
  const before = (await pool.query<State>(STATE)).rows[0];
  const secret = await readPersonKeySecret(source, { wasUsed: before !== undefined });
  if (secret === undefined) {
    throw new PersonKeyError(
      `The secret of the person keys is missing: set PERSON_KEY_SECRET, or restore ${source.dataDir}/${PERSON_KEY_FILE} ` +
        'from its backup. Without it nobody on the suppression list can be recognised',
    );
  }
  await pool.query(
    'insert into person_keys (id, fingerprint) values (1, $1) on conflict do nothing',
    [fingerprintOf(secret)],
  );
  const [state] = (await pool.query<State>(STATE)).rows;
  if (state?.fingerprint !== fingerprintOf(secret)) {
    const place =
      source.personKeySecret === undefined
        ? `${source.dataDir}/${PERSON_KEY_FILE}`
        : 'PERSON_KEY_SECRET';
    throw new PersonKeyError(
      `${place} is not the secret that this database's person keys were made with: give every process the ` +
        'same one, in PERSON_KEY_SECRET. With another one nobody on the suppression list would be recognised',
    );
  }
  if (!state.is_rekeyed) await rekeyPersons(pool, secret);
  return createPersonKey(secret);
}

/** Says which secret it is, and nothing about it: it has 256 random bits. */
function fingerprintOf(secret: string): string {
  return createHmac('sha256', secret).update('fingerprint').digest('base64url').slice(0, 16);
}
