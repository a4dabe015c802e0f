import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { defaultCredentials } from '../../../sandbox/credentials.ts';
import { scriptSettings } from '../../../sandbox/environment.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** Makes `node` in PATH the current one, however the tests were started. */
const path = [dirname(process.execPath), process.env.PATH].join(delimiter);

/** Lifts the limits that hundreds of visitors of one address would reach. */
export const withoutLimits: Readonly<Record<string, string>> = {
  LEADS_PER_ADDRESS_PER_HOUR: '0',
  BYTES_PER_ADDRESS_PER_HOUR: '0',
  CHECKS_PER_ADDRESS_PER_MINUTE: '1000000',
  SAVES_PER_ADDRESS_PER_MINUTE: '1000000',
  CODES_PER_ADDRESS_PER_HOUR: '1000',
  EMAIL_MX_LOOKUP: 'off',
  // A page that waited too long would make a click id of its own.
  CLICK_TRACKER_TIMEOUT_MS: '60000',
};

/** Settings of a server whose pages load no third-party script. */
export const noScripts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(scriptSettings('', defaultCredentials)).map((name) => [name, '']),
);

const anyAddress = /(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+)/;

/** A running program. */
export type Program = {
  readonly child: ChildProcess;
  readonly url: string;
  /** Everything that it has printed. */
  readonly output: () => string;
};

/**
 * Starts a program and waits until it prints its address.
 *
 * @param options.command default: this Node
 * @param options.from the checkout to start it in; default: this one
 * @param options.address a pattern whose first group is the address; default: any address
 * @param options.patienceMs how long to wait for it; default: three minutes
 */
export async function startProgram(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  options: { command?: string; from?: string; address?: RegExp; patienceMs?: number } = {},
): Promise<Program> {
  const { command = process.execPath, from = root, address = anyAddress } = options;
  const { patienceMs = 180_000 } = options;
  const child = spawn(command, args, {
    cwd: from,
    env: { ...process.env, PATH: path, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      // SIGTERM lets a server stop its database, too.
      child.kill('SIGTERM');
      reject(new Error(`${args[0]} printed no address in ${patienceMs} ms:\n${output}`));
    }, patienceMs);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const said = address.exec(output)?.[1];
      if (said !== undefined) {
        clearTimeout(timer);
        resolve(said);
      }
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`${args[0]} ended with ${code}:\n${output}`));
    });
  });
  return { child, url, output: () => output };
}

export async function endProgram(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  await ended;
}

/**
 * Starts the server with scripts/server.sh, as every other way of starting does.
 * @param from the checkout to start it in; default: this one
 * @param patienceMs how long to wait for it; default: three minutes
 */
export function startServer(env: NodeJS.ProcessEnv, from = root, patienceMs?: number) {
  const options = { command: 'sh', from, ...(patienceMs !== undefined && { patienceMs }) };
  return startProgram(['scripts/server.sh', 'src/server/main.ts'], env, options);
}
