/** The environment of commands that operators run beside a server. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseEnv } from 'node:util';
import { readDemoSettings } from './demo-settings.ts';
import { parseSettings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

/**
 * Returns what the environment says. What it leaves out comes from a demo on the same data, then from `.env`.
 *
 * @param demo what such a demo has set, by the data's directory
 * @throws SettingsError when `.env` cannot be read
 */
export function operatorsEnvironment(demo = readDemoSettings): NodeJS.ProcessEnv {
  return { ...readEnvFile(), ...demo(ownDataDir()), ...process.env };
}

/** Returns DATA_DIR, absolute, of the environment or of `.env`. */
export function ownDataDir(): string {
  const { DATA_DIR } = { ...readEnvFile(), ...process.env };
  return parseSettings(DATA_DIR === undefined ? {} : { DATA_DIR }).settings.dataDir;
}

/**
 * Reads the `.env` file of the working directory; empty where there is none.
 *
 * @throws SettingsError when it cannot be read
 */
export function readEnvFile(): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new SettingsError([`.env cannot be read: ${(error as Error).message}`]);
  }
}
