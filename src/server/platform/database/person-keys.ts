/** Computes person keys: HMACs of contact data (docs/decisions/0053-person-keys.md). */
import { createHmac, randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { createPersonKey, type PersonKey } from '../../../model/lead/person-key.ts';
import { readSecretFile, writeSecretFile } from '../secret-file.ts';

const PERSON_KEY_FILE = 'person-key-secret';

/** Thrown if the secret is missing, or differs from the secret of the database's stored keys. */
export class PersonKeyError extends Error {
  override readonly name = 'PersonKeyError';
}

/** Returns the function that computes person keys. @throws PersonKeyError if the secret is wrong */
export async function openPersonKeys(
  pool: pg.Pool,
  source: { readonly personKeySecret: string | undefined; readonly dataDir: string },
): Promise<PersonKey> {
  const { personKeySecret, dataDir } = source;
  const file = path.join(dataDir, PERSON_KEY_FILE);
  const stored = 'select fingerprint from person_keys';
  if (personKeySecret === undefined && (await pool.query(stored)).rowCount === 0) {
    await writeSecretFile(file, randomBytes(32).toString('base64url'));
  }
  const secret = personKeySecret ?? (await readSecretFile(file));
  if (!secret) {
    throw new PersonKeyError(
      `The secret of the person keys is missing: set PERSON_KEY_SECRET, or restore ${file} from its backup. ` +
        'Without it the suppression list matches nobody',
    );
  }
  // Makes the file private, because a copy or restore may have made it readable for others.
  if (personKeySecret === undefined) await chmod(file, 0o600);
  // The fingerprint identifies the secret without revealing the secret.
  const hmac = createHmac('sha256', secret).update('fingerprint').digest('base64url');
  const fingerprint = hmac.slice(0, 16);
  const insert = 'insert into person_keys (id, fingerprint) values (1, $1) on conflict do nothing';
  await pool.query(insert, [fingerprint]);
  const { rows } = await pool.query<{ fingerprint: string }>(stored);
  if (rows[0]?.fingerprint !== fingerprint) {
    throw new PersonKeyError(
      `${personKeySecret === undefined ? file : 'PERSON_KEY_SECRET'} is not the secret that this database's person ` +
        'keys were made with: set PERSON_KEY_SECRET to that secret in every process. With another one the ' +
        'suppression list matches nobody',
    );
  }
  return createPersonKey(secret);
}
