/** Where the secret of the person keys is: in a setting, or in a file beside the embedded database. */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The name of the file in DATA_DIR. */
export const PERSON_KEY_FILE = 'person-key-secret';

/** Where to look for the secret. */
export type PersonKeySource = {
  /** Setting PERSON_KEY_SECRET; undefined: the file. */
  readonly personKeySecret: string | undefined;
  readonly dataDir: string;
};

/**
 * Reads the secret. Makes the file, readable by its owner only, where there is none and none was used before.
 *
 * @returns undefined where a secret was used before and none is here
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
    // Whole or not there; where another process makes it at this moment, the first one counts.
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
