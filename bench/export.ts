/** Measures `npm run leads -- export`: rows a second, and the memory of the whole command. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRunningEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';
import { fillLeads, openFillingPool } from './fill-leads.ts';
import { createPoster, exampleLead, startLeadServer } from './lead-server.ts';

/** What the issue of the export wants. */
const WANTED = { rowsPerSecond: 10_000, residentMiB: 150 };
const LOOK_EVERY_MS = 50;

type Exported = {
  readonly rows: number;
  readonly seconds: number;
  /** The highest resident memory of the command. */
  readonly residentMiB: number;
  readonly bytes: number;
};

/** Runs the command against the database of a running server. */
async function exportOnce(dataDir: string, format: 'csv' | 'json'): Promise<Exported> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-export-'));
  const output = join(folder, `leads.${format}`);
  const script = join(import.meta.dirname, '..', 'scripts', 'server.sh');
  const argv = ['src/cli/leads.ts', 'export', '--format', format, '--output', output];
  try {
    const startedMs = performance.now();
    const child = spawn('sh', [script, ...argv], {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    let residentMiB = 0;
    const watch = setInterval(() => {
      residentMiB = Math.max(residentMiB, highestMiB(child.pid));
    }, LOOK_EVERY_MS);
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    clearInterval(watch);
    if (code !== 0) throw new Error(`the export ended with ${code}`);
    const seconds = (performance.now() - startedMs) / 1_000;
    // A record ends with CRLF, and the example lead's texts have none; a lead in JSON is one line.
    const end = format === 'csv' ? '\r$' : '^{';
    const lines = Number(execFileSync('grep', ['-c', end, output]).toString());
    return {
      rows: format === 'csv' ? lines - 1 : lines,
      seconds,
      residentMiB,
      bytes: statSync(output).size,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the highest resident memory that a process has had (Linux). */
function highestMiB(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

/**
 * Exports this many leads, as both formats. Sets the exit code if the command is slower or larger than wanted.
 *
 * @param keptDir a folder whose filled database is kept and used again; default: a temporary one
 */
export async function benchExport(leads = 1_000_000, keptDir?: string): Promise<void> {
  const settings = { CONSOLE_PORT: 'off', OPERATIONS_PORT: 'off', PAGES: 'off' };
  const server = await startLeadServer(undefined, {
    ...settings,
    ...(keptDir !== undefined && { DATA_DIR: keptDir }),
  });
  try {
    const database = await findRunningEmbeddedPostgres(server.dataDir);
    if (!database) throw new Error('the server has no embedded database');
    const pool = await openFillingPool(server.dataDir, database.connectionString);
    const known = Number((await pool.query('select count(*) from leads')).rows[0]?.count);
    if (known < leads) {
      const lead = exampleLead();
      const poster = await createPoster(server.url, 1);
      await poster.post(lead);
      poster.close();
      await fillLeads(pool, String(lead.lead_id), { from: known, to: leads });
      await pool.query('vacuum analyze');
    }
    await pool.end();
    for (const format of ['csv', 'json'] as const) {
      const { rows, seconds, residentMiB, bytes } = await exportOnce(server.dataDir, format);
      const rate = rows / seconds;
      const isMissed = rate < WANTED.rowsPerSecond || residentMiB > WANTED.residentMiB;
      console.log(
        `  ${format} ${rows} leads in ${seconds.toFixed(1)} s: ${rate.toFixed(0)} rows/s ` +
          `(wanted: ${WANTED.rowsPerSecond}), ${residentMiB.toFixed(0)} MiB (wanted: ${WANTED.residentMiB}), ` +
          `${(bytes / 2 ** 20).toFixed(0)} MiB written${isMissed ? '  MISSED' : ''}`,
      );
      if (isMissed) process.exitCode = 1;
    }
  } finally {
    await server.stop();
  }
}
