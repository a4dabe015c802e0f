/** Reads the environment, and stores settings in the data directory for later commands. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseEnv } from 'node:util';
import { parseSettings, type Settings, SettingsError } from './settings.ts';

const demoFile = (dataDir: string) => path.join(dataDir, 'demo-settings.json');
const addressFile = (dataDir: string) => path.join(dataDir, 'console-address');

/** Parses the settings of the environment and of `.env`. @throws SettingsError */
export function loadSettings() {
  Object.assign(process.env, { ...readEnvFile(), ...process.env });
  return parseSettings(process.env);
}

/** Names in `.env` that Node or `compose.yaml` reads. */
const OTHERS = ['NODE_ENV', 'NODE_IMAGE', 'POSTGRES_IMAGE', 'POSTGRES_PASSWORD'];

/** Returns the names in `.env` that are not settings, such as misspelled ones. */
export function unknownNames(
  { lines }: Pick<Settings, 'lines'>,
  given: NodeJS.Dict<string> = readEnvFile(),
): string[] {
  const known = new Set([...OTHERS, ...lines.map(({ name }) => name)]);
  return Object.keys(given).filter((name) => !known.has(name));
}

/** Returns the environment of a command. Missing variables come from the last demo, then `.env`. */
export function operatorsEnvironment(withDemo = true): NodeJS.ProcessEnv {
  const left = withDemo ? readIfThere(demoFile(ownDataDir())) : undefined;
  const demo = JSON.parse(left ?? '{}') as NodeJS.Dict<string>;
  return { ...readEnvFile(), ...demo, ...process.env };
}

/** Returns DATA_DIR from the environment or `.env`, as an absolute path. */
export function ownDataDir(): string {
  const { DATA_DIR } = { ...readEnvFile(), ...process.env };
  return parseSettings(DATA_DIR === undefined ? {} : { DATA_DIR }).dataDir;
}

/** Reads `.env` in the working directory, if it exists. @throws SettingsError */
export function readEnvFile(): NodeJS.Dict<string> {
  try {
    return parseEnv(readIfThere('.env') ?? '');
  } catch (error) {
    throw new SettingsError([`.env cannot be read: ${(error as Error).message}`]);
  }
}

/** Stores the settings of a demo for later commands. Without settings, deletes the stored ones. */
export function storeDemoSettings(dataDir: string, settings?: Readonly<Record<string, string>>) {
  if (settings === undefined) {
    rmSync(demoFile(dataDir), { force: true });
    return;
  }
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(demoFile(dataDir), JSON.stringify(settings, null, 2), { mode: 0o600 });
}

/** Stores the URL of the running console, for the command that prints links to the console. */
export function storeConsoleAddress(dataDir: string, address: string): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(addressFile(dataDir), address);
}

/** Returns the stored URL of the console; undefined if no console has run. */
export const readConsoleAddress = (dataDir: string) => readIfThere(addressFile(dataDir));

const readIfThere = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
