/** The real server as a process of its own, to be killed with everything that it has started. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import type { Sandbox } from '../../sandbox/server.ts';

const root = path.join(import.meta.dirname, '..', '..');
/** As every way of starting it does it; the shell becomes the server. */
const LAUNCHER = path.join(root, 'scripts', 'server.sh');
const MAIN = path.join(root, 'src', 'server', 'main.ts');
/** On which `node` is this one, whoever runs the tests. */
const PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
/** A server that is not ready by then is broken, not slow: its pages are rendered in that time. */
const START_TIMEOUT_MS = 90_000;

/** How often a crash test kills; `npm test faults-long` does it more often. */
export const KILLS = Number(process.env.FAULT_KILLS ?? 5);

export type ServerProcess = {
  url: string;
  /** Of the server; its leases begin with it. */
  pid: number;
  /** From the start of the process until it said that it listens. */
  readyAfterMs: number;
  isRunning(): boolean;
  /** Everything that it has written on its standard output and error. */
  output(): string;
  /** SIGKILL to the process and all its descendants, the database among them; waits for its end. */
  killTree(): Promise<void>;
  /** SIGSTOP: the process does nothing any more, and does not know it. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
  /** SIGTERM, and waits for its end. */
  stop(): Promise<void>;
};

/**
 * The settings of a server that sends to a sandbox's ingest service, counts nobody's leads, and has no pages:
 * each of many starts would render all of them, and nobody looks.
 */
export function sendingTo({ url, credentials }: Pick<Sandbox, 'url' | 'credentials'>) {
  const { lpCampaignId, lpSupplierId, lpKey } = credentials;
  return {
    INGEST_URL: url,
    INGEST_CAMPAIGN_ID: lpCampaignId,
    INGEST_SUPPLIER_ID: lpSupplierId,
    INGEST_KEY: lpKey,
    OUTGOING_PRIVATE_NETWORKS: 'allow',
    LEADS_PER_ADDRESS_PER_HOUR: '0',
    BYTES_PER_ADDRESS_PER_HOUR: '0',
    PAGES: 'off',
  };
}

/** Starts the server on a free port and waits until it listens. */
export async function startServerProcess(
  dataDir: string,
  environment: Record<string, string>,
): Promise<ServerProcess> {
  const startedAtMs = performance.now();
  const child = spawn('sh', [LAUNCHER, MAIN], {
    // No `.env` of the developer counts here.
    cwd: dataDir,
    env: {
      PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const read = (chunk: string) => {
    output += chunk;
  };
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  const url = await listening(child, () => output);
  const { pid } = child;
  if (pid === undefined) throw new Error('The server was never started');
  return {
    url,
    pid,
    readyAfterMs: performance.now() - startedAtMs,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    async killTree() {
      for (const each of processTree(pid)) {
        try {
          process.kill(each, 'SIGKILL');
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

function listening(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The server was not ready in time:\n${output()}`));
    }, START_TIMEOUT_MS);
    const look = () => {
      const url = /Listening on (\S+)/.exec(output())?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      child.stdout?.off('data', look);
      resolve(url);
    };
    child.stdout?.on('data', look);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`The server ended (${code ?? signal}):\n${output()}`));
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
