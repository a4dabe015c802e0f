/** Reads the secret of the person keys from a setting, or from a file beside the embedded database. */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

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
  if (!options.wasUsed) {
    await mkdir(dataDir, { recursive: true });
    const made = `${file}.${randomUUID()}`;
    await writeFile(made, `${randomBytes(32).toString('base64url')}\n`, {
      mode: 0o600,
      flush: true,
    });
    // `link` is atomic: the file is complete or absent, and the first of several processes wins.
    await link(made, file).catch(unless('EEXIST'));
    await rm(made);
  }
  const found = await readFile(file, 'utf8').catch(unless('ENOENT'));
  if (found === undefined) return undefined;
  await chmod(file, 0o600);
  if (found.trim() === '') throw new Error(`${file} is empty: restore it from its backup`);
  return found.trim();
}

function unless(code: string) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error;
  };
}
