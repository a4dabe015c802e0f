import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { credentials } from '../../../sandbox/credentials.ts';
import type { Role } from '../../../src/model/messages/console/people.ts';
import { root, startProgram } from '../../support/program.ts';

/** The URLs of a running `npm run demo`. */
export type DemoAddresses = {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly operationsUrl: string;
  readonly consoleUrl: string;
  /** The URL of the survey that the demo printed, as path and query. */
  readonly survey: string;
  readonly dataDir: string;
};

/** A running `npm run demo`. */
export type Demo = DemoAddresses & { readonly output: () => string; stop(): Promise<void> };

/** Turns off the limits that hundreds of test visitors with one IP address would exceed. */
const withoutLimits: Readonly<Record<string, string>> = {
  LEADS_PER_ADDRESS_PER_HOUR: '0',
  BYTES_PER_ADDRESS_PER_HOUR: '0',
  CHECKS_PER_ADDRESS_PER_MINUTE: '1000000',
  SAVES_PER_ADDRESS_PER_MINUTE: '1000000',
  PAID_CHECKS_PER_ADDRESS_PER_HOUR: '1000000',
  PAID_CHECKS_PER_HOUR: '1000000',
  CODES_PER_ADDRESS_PER_HOUR: '1000',
  EMAIL_MX_LOOKUP: 'off',
  // With a shorter time-out, the page may create its own click id before the click tracker answers.
  CLICK_TRACKER_TIMEOUT_MS: '60000',
};

/** Starts `npm run demo` on free ports with an empty database. */
export async function startDemo(
  args: readonly string[] = [],
  settings: NodeJS.ProcessEnv = {},
): Promise<Demo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'demo-'));
  const own = { PORT: '0', DATA_DIR: dataDir, INGEST_KEY: credentials.lpKey };
  writeFileSync(join(dataDir, '.env'), 'SANDBOX_PORT=0\n');
  const scripts = ['server.sh', 'demo.ts'].map((name) => join(root, 'scripts', name));
  const program = startProgram(['sh', ...scripts, ...args], {
    // Runs in this folder, because the demo would otherwise read the developer's `.env`.
    cwd: dataDir,
    env: { ...process.env, NODE_OPTIONS: '', ...own, ...withoutLimits, ...settings },
    address: /"url":"([^"]+)".*"msg":"Started"/,
    // Inventing 30 days of visits takes minutes on a busy machine.
    timeoutMs: 600_000,
  });
  const { output } = program;
  const url = await program.url;
  const said = (what: RegExp) => what.exec(output())?.[1] ?? '';
  return {
    url,
    sandboxUrl: said(/^Received: (\S+)\/_sandbox/m),
    operationsUrl: said(/"operationsUrl":"([^"]+)"/),
    consoleUrl: said(/"consoleUrl":"([^"]+)"/),
    survey: said(/^Survey: (\S+)/m),
    dataDir,
    output,
    async stop() {
      await program.end();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs a program of `src/cli/` on the demo's data, and returns the program's output. */
export async function runCommand(
  { dataDir }: Pick<Demo, 'dataDir'>,
  command: 'leads' | 'console',
  ...args: readonly string[]
): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir };
  const file = join('src', 'cli', `${command}.ts`);
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], {
    cwd: root,
    env,
  });
  return stripVTControlCharacters(stdout);
}

/**
 * Invites an operator on the command line, and returns the one-time link to the running console.
 */
export async function signInLinkOf(
  demo: Pick<Demo, 'dataDir' | 'consoleUrl'>,
  email: string,
  role: Role,
): Promise<string> {
  const printed = await runCommand(demo, 'console', 'invite', email, '--role', role);
  const link = /http\S+/.exec(printed)?.[0];
  if (link === undefined) throw new Error(`no link was printed: ${printed}`);
  // Replaces the link's origin, because the command does not know the running console's port.
  const { pathname, search, hash } = new URL(link);
  return demo.consoleUrl + pathname + search + hash;
}
