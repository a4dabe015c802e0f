import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProgram, startProgram, startServer } from '../tests/e2e/support/stack.ts';
import type { Poster } from './poster.ts';

/**
 * A server of a checkout, alone: it takes leads and sends none (that would measure the sandbox).
 * @param settings beside those that every measured server has
 */
export async function startLeadServer(checkout?: string, settings: NodeJS.ProcessEnv = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
  const env = {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
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
    ...settings,
  };
  const isOlder = checkout !== undefined && !existsSync(join(checkout, 'scripts', 'server.sh'));
  const { child, url } = isOlder
    ? await startProgram(['src/server/main.ts'], env, { from: checkout })
    : await startServer(env, checkout);
  const pid = child.pid as number;
  return {
    url,
    dataDir,
    /** Resident memory in MiB, by the system's own account. */
    residentMiB: () =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024,
    /** Processor time that it has had, in milliseconds (Linux). */
    processorMs: () => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // After the name, which may have blanks: the 12th and 13th field, in hundredths of a second.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    async stop() {
      await endProgram(child, 'SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Posts a lead; fails where it is not taken. */
export async function postLead(poster: Poster, body: object): Promise<void> {
  const status = await poster.post(body);
  if (status !== 200) throw new Error(`answered ${status}`);
}

/** Posts so many leads, each as soon as one of the connections is free. */
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
