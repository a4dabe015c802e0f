import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { inTransaction, openDatabase } from '../../src/server/platform/database/database.ts';
import {
  type RunningPostgres,
  startEmbeddedPostgres,
} from '../../src/server/platform/postgres/embedded-postgres.ts';
import {
  type DatabaseProcess,
  databaseProcesses,
} from '../../src/server/platform/postgres/postmaster.ts';
import { preparedDataDir, query, testLog } from '../support/postgres.ts';

const OWNER = fileURLToPath(new URL('database-owner.ts', import.meta.url));

type Ready = { connectionString: string };

/** Functions that run after the test, the last function first. */
export const cleanUps: (() => Promise<unknown>)[] = [];

export async function cleanUpAll(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}

function removeLater(dir: string): string {
  cleanUps.push(async () => {
    for (const { pid } of await processesOf(dir)) kill(pid);
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  return dir;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process may have ended before the signal.
  }
}

/** Returns the running database processes of a data directory. */
export const processesOf = (dataDir: string): Promise<DatabaseProcess[]> =>
  databaseProcesses(path.join(dataDir, 'postgres'));

/** Returns the process id of a running database's main process. */
export async function postmasterOf(dataDir: string): Promise<number> {
  const { pid } = (await processesOf(dataDir)).find((each) => each.isPostmaster) ?? {};
  // With pid 0, `kill` would end the tests' own process group.
  if (!pid) throw new Error('The postmaster was not found');
  return pid;
}

/** Creates an empty directory without a database. */
export async function emptyDir(): Promise<string> {
  return removeLater(await mkdtemp(path.join(tmpdir(), 'funnel fault ')));
}

/** Creates a data directory with a stopped database. */
export async function clusterDir(): Promise<string> {
  return removeLater(await preparedDataDir('funnel fault '));
}

/** Starts the database in the tests' process until the end of the test. */
export async function start(dataDir: string): Promise<RunningPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: testLog });
  cleanUps.push(() => postgres.stop());
  return postgres;
}

/** Starts the database in a separate process. */
export function startOwner(dataDir: string) {
  const child = spawn(process.execPath, [OWNER, dataDir], { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = new Promise<{ code: number | null; errors: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, errors })),
  );
  const ready = new Promise<Ready>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line)));
    void ended.then(() => reject(new Error(`The owner ended: ${errors}`)));
  });
  ready.catch(() => undefined);
  cleanUps.push(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return { child, ready, ended };
}

/**
 * Inserts numbers until `stop`. `acknowledged` contains the numbers that the database has accepted.
 */
export function writer(connectionString: string) {
  const { pool, close } = openDatabase({ connectionString, poolMax: 4, log: testLog });
  const acknowledged: number[] = [];
  let next = 0;
  let isStopping = false;
  const loops = Array.from({ length: 4 }, async () => {
    while (!isStopping) {
      const id = next;
      next += 1;
      try {
        await inTransaction(pool, (client) =>
          client.query('insert into written values ($1)', [id]),
        );
        acknowledged.push(id);
      } catch {
        await sleep(5); // The insert may have succeeded.
      }
    }
  });
  return {
    acknowledged,
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all(loops);
      await close();
    },
  };
}

/** Returns the acknowledged numbers that are not stored. */
export async function missing(
  connectionString: string,
  acknowledged: readonly number[],
): Promise<number[]> {
  const rows = await query<{ id: number }>(connectionString, 'select id from written');
  const there = new Set(rows.map(({ id }) => id));
  expect(there.size).toBe(rows.length);
  return acknowledged.filter((id) => !there.has(id));
}
