/** Reads and writes files that contain a secret and that only their owner can read. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes a file atomically. `replaces` allows overwriting an existing file. */
export async function writeSecretFile(file: string, text: string, { replaces = false } = {}) {
  await mkdir(path.dirname(file), { recursive: true });
  const made = `${file}.${randomUUID()}`;
  await writeFile(made, `${text}\n`, { mode: 0o600, flush: true });
  if (replaces) return rename(made, file);
  // `link` is atomic, so the first of several processes creates the file.
  await link(made, file).catch(unless('EEXIST'));
  await rm(made);
}

/** Returns a file's trimmed text; undefined if the file is missing. */
export async function readSecretFile(file: string): Promise<string | undefined> {
  return (await readFile(file, 'utf8').catch(unless('ENOENT')))?.trim();
}

function unless(code: string) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error;
  };
}
