/**
 * Fills the database's disk while leads arrive. No acknowledged lead may be lost. Only root on
 * Linux can run the test, because the test mounts a small disk.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { open as openFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { findRunningEmbeddedPostgres } from '../../src/server/platform/postgres/embedded-postgres.ts';
import { until } from '../support/delivery.ts';
import { preparedDataDir, query } from '../support/postgres.ts';
import { createVisitors, sendingTo, startServerProcess } from '../support/server-process.ts';

const DISK_MEGABYTES = 256;
const RECOVERED_WITHIN_MS = 60_000;

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

const dir = mkdtempSync(path.join(tmpdir(), 'funnel-disk-'));
cleanUps.push(() => rmdirSync(dir));
const whyNot = mount();
if (whyNot) console.log(`The full-disk test is skipped: ${whyNot}`);
else cleanUps.push(() => execFileSync('umount', [dir]));

/** Mounts a small in-memory disk, or returns why that is impossible. */
function mount(): string | undefined {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'only root may mount a small disk';
  const options = `size=${DISK_MEGABYTES}m,mode=0711`;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir], { stdio: 'pipe' });
  } catch (error) {
    return `mount: ${String((error as { stderr?: Buffer }).stderr ?? error).trim()}`;
  }
  return undefined;
}

/** Fills the disk on which the file is. */
async function fillDisk(file: string): Promise<void> {
  const handle = await openFile(file, 'w');
  for (const size of [2 ** 20, 4_096]) {
    const chunk = Buffer.alloc(size);
    const fill = async () => {
      for (;;) await handle.write(chunk);
    };
    await expect(fill()).rejects.toMatchObject({ code: 'ENOSPC' });
  }
  await handle.close();
}

async function repeatedly(work: () => Promise<void>, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await work();
}

test.skipIf(whyNot)(
  'the server loses no acknowledged lead when the disk is full',
  async () => {
    const sandbox = await startSandbox();
    cleanUps.push(() => sandbox.close());
    const prepared = await preparedDataDir();
    const dataDir = path.join(dir, 'data');
    execFileSync('cp', ['-a', prepared, dataDir]);
    await rm(prepared, { recursive: true, force: true });
    const server = await startServerProcess(dataDir, { ...sendingTo(sandbox) });
    cleanUps.push(() => server.stop());
    const { connectionString = '' } = (await findRunningEmbeddedPostgres(dataDir)) ?? {};
    const visitors = createVisitors(() => server.url, 2_500);
    cleanUps.push(() => visitors.stop());
    const { acknowledged } = visitors;
    await Promise.all(Array.from({ length: 40 }, () => visitors.post()));
    const alerts = () => server.output().match(/"alert":true[^\n]*full[^\n]*/g) ?? [];
    expect(alerts()).toEqual([]);

    const ballast = path.join(dir, 'ballast');
    await fillDisk(ballast);
    expect((await statfs(dir)).bavail).toBe(0);
    const posts: Promise<void>[] = [];
    let open = 0;
    const post = () => {
      open += 1;
      const done = () => {
        open -= 1;
      };
      posts.push(visitors.post().finally(done));
    };
    const isTold = async () => {
      while (open < 16) post();
      const said = alerts().join();
      return said.includes('nearly full') && said.includes('is full: no lead can be stored');
    };
    await until(isTold, 60_000, 500);
    const stuckAt = acknowledged.size;
    // Fills the write-ahead log, because PostgreSQL stops when the log cannot grow.
    const writer = new pg.Client({ connectionString });
    writer.on('error', () => undefined);
    await writer.connect();
    const isDead = async () => {
      await writer.query(`select pg_logical_emit_message(false, 'test', repeat('x', 1000000))`);
    };
    await expect(repeatedly(isDead, 2 * DISK_MEGABYTES)).rejects.toThrow();
    await until(async () => /"msg":"The database has died/.test(server.output()));
    const inVain = /"msg":"The database could not be restarted/g;
    await until(async () => (server.output().match(inVain)?.length ?? 0) >= 3);
    console.log(`Full after ${stuckAt} leads; ${acknowledged.size - stuckAt} more while it was`);

    await rm(ballast);
    const startedAtMs = performance.now();
    for (let more = 0; more < 20; more += 1) post();
    await until(async () => open === 0, RECOVERED_WITHIN_MS);
    await Promise.all(posts);
    console.log(`All were stored ${Math.round(performance.now() - startedAtMs)} ms after`);
    expect(server.isRunning()).toBe(true);

    const rows = await query<{ id: string }>(connectionString, 'select id from leads');
    expect(rows.map(({ id }) => id).sort()).toEqual([...acknowledged].sort());
    const ofSandbox = () => new Set(sandbox.effects().map(({ detail }) => detail.lead_id));
    await until(async () => ofSandbox().size >= acknowledged.size, RECOVERED_WITHIN_MS);
    expect([...ofSandbox()].sort()).toEqual([...acknowledged].sort());
    expect(sandbox.effects().every(({ count }) => count === 1)).toBe(true);
  },
  // The time limit is longer than all waits together, because a failed wait has a clearer error
  // message.
  480_000,
);
