/**
 * Opens the person keys of a database. They are HMACs under one secret. The database stores only its
 * fingerprint (docs/decisions/0053-person-keys.md).
 */
import { createHmac, randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { createPersonKey, type PersonKey } from '../../../model/lead/person-key.ts';
import { readSecretFile, writeSecretFile } from './secret-file.ts';

/** The file's name in DATA_DIR. */
const PERSON_KEY_FILE = 'person-key-secret';

/** Where the secret may be. */
type PersonKeySource = {
  /** The setting PERSON_KEY_SECRET; undefined: the file is used. */
  readonly personKeySecret: string | undefined;
  readonly dataDir: string;
};

/** The secret is missing, or differs from the one that made the keys in the database. */
export class PersonKeyError extends Error {
  override readonly name = 'PersonKeyError';
}

type State = { fingerprint: string };

const STATE = 'select fingerprint from person_keys';

/**
 * Returns the key function of a database. The first process sets the secret, and all others need the same one.
 *
 * @throws PersonKeyError if the secret is missing or different: the suppression list would match nobody
 */
export async function openPersonKeys(pool: pg.Pool, source: PersonKeySource): Promise<PersonKey> {
  const before = (await pool.query<State>(STATE)).rows[0];
  const secret = await readPersonKeySecret(source, { wasUsed: before !== undefined });
  if (secret === undefined) {
    throw new PersonKeyError(
      `The secret of the person keys is missing: set PERSON_KEY_SECRET, or restore ${source.dataDir}/${PERSON_KEY_FILE} ` +
        'from its backup. Without it the suppression list matches nobody',
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
      `${place} is not the secret that this database's person keys were made with: set PERSON_KEY_SECRET to ` +
        'that secret in every process. With another one the suppression list matches nobody',
    );
  }
  return createPersonKey(secret);
}

/** Returns a value that identifies the secret without revealing any of its 256 random bits. */
function fingerprintOf(secret: string): string {
  return createHmac('sha256', secret).update('fingerprint').digest('base64url').slice(0, 16);
}

/**
 * Returns the secret, or undefined if a secret was used before and is now missing. If none was ever used,
 * creates the file, readable by its owner only.
 */
async function readPersonKeySecret(
  { personKeySecret, dataDir }: PersonKeySource,
  options: { readonly wasUsed: boolean },
): Promise<string | undefined> {
  if (personKeySecret !== undefined) return personKeySecret;
  const file = path.join(dataDir, PERSON_KEY_FILE);
  if (!options.wasUsed) await writeSecretFile(file, randomBytes(32).toString('base64url'));
  const found = await readSecretFile(file);
  if (found === undefined) return undefined;
  await chmod(file, 0o600);
  if (found === '') throw new Error(`${file} is empty: restore it from its backup`);
  return found;
}
