import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const fileIn = (dataDir: string) => path.join(dataDir, 'demo-settings.json');

/**
 * Writes a demo's settings to a file in its data directory, so that the operators' command knows where the
 * leads went. Any other server removes the file.
 *
 * @param settings by name, or undefined for a server that is not a demo
 */
export function keepDemoSettings(
  dataDir: string,
  settings: Readonly<Record<string, string>> | undefined,
): void {
  if (settings === undefined) {
    rmSync(fileIn(dataDir), { force: true });
    return;
  }
  // With DATABASE_URL the directory may not exist yet.
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(fileIn(dataDir), JSON.stringify(settings, null, 2), { mode: 0o600 });
}

/** Returns the settings of the last server on this data if it was a demo, else none. */
export function readDemoSettings(dataDir: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
