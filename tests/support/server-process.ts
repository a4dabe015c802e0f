import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { Sandbox } from '../../sandbox/server.ts';
import { leadSecretHeader } from '../../src/model/messages/lead.ts';
import { serverCommand, startProgram } from './program.ts';
import { freshLead } from './server.ts';

export type ServerProcess = Awaited<ReturnType<typeof startServerProcess>>;

/** Returns the settings of a server that sends to a sandbox's ingest service. */
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

/** Returns the requests for leads that the ingest service received twice at the same time. */
export function overlapsAt(sandbox: Sandbox) {
  const sends = sandbox.received('ingest');
  const keys = new Set(sends.flatMap(({ key, overlapped }) => (overlapped ? [key] : [])));
  return sends
    .filter(({ key }) => keys.has(key))
    .map(({ seq, key, at, endedAt, failure }) => ({ seq, key, at, endedAt, failure }));
}

/** Starts the real server in a separate process, and waits until it listens. */
export async function startServerProcess(dataDir: string, environment: Record<string, string>) {
  const program = startProgram(serverCommand, {
    // The project folder may have the developer's `.env`, which the server would read.
    cwd: dataDir,
    env: { HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', ...environment },
  });
  const { child, ended, output } = program;
  const url = await program.url;
  const { pid } = child;
  if (pid === undefined) throw new Error('The server was never started');
  return {
    url,
    pid,
    output,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** Kills the server and all its descendants, and waits for the end. */
    async killTree(): Promise<void> {
      for (const each of processTree(pid)) {
        try {
          process.kill(each, 'SIGKILL');
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
        }
      }
      await ended;
    },
    freeze: () => void process.kill(pid, 'SIGSTOP'),
    thaw: () => void process.kill(pid, 'SIGCONT'),
    async stop(): Promise<void> {
      await program.end();
    },
  };
}

/** Returns the ids of a process and its descendants, the process first. */
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

/** The time-out of a request, which is long because a busy machine may answer slowly. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Creates visitors who post new leads. `url` returns undefined while no server runs. */
export function createVisitors(url: () => string | undefined, pauseMs = 50) {
  const acknowledged = new Set<string>();
  let serial = 0;
  let isOver = false;
  return {
    acknowledged: acknowledged as ReadonlySet<string>,
    /** Posts a new lead, and repeats the post until the server acknowledges the lead. */
    async post(): Promise<void> {
      serial += 1;
      const leadId = uuidv7();
      const secret = randomUUID();
      const body = JSON.stringify(leadBody(leadId, serial));
      while (!isOver) {
        const server = url();
        if (server !== undefined && (await isAcknowledged(server, { leadId, secret, body }))) {
          acknowledged.add(leadId);
          return;
        }
        await sleep(pauseMs);
      }
    },
    stop(): void {
      isOver = true;
    },
  };
}

async function isAcknowledged(
  server: string,
  { leadId, secret, body }: { leadId: string; secret: string; body: string },
): Promise<boolean> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${server}/post-lead`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [leadSecretHeader]: secret },
      body,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    text = await response.text();
  } catch {
    return false; // The server died; it may have stored the lead.
  }
  // A proxy answers 502 or 504 if the server behind the proxy has died.
  if ([502, 503, 504].includes(response.status)) return false;
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${text}`);
  return (JSON.parse(text) as { lead_id?: string }).lead_id === leadId;
}

/**
 * Returns a qualified lead. Leads with different numbers have different phone numbers and e-mail
 * addresses.
 */
export function leadBody(leadId: string, number: number): Record<string, unknown> {
  return freshLead({
    lead_id: leadId,
    leadid_token: leadId,
    email: `ana${number}@example.com`,
    phone: String(5_122_000_000 + number),
  });
}
