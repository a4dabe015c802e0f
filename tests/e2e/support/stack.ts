import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCredentials } from '../../../sandbox/credentials.ts';
import { sandboxEnvironment } from '../../../sandbox/environment.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** A running server with everything that it needs, as its users run it: in processes of its own. */
export type Stack = {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly dataDir: string;
  readonly server: ChildProcess;
  /** Ends the server and starts it anew on the same data and port. */
  restart(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a program of ours and waits until it prints its address. */
export async function startProgram(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${args[0]} printed no address in 60 s:\n${output}`)),
      60_000,
    );
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+/.exec(output);
      if (address) {
        clearTimeout(timer);
        resolve(address[0]);
      }
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`${args[0]} ended with ${code}:\n${output}`));
    });
  });
  return { child, url };
}

export async function endProgram(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  await ended;
}

/** @param env settings beyond those that connect the server to the sandbox */
export async function startStack(env: NodeJS.ProcessEnv = {}): Promise<Stack> {
  const sandbox = await startProgram(['sandbox/main.ts', '--port', '0'], {});
  const dataDir = mkdtempSync(join(tmpdir(), 'stack-'));
  const settings = {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...sandboxEnvironment(sandbox.url, defaultCredentials),
    OUTGOING_PRIVATE_NETWORKS: 'allow',
    LEADS_PER_ADDRESS_PER_HOUR: '0',
    CHECKS_PER_ADDRESS_PER_MINUTE: '1000000',
    SAVES_PER_ADDRESS_PER_MINUTE: '1000000',
    EMAIL_MX_LOOKUP: 'off',
    ...env,
  };
  let server = await startProgram(['src/server/main.ts'], settings);
  const port = new URL(server.url).port;
  return {
    url: server.url,
    sandboxUrl: sandbox.url,
    dataDir,
    get server() {
      return server.child;
    },
    async restart(signal) {
      await endProgram(server.child, signal);
      server = await startProgram(['src/server/main.ts'], { ...settings, PORT: port });
    },
    async stop() {
      await endProgram(server.child, 'SIGTERM');
      await endProgram(sandbox.child, 'SIGTERM');
    },
  };
}
