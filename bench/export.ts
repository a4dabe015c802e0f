/** Measures the speed and the memory of `npm run leads -- export`. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRunningEmbeddedPostgres } from '../src/server/platform/postgres/embedded-postgres.ts';
import { root } from '../tests/support/program.ts';
import { countVisits, fillLeads, openFillingPool } from './fill-leads.ts';
import { createPoster, exampleLead, startLeadServer } from './lead-server.ts';

/** The targets of docs/specification.md#speed. */
const WANTED = { rowsPerSecond: 10_000, residentMiB: 150 };
const LOOK_EVERY_MS = 50;

async function exportOnce(dataDir: string, format: 'csv' | 'json'): Promise<void> {
  const output = join(dataDir, `leads.${format}`);
  const argv = ['src/cli/leads.ts', 'export', '--format', format, '--output', output];
  const startedMs = performance.now();
  const child = spawn('sh', ['scripts/server.sh', ...argv], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let mostMiB = 0;
  const watch = setInterval(() => {
    mostMiB = Math.max(mostMiB, residentMiB(child.pid));
  }, LOOK_EVERY_MS);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`the export ended with ${code}`);
  const seconds = (performance.now() - startedMs) / 1_000;
  // Each record of the export has exactly one line that matches this pattern.
  const end = format === 'csv' ? '\r$' : '^{';
  const lines = Number(execFileSync('grep', ['-c', end, output]).toString());
  const rows = format === 'csv' ? lines - 1 : lines;
  const rate = rows / seconds;
  const isMissed = rate < WANTED.rowsPerSecond || mostMiB > WANTED.residentMiB;
  console.log(
    `  ${format} ${rows} rows in ${seconds.toFixed(1)} s: ${rate.toFixed(0)} a second (wanted: ` +
      `${WANTED.rowsPerSecond}), ${mostMiB.toFixed(0)} MiB (wanted: ${WANTED.residentMiB})` +
      (isMissed ? '  MISSED' : ''),
  );
  if (isMissed) process.exitCode = 1;
}

function residentMiB(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

/** Exports `leads` leads as CSV and as JSON. Sets the exit code to 1 if a target is missed. */
export async function benchExport(leads = 1_000_000): Promise<void> {
  const server = await startLeadServer();
  try {
    const database = await findRunningEmbeddedPostgres(server.dataDir);
    if (!database) throw new Error('the server has no embedded database');
    const pool = await openFillingPool(server.dataDir, database.connectionString);
    const lead = exampleLead();
    const poster = createPoster(server.url, 1);
    await poster.post(lead);
    await poster.close();
    await countVisits(pool);
    await fillLeads(pool, String(lead.lead_id), { from: 0, to: leads });
    await pool.query('vacuum analyze');
    await pool.end();
    for (const format of ['csv', 'json'] as const) await exportOnce(server.dataDir, format);
  } finally {
    await server.stop();
  }
}
