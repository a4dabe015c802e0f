/** Reads the secret of the person keys from a setting, or from a file beside the embedded database. */
import { randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { readSecretFile, writeSecretFile } from './secret-file.ts';

/** The file's name in DATA_DIR. */
export const PERSON_KEY_FILE = 'person-key-secret';

/** Where the secret may be. */
export type PersonKeySource = {
  /** The setting PERSON_KEY_SECRET; undefined: the file is used. */
  readonly personKeySecret: string | undefined;
  readonly dataDir: string;
};

/**
 * Returns the secret, or undefined if a secret was used before and is now missing. If none was ever used,
 * creates the file, readable by its owner only.
 */
export async function readPersonKeySecret(
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
