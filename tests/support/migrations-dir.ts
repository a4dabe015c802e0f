import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

const dirs: string[] = [];
afterAll(() => Promise.all(dirs.splice(0).map((dir) => rm(dir, { recursive: true }))));

/** Makes a folder of migrations for the tests of one file, with the text of each by its name. */
export async function migrationsDir(files: Record<string, string>): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  dirs.push(dir);
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, name), text);
  return dir;
}
