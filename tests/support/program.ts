import { type SpawnOptions, spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';

export const root = join(import.meta.dirname, '..', '..');
/** A PATH in which the tests' own `node` is first. */
export const nodePath = [dirname(process.execPath), process.env.PATH].join(delimiter);
/** The setting that makes servers use the same PostgreSQL as the tests. */
const postgres = process.env.POSTGRES_BIN ? { POSTGRES_BIN: process.env.POSTGRES_BIN } : {};
/** The command that starts the server. */
export const serverCommand = [
  'sh',
  join(root, 'scripts/server.sh'),
  join(root, 'src/server/main.ts'),
] as const;

/** A started program. */
export type Program = ReturnType<typeof startProgram>;

/** Starts a program in a separate process, and waits for a URL in its output. */
export function startProgram(
  [command, ...args]: readonly [string, ...string[]],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'detached'> & {
    address?: RegExp;
    timeoutMs?: number;
    stdin?: 'ignore' | 'pipe';
  } = {},
) {
  const { cwd = root, env = process.env, detached = false, stdin = 'ignore' } = options;
  const { address = /Listening on (\S+)/, timeoutMs = 180_000 } = options;
  const child = spawn(command, args, {
    cwd,
    detached,
    env: { ...env, ...postgres, PATH: nodePath },
    stdio: [stdin, 'pipe', 'pipe'],
  });
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${command} ${args[0]} ${why}:\n${output}`));
    const timer = setTimeout(() => {
      // SIGTERM lets the server stop its database.
      child.kill('SIGTERM');
      fail(`printed no address in ${timeoutMs / 1000} s`);
    }, timeoutMs);
    let isReady = false;
    const read = (text: string) => {
      output += text;
      // Does not search again after the URL was found, because searching a long output is slow.
      if (isReady) return;
      const found = address.exec(output)?.[1];
      if (found === undefined) return;
      isReady = true;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${code ?? signal}`);
    });
  });
  url.catch(() => undefined);
  return {
    child,
    /** The URL that the program prints. Rejects if the program ends or is not ready in time. */
    url,
    /** The exit code, or null after a signal. */
    ended,
    output: () => output,
    /** Sends a signal, and waits for the program's end. */
    end(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}
