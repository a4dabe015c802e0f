/** Reads the environment of the operators' commands. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseEnv } from 'node:util';
import { readDemoSettings } from './demo-settings.ts';
import { parseSettings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

/**
 * Returns the environment. Missing variables come from a demo on the same data, then from `.env`.
 *
 * @param demo returns the settings of the demo in a data directory
 * @throws SettingsError when `.env` cannot be read
 */
export function operatorsEnvironment(demo = readDemoSettings): NodeJS.ProcessEnv {
  return { ...readEnvFile(), ...demo(ownDataDir()), ...process.env };
}

/** Returns DATA_DIR from the environment or `.env`, as an absolute path. */
export function ownDataDir(): string {
  const { DATA_DIR } = { ...readEnvFile(), ...process.env };
  return parseSettings(DATA_DIR === undefined ? {} : { DATA_DIR }).settings.dataDir;
}

/** Reads `.env` in the working directory, if there is one. @throws SettingsError when it cannot be read */
export function readEnvFile(): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new SettingsError([`.env cannot be read: ${(error as Error).message}`]);
  }
}
