import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import pg from 'pg';
import { Agent, request } from 'undici';
import { createLog } from '../src/server/log.ts';
import { findRunningEmbeddedPostgres } from '../src/server/storage/embedded-postgres.ts';
import { createQueue } from '../src/server/storage/queue.ts';
import { endProgram, startProgram, startStack } from '../tests/e2e/support/stack.ts';
import { exampleLead } from './example-lead.ts';
import { type LoadResult, load, reportLine } from './load.ts';

const connections = 32;

/** Resident memory of a process in MiB, by the system's own account. */
function residentMiB(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024;
}

/**
 * Measures `POST /post-lead` beside three floors on the same database, in one run (issue 2, "It must
 * show" 5): a bare insert-and-commit, a lead row and its job in one transaction without HTTP, and a
 * POST that is only echoed. The server sends no deliveries meanwhile (DELIVERY_CONCURRENCY=0): that
 * would measure the sandbox.
 *
 * @param durationMs of each measurement; every one is made twice, in turns
 */
export async function benchPostLead(durationMs = 4_000): Promise<void> {
  const stack = await startStack({ DELIVERY_CONCURRENCY: '0', LOG_LEVEL: 'error' });
  const database = await findRunningEmbeddedPostgres(stack.dataDir);
  if (!database) throw new Error('the server has no embedded database');
  const pool = new pg.Pool({ connectionString: database.connectionString, max: connections });
  const log = await createLog({ level: 'error' });
  const queue = createQueue({ ...database, log, supervise: false });
  const agent = new Agent({ connections, pipelining: 1 });
  const echo = await startEcho();
  const pid = stack.server.pid as number;
  try {
    await queue.start();
    const post = async (url: string) => {
      const answer = await request(url, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(exampleLead()),
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
    };
    // The floors write the same lead row as the server does, of a lead that it has just stored.
    await post(`${stack.url}/post-lead`);
    const { rows } = await pool.query<{ lead: object }>(
      'select to_jsonb(leads) as lead from leads',
    );
    const insert = (client: pg.Pool | pg.PoolClient) =>
      client.query({
        name: 'bench-insert',
        text: 'insert into leads select * from jsonb_populate_record(null::leads, $1::jsonb)',
        values: [JSON.stringify({ ...rows[0]?.lead, id: exampleLead().lead_id })],
      });
    const inTransaction = async (work: (client: pg.PoolClient) => Promise<unknown>) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await work(client);
        await client.query('commit');
      } finally {
        client.release();
      }
    };
    const measured: [name: string, call: () => Promise<unknown>][] = [
      ['POST /post-lead', () => post(`${stack.url}/post-lead`)],
      ['echo POST, nothing stored', () => post(`${echo.url}/echo`)],
      ['insert and commit, no HTTP', () => inTransaction(insert)],
      [
        'lead row and job in one transaction, no HTTP',
        () =>
          inTransaction(async (client) => {
            await insert(client);
            await queue.sendInTransaction(client, randomUUID());
          }),
      ],
    ];
    console.log(`POST /post-lead, ${connections} connections, two rounds in turns:`);
    const idleMiB = residentMiB(pid);
    const best = new Map<string, LoadResult>();
    for (let round = 0; round < 2; round += 1) {
      for (const [name, call] of measured) {
        const result = await load(connections, durationMs, async () => {
          await call();
        });
        console.log(reportLine(name, result));
        const before = best.get(name);
        if (!before || result.perSecond > before.perSecond) best.set(name, result);
      }
    }
    const rate = (index: number) => best.get(measured[index]?.[0] ?? '')?.perSecond ?? Number.NaN;
    console.log(
      `  server memory ${idleMiB.toFixed(0)} MiB before, ${residentMiB(pid).toFixed(0)} MiB after`,
    );
    console.log(
      `  ${(rate(0) / rate(3)).toFixed(2)} of lead row and job without HTTP (target: at least 0.70)`,
    );
    const perLeadMs = (index: number) => 1000 / rate(index);
    console.log(
      `  a lead costs ${perLeadMs(0).toFixed(3)} ms: ${perLeadMs(1).toFixed(3)} is HTTP and JSON (the echo), the rest the rules, the check and the rows`,
    );
  } finally {
    await queue.stop({ graceful: false, timeoutMs: 0 });
    await pool.end();
    await agent.close();
    await echo.stop();
    await stack.stop();
    rmSync(stack.dataDir, { recursive: true, force: true });
  }
}

/** The echo server, in a process of its own as the real one is. */
async function startEcho(): Promise<{ url: string; stop(): Promise<void> }> {
  const { child, url } = await startProgram(['bench/echo.ts'], {});
  return { url, stop: () => endProgram(child, 'SIGTERM') };
}
