/** Tests the recipe in docs/operations.md#backup with the system's own PostgreSQL client and tar. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/server/platform/postgres/embedded-postgres.ts';
import { preparedDataDir, testLog } from '../support/postgres.ts';

const run = promisify(execFile);
const script = path.join(import.meta.dirname, '..', '..', 'scripts', 'backup.sh');
const hasClient = spawnSync('psql', ['--version']).error === undefined;

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

test.runIf(hasClient)(
  'a backup taken under load contains every row that was stored before the backup began',
  async () => {
    const dataDir = await preparedDataDir('funnel backup ');
    const folder = await mkdtemp(path.join(tmpdir(), 'funnel restored '));
    for (const each of [dataDir, folder]) {
      cleanUps.push(() => rm(each, { recursive: true, force: true, maxRetries: 5 }));
    }
    const original = await startEmbeddedPostgres({ dataDir, log: testLog });
    cleanUps.push(() => original.stop());
    const pool = new pg.Pool({ connectionString: original.connectionString });
    await pool.query('create table written (id int primary key, filler text)');
    const write = (id: number) =>
      pool.query(`insert into written values ($1, repeat('x', 5000))`, [id]);
    let last = 0;
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        last += 1;
        await write(last);
      }
    })();
    await expect.poll(() => last).toBeGreaterThan(20);
    const before = last - 1;
    const file = path.join(folder, 'leads.tar');
    await run('sh', [script, file], { env: { ...process.env, DATA_DIR: dataDir } }).finally(() => {
      isOver = true;
    });
    await writing;
    await pool.end();

    const restored = path.join(folder, 'data');
    await run('mkdir', [restored]);
    await run('tar', ['-xpf', file, '-C', restored]);
    const copy = await startEmbeddedPostgres({ dataDir: restored, log: testLog });
    cleanUps.push(() => copy.stop());
    const client = new pg.Client({ connectionString: copy.connectionString });
    await client.connect();
    const { rows } = await client.query<{ id: number }>('select id from written order by id');
    await client.end();
    expect(rows.length).toBeGreaterThanOrEqual(before);
    expect(rows.map(({ id }) => id)).toEqual(rows.map((_, index) => index + 1));
    // A second backup must not overwrite the first backup of the same name.
    await expect(
      run('sh', [script, file], { env: { ...process.env, DATA_DIR: dataDir } }),
    ).rejects.toThrow(/already exists/);
  },
);

test('backup.sh reports in one sentence why it cannot make a backup', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'funnel backup '));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  const backup = (file: string) =>
    spawnSync('sh', [script, path.join(folder, file)], {
      env: { ...process.env, DATA_DIR: folder },
      encoding: 'utf8',
    });
  expect(backup('none/leads.tar').stderr).toBe(
    `${folder}/none is not a directory: create it first\n`,
  );
  expect(backup('leads.tar').stderr).toBe(
    `no server runs on ${folder}: start it, or set DATA_DIR\n`,
  );
});
