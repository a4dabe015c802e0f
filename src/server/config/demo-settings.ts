import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const fileIn = (dataDir: string) => path.join(dataDir, 'demo-settings.json');

/**
 * Writes what a demo has set to a file beside its data, so that the operators' command knows the third
 * parties that the leads went to. A server that is no demo removes the file.
 *
 * @param settings by name; undefined: the server is no demo
 */
export function keepDemoSettings(
  dataDir: string,
  settings: Readonly<Record<string, string>> | undefined,
): void {
  if (settings === undefined) {
    rmSync(fileIn(dataDir), { force: true });
    return;
  }
  // With DATABASE_URL nothing has made it yet.
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(fileIn(dataDir), JSON.stringify(settings, null, 2), { mode: 0o600 });
}

/** Returns the settings of the demo that ran last on this data; none if that server was no demo. */
export function readDemoSettings(dataDir: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
