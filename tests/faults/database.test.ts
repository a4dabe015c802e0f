import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tryLockDataDir } from '../../src/server/platform/postgres/data-dir-lock.ts';
import {
  findRunningEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/server/platform/postgres/embedded-postgres.ts';
import { query, superuserUrl, testLog } from '../support/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import {
  cleanUpAll,
  clusterDir,
  emptyDir,
  missing,
  postmasterOf,
  processesOf,
  start,
  startOwner,
  writer,
} from './database-fixture.ts';

const random = seededRandom('tests/faults/database.test.ts');
afterEach(cleanUpAll);

describe('the first start of the database in a directory', () => {
  it('creates a database that only its owner can read', async () => {
    const dataDir = path.join(await emptyDir(), 'deep er', 'data');
    const first = await startEmbeddedPostgres({ dataDir, log: testLog });
    await query(first.connectionString, 'create table kept (id int); insert into kept values (7)');
    const file = path.join(dataDir, 'postgres-password');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const password = (await readFile(file, 'utf8')).trim();
    expect(password).toMatch(/^[0-9a-f]{48}$/);
    const url = new URL(first.connectionString);
    url.password = 'password';
    await expect(query(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    await first.stop();
    expect(await processesOf(dataDir)).toEqual([]);

    // These settings turn off durable commits, so the server must ignore them.
    const unsafe = '\nfsync = off\nfull_page_writes = off\nsynchronous_commit = off\n';
    await appendFile(path.join(dataDir, 'postgres', 'postgresql.conf'), unsafe);
    const second = await start(dataDir);
    const settings = await query(
      await superuserUrl(dataDir, second.connectionString),
      `select name, setting from pg_settings where name in
       ('listen_addresses', 'unix_socket_directories', 'data_checksums', 'password_encryption',
        'fsync', 'full_page_writes', 'synchronous_commit') order by name`,
    );
    expect(settings.map(({ name, setting }) => `${name}=${setting}`)).toEqual([
      'data_checksums=on',
      'fsync=on',
      'full_page_writes=on',
      'listen_addresses=127.0.0.1',
      'password_encryption=scram-sha-256',
      'synchronous_commit=on',
      'unix_socket_directories=',
    ]);
    expect(await query(second.connectionString, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  it('fails with a clear message if the directory contains other files', async () => {
    const dataDir = await emptyDir();
    await mkdir(path.join(dataDir, 'postgres'));
    await writeFile(path.join(dataDir, 'postgres', 'precious'), 'mine');
    const failed = startEmbeddedPostgres({ dataDir, log: testLog });
    await expect(failed).rejects.toThrow(/is not a complete database: move it away/);
    expect(await readFile(path.join(dataDir, 'postgres', 'precious'), 'utf8')).toBe('mine');
    // The failed start must have unlocked the directory.
    tryLockDataDir(dataDir)?.release();
  });
});

it('the application’s database role cannot read system files', async () => {
  const dataDir = await clusterDir();
  const { connectionString } = await start(dataDir);
  const password = (await readFile(path.join(dataDir, 'postgres-password'), 'utf8')).trim();
  expect(connectionString).not.toContain(password);
  await query(connectionString, 'create table lines (line text)');
  for (const forbidden of [
    "select pg_read_file('/etc/hostname')",
    "select pg_read_binary_file('postgresql.conf')",
    "select pg_ls_dir('/')",
    "select lo_import('/etc/hostname')",
    "copy lines from '/etc/hostname'",
    "copy lines to '/tmp/written-by-the-database'",
    "copy lines from program 'id'",
    'create role another superuser',
    'create database another',
    'alter role application superuser',
    'alter system set fsync = off',
    'set role postgres',
  ]) {
    await expect(query(connectionString, forbidden), forbidden).rejects.toMatchObject({
      code: '42501',
    });
  }
  expect(
    await query(
      connectionString,
      `select current_user as name, current_setting('is_superuser') as superuser,
           (select count(*)::int from pg_auth_members where member = current_user::regrole) as roles`,
    ),
  ).toEqual([{ name: 'application', superuser: 'off', roles: 0 }]);
});

describe('the lock on the data directory', () => {
  it('makes a second server exit with an error message', async () => {
    const dataDir = await clusterDir();
    expect(await findRunningEmbeddedPostgres(dataDir)).toBeUndefined();
    const first = startOwner(dataDir);
    const { connectionString } = await first.ready;
    expect(await findRunningEmbeddedPostgres(dataDir)).toEqual({ connectionString });

    const second = startOwner(dataDir);
    const { code, errors } = await second.ended;
    expect(code).toBe(1);
    expect(errors.trim().split('\n')).toEqual([
      expect.stringContaining('in use by a running server: stop it first'),
    ]);
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);

    first.child.stdin?.end();
    expect((await first.ended).code).toBe(0);
    expect(await findRunningEmbeddedPostgres(dataDir)).toBeUndefined();
    expect(await processesOf(dataDir)).toEqual([]);
  });
});

describe('a kill', () => {
  /** Kills the database at a random time, and expects all acknowledged rows after `recover`. */
  async function killWhileWriting(
    connectionString: string,
    kill: () => void,
    recover: (writing: ReturnType<typeof writer>) => Promise<string>,
  ) {
    await query(connectionString, 'create table written (id int)');
    const writing = writer(connectionString);
    await vi.waitFor(() => expect(writing.acknowledged.length).toBeGreaterThan(0));
    await sleep(random.integer(20, 200));
    kill();
    const recovered = await recover(writing);
    await writing.stop();
    expect(await missing(recovered, writing.acknowledged)).toEqual([]);
  }

  it('of the server loses no acknowledged row', async () => {
    const dataDir = await clusterDir();
    const owner = startOwner(dataDir);
    const { connectionString } = await owner.ready;
    await killWhileWriting(
      connectionString,
      () => owner.child.kill('SIGKILL'),
      async () => {
        await owner.ended;
        const orphaned = await postmasterOf(dataDir);
        const recovered = await start(dataDir);
        expect(await postmasterOf(dataDir)).not.toBe(orphaned);
        return recovered.connectionString;
      },
    );
  });

  it('of the database loses no acknowledged row', async () => {
    const dataDir = await clusterDir();
    const { connectionString } = await start(dataDir);
    const killed = await postmasterOf(dataDir);
    await killWhileWriting(
      connectionString,
      () => process.kill(killed, 'SIGKILL'),
      async ({ acknowledged }) => {
        const restarted = async () => expect(await postmasterOf(dataDir)).not.toBe(killed);
        await vi.waitFor(restarted, 60_000);
        const before = acknowledged.length;
        await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before), 60_000);
        return connectionString;
      },
    );
  });
});

it('the error of a failed start contains the message of PostgreSQL', async () => {
  const dataDir = await clusterDir();
  await appendFile(path.join(dataDir, 'postgres', 'postgresql.conf'), '\nno_such_setting = 1\n');
  const message = /did not start: .*configuration file/;
  await expect(startEmbeddedPostgres({ dataDir, log: testLog })).rejects.toThrow(message);
  expect(await processesOf(dataDir)).toEqual([]);
});
