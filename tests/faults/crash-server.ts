/** The real server as a separate process, which can be killed with all its children. */
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import type { Sandbox } from '../../sandbox/server.ts';
import { serverCommand, startProgram } from '../support/program.ts';

/** The number of kills in a crash test; `npm run test:all` makes more of them. */
export const KILLS = Number(process.env.FAULT_KILLS ?? 1);

export type ServerProcess = {
  url: string;
  /** The server's process id, which begins its leases' owner. */
  pid: number;
  /** From the start of the process until it listens, in milliseconds. */
  readyAfterMs: number;
  isRunning(): boolean;
  /** The server's standard output and error. */
  output(): string;
  /** Sends SIGKILL to the process and all its descendants, including the database, and waits for its end. */
  killTree(): Promise<void>;
  /** Sends SIGSTOP: the process pauses without noticing. */
  freeze(): void;
  /** Sends SIGCONT. */
  thaw(): void;
  stop(): Promise<void>;
};

/**
 * Returns the settings of a server that sends to a sandbox's ingest service, without address limits
 * and without pages: rendering them would slow down each start.
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

/** Returns the sends of all leads that were sent again before an earlier send had ended. */
export function overlapsAt(sandbox: Sandbox) {
  const sends = sandbox.received('ingest');
  const keys = new Set(sends.flatMap(({ key, overlapped }) => (overlapped ? [key] : [])));
  return sends
    .filter(({ key }) => keys.has(key))
    .map(({ seq, key, at, endedAt, failure }) => ({ seq, key, at, endedAt, failure }));
}

/** Starts the server on a free port and waits until it listens. */
export async function startServerProcess(
  dataDir: string,
  environment: Record<string, string>,
): Promise<ServerProcess> {
  const startedAtMs = performance.now();
  const program = startProgram(serverCommand, {
    // Not the project folder: its `.env` belongs to the developer.
    cwd: dataDir,
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...environment,
    },
  });
  const { child, ended, output } = program;
  const url = await program.url;
  const { pid } = child;
  if (pid === undefined) throw new Error('The server was never started');
  return {
    ...{ url, pid, output },
    readyAfterMs: performance.now() - startedAtMs,
    isRunning: () => child.exitCode === null && child.signalCode === null,
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
      await program.end();
    },
  };
}

/** Returns a process and its descendants, the process first. */
export function processTree(root: number): number[] {
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
