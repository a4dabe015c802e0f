/** The real server as a process of its own, to be killed with everything that it has started. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

const MAIN = path.join(import.meta.dirname, '..', '..', 'src', 'server', 'main.ts');
/** A server that is not ready by then is broken, not slow. */
const START_TIMEOUT_MS = 30_000;

export type ServerProcess = {
  url: string;
  /** From the start of the process until it said that it listens. */
  readyAfterMs: number;
  /** SIGKILL to the process and all its descendants, the database among them; waits for its end. */
  killTree(): Promise<void>;
  /** SIGSTOP: the process does nothing any more, and does not know it. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
  /** SIGTERM, and waits for its end. */
  stop(): Promise<void>;
};

/** Starts the server on a free port and waits until it listens. */
export async function startServerProcess(
  dataDir: string,
  environment: Record<string, string>,
): Promise<ServerProcess> {
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    // No `.env` of the developer counts here.
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await listening(child);
  return {
    url,
    readyAfterMs: performance.now() - startedAtMs,
    async killTree() {
      for (const pid of processTree(child.pid ?? 0)) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
        }
      }
      await ended;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The server was not ready in time:\n${output}`));
    }, START_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const url = /Listening on (\S+)/.exec(output)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`The server ended (${code ?? signal}):\n${output}`));
    });
  });
}

/** A process and its descendants, the process first. */
function processTree(root: number): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const children = new Map<number, number[]>();
  for (const line of listed.split('\n')) {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}
