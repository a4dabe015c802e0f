import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProgram, startProgram, startServer } from '../tests/e2e/support/programs.ts';
import type { Poster } from './poster.ts';

/** A first start on a filled database gives a million leads new keys. */
const PATIENCE_MS = 600_000;

/** The settings of every measured server. */
export const leadServerSettings = {
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
export async function startLeadServer(checkout?: string, settings: NodeJS.ProcessEnv = {}) {
  const keptDir = settings.DATA_DIR;
  const dataDir = keptDir ?? mkdtempSync(join(tmpdir(), 'bench-'));
  const env = { ...leadServerSettings, DATA_DIR: dataDir, ...settings };
  const isOlder = checkout !== undefined && !existsSync(join(checkout, 'scripts', 'server.sh'));
  const { child, url } = isOlder
    ? await startProgram(['src/server/main.ts'], env, { from: checkout })
    : await startServer(env, checkout, PATIENCE_MS);
  const pid = child.pid as number;
  return {
    url,
    dataDir,
    /** Returns the resident memory in MiB, as `ps` reports it. */
    residentMiB: () =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024,
    /** Returns the used processor time in milliseconds (Linux). */
    processorMs: () => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // After the name, which may contain blanks: the 12th and 13th field, in hundredths of a second.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    async stop() {
      await endProgram(child, 'SIGTERM');
      if (keptDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Posts a lead; throws if it is not accepted. */
export async function postLead(poster: Poster, body: object): Promise<void> {
  const status = await poster.post(body);
  if (status !== 200) throw new Error(`answered ${status}`);
}

/** Posts this many leads over these connections. */
export async function postLeads(
  poster: Poster,
  connections: number,
  posts: number,
  newLead: () => object,
): Promise<void> {
  let left = posts;
  const visitor = async () => {
    for (; left > 0; left -= 1) await postLead(poster, newLead());
  };
  await Promise.all(Array.from({ length: connections }, visitor));
}
