import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { defaultCredentials } from '../../../sandbox/credentials.ts';
import type { Role } from '../../../src/contract/console/people.ts';
import { endProgram, startProgram } from './stack.ts';

/** A running `npm run demo`. */
export type Demo = {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly operationsUrl: string;
  readonly consoleUrl: string;
  /** The survey address that the demo printed: path and query. */
  readonly survey: string;
  readonly dataDir: string;
  readonly output: () => string;
  stop(): Promise<void>;
};

/** Starts the demo as its users do, on free ports, with its own data and a log at every level. */
export async function startDemo(...args: readonly string[]): Promise<Demo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'demo-'));
  // The user has set one setting of an account; the sandbox adds the others.
  const INGEST_KEY = defaultCredentials.lpKey;
  const env = {
    ...{ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'trace', INGEST_KEY },
    // A page that waited too long would make a click id of its own.
    CLICK_TRACKER_TIMEOUT_MS: '60000',
  };
  writeFileSync(join(dataDir, '.env'), 'SANDBOX_PORT=0\n');
  // The start's last log line.
  const address = /"url":"([^"]+)".*"msg":"Started"/;
  const scripts = join(import.meta.dirname, '..', '..', '..', 'scripts');
  const program = [join(scripts, 'server.sh'), join(scripts, 'demo.ts'), ...args];
  // The folder with `.env`.
  // Inventing a history takes minutes on a busy machine.
  const options = { command: 'sh', from: dataDir, address, patienceMs: 300_000 };
  const { child, url, output } = await startProgram(program, env, options);
  const said = (what: RegExp) => what.exec(output())?.[1] ?? '';
  return {
    url,
    sandboxUrl: said(/^Received: (\S+)/m),
    operationsUrl: said(/"operationsUrl":"([^"]+)"/),
    consoleUrl: said(/"consoleUrl":"([^"]+)"/),
    survey: said(/^Survey: (\S+)/m),
    dataDir,
    output,
    async stop() {
      await endProgram(child, 'SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Invites an operator with the command line. @returns the one-time link at the running console */
export async function signInLinkOf(
  { dataDir, consoleUrl }: Pick<Demo, 'dataDir' | 'consoleUrl'>,
  email: string,
  role: Role,
): Promise<string> {
  const command = join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'console.ts');
  const env = { ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir };
  const args = [command, 'invite', email, '--role', role];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  const link = /http\S+/.exec(stripVTControlCharacters(stdout))?.[0];
  if (link === undefined) throw new Error(`no link was printed: ${stdout}`);
  // The command does not know the free port that the running console has taken.
  const { pathname, search, hash } = new URL(link);
  return consoleUrl + pathname + search + hash;
}
