import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { leadSecretHeader } from '../src/model/messages/lead.ts';
import { fictionalPhone } from '../tests/browser/support/visitors.ts';
import { testLead } from '../tests/support/leads.ts';
import { serverCommand, startProgram } from '../tests/support/program.ts';

const leadServerSettings = {
  PORT: '0',
  HOST: '127.0.0.1',
  CONSOLE_PORT: 'off',
  OPERATIONS_PORT: 'off',
  PAGES: 'off',
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

/** Starts a server that sends no leads, because a receiving sandbox would slow down the server. */
export async function startLeadServer() {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
  const env = { ...process.env, NODE_OPTIONS: '', ...leadServerSettings, DATA_DIR: dataDir };
  const program = startProgram(serverCommand, { env });
  const url = await program.url;
  const pid = String(program.child.pid);
  return {
    url,
    dataDir,
    residentMiB: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', pid]).toString()) / 1024,
    async stop() {
      await program.end();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns functions that post leads over keep-alive connections. */
export function createPoster(url: string, connections: number) {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const ids = randomBytes(8).toString('hex');
  let posts = 0;
  return {
    /** Posts a lead. Throws if the server does not accept the lead. */
    async post(lead: object): Promise<void> {
      posts += 1;
      const secret = `${ids}${String(posts).padStart(16, '0')}`;
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/post-lead',
        headers: { 'content-type': 'application/json', [leadSecretHeader]: secret },
        body: JSON.stringify(lead),
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
    },
    close: () => pool.close(),
  };
}

let count = 0;

/** Returns a lead of a new visitor, as the survey page posts it. */
export function exampleLead() {
  count += 1;
  const now = new Date().toISOString();
  return testLead({
    lead_id: uuidv7(),
    email: `visitor.${count}@example.com`,
    phone: fictionalPhone(count % 1000),
    gclid: 'x'.repeat(40),
    user_agent:
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36',
    consent_shown_at: now,
    submitted_at: now,
  });
}
