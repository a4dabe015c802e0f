/** A server that stores leads and sends none, and what posts to it. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { leadSecretHeader } from '../src/contract/lead.ts';
import { fictionalPhone } from '../tests/e2e/support/visitors.ts';
import { testLead } from '../tests/support/leads.ts';
import { root, startProgram } from '../tests/support/program.ts';

const leadServerSettings = {
  PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'error',
  DELIVERY_CONCURRENCY: '0',
  LEADS_PER_ADDRESS_PER_HOUR: '0',
  BYTES_PER_ADDRESS_PER_HOUR: '0',
  EMAIL_MX_LOOKUP: 'off',
  TRUSTED_PROXIES: 'loopback',
  INGEST_URL: 'http://127.0.0.1:9',
  INGEST_CAMPAIGN_ID: '1',
  INGEST_SUPPLIER_ID: '2',
  INGEST_KEY: 'k',
};

/**
 * Starts a checkout's server that accepts leads but sends none (which would measure the sandbox).
 * @param settings in addition to those of every measured server. A given DATA_DIR is kept at the end.
 */
export async function startLeadServer(checkout = root, settings: NodeJS.ProcessEnv = {}) {
  const keptDir = settings.DATA_DIR;
  const dataDir = keptDir ?? mkdtempSync(join(tmpdir(), 'bench-'));
  const program = startProgram(['sh', 'scripts/server.sh', 'src/server/main.ts'], {
    cwd: checkout,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      ...leadServerSettings,
      DATA_DIR: dataDir,
      ...settings,
    },
  });
  const url = await program.url;
  const pid = program.child.pid as number;
  return {
    url,
    dataDir,
    /** Returns the resident memory in MiB, as `ps` reports it. */
    residentMiB: () =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024,
    async stop() {
      await program.end();
      if (keptDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Posts leads over keep-alive connections, each lead with its own secret. The client is minimal, because its cost slows the server
 * on the same machine.
 */
export async function createPoster(url: string, connections: number) {
  const { hostname: host, port } = new URL(url);
  const all = Array.from({ length: connections }, () => connect({ host, port: Number(port) }));
  await Promise.all(all.map((socket) => once(socket.setNoDelay(true), 'connect')));
  const free = [...all];
  const ids = randomBytes(8).toString('hex');
  let posts = 0;
  return {
    /** Posts a lead on a free connection. @throws if it is not accepted */
    async post(body: object): Promise<void> {
      const socket = free.shift();
      if (!socket) throw new Error('More requests at once than connections');
      posts += 1;
      const text = JSON.stringify(body);
      const head = [
        'POST /post-lead HTTP/1.1',
        `host: ${host}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(text)}`,
        `${leadSecretHeader}: ${ids}${String(posts).padStart(16, '0')}`,
      ];
      const status = await statusOf(socket, `${head.join('\r\n')}\r\n\r\n${text}`);
      free.push(socket);
      if (status !== 200) throw new Error(`answered ${status}`);
    },
    close() {
      for (const socket of all) socket.destroy();
    },
  };
}

/** Sends a request in one write, and reads only the status and the length of the answer. */
function statusOf(socket: Socket, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const gone = () => reject(new Error('The server closed the connection'));
    const read = (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const end = answer.indexOf('\r\n\r\n');
      const length = Number(/^content-length: (\d+)/im.exec(answer)?.[1] ?? 0);
      if (end < 0 || answer.length < end + 4 + length) return;
      socket.off('data', read).off('close', gone);
      resolve(Number(answer.slice(9, 12)));
    };
    socket.on('data', read).once('close', gone);
    socket.write(request);
  });
}

let count = 0;

/** Returns a lead as the survey page posts it, for a new visitor each time. */
export function exampleLead() {
  count += 1;
  return testLead({
    lead_id: uuidv7(),
    injury_month: '10',
    injury_day: '04',
    case_description:
      'I was stopped at a red light when a truck hit my car from behind. My neck and back have hurt since then and I cannot work.',
    email: `visitor.${count}@example.com`,
    phone: fictionalPhone(count % 1000),
    gclid: 'x'.repeat(40),
    click_id: '',
    landing_page: 'https://example.com/survey/v4nv',
    page_referer: '',
    user_agent:
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36',
    consent_shown_at: '2026-11-20T10:00:00.000Z',
    submitted_at: '2026-11-20T10:01:00.000Z',
    time_on_steps: 'StartPath:3|WhenWasTheAccident:9|AtFault:2|WasUserInjured:4|PhoneAndZip:20',
  });
}
