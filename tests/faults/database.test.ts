/**
 * The database keeps every acknowledged row. Whatever happens to its processes and files, the next start
 * either serves them all, or ends with one clear sentence.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readServerFile, tryLockDataDir } from '../../src/postgres/data-dir-lock.ts';
import {
  findRunningEmbeddedPostgres,
  type RunningPostgres,
  startEmbeddedPostgres,
} from '../../src/postgres/embedded-postgres.ts';
import { databaseProcesses } from '../../src/postgres/process-table.ts';
import { startDelivery } from '../../src/server/delivery/index.ts';
import { inTransaction, openDatabase } from '../../src/server/storage/database.ts';
import { migrate } from '../../src/server/storage/migrate.ts';
import { preparedDataDir, superuserUrl, testLog } from '../support/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { controlled, countOpen, delivered, insertLead } from './delivery-fixture.ts';

const run = promisify(execFile);
const random = seededRandom('tests/faults/database.test.ts');
const OWNER = fileURLToPath(new URL('database-owner.ts', import.meta.url));

type Owner = {
  child: ChildProcess;
  ready: Promise<{ connectionString: string; pid: number; readyAfterMs: number }>;
  ended: Promise<{ code: number | null; errors: string }>;
};

const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function removeLater(dir: string): string {
  cleanUps.push(async () => {
    for (const { pid } of await databaseProcesses(path.join(dir, 'postgres'))) {
      kill(pid);
    }
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  return dir;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Whether the process still works in the directory; a zombie does not. */
async function isServing(dataDir: string, pid: number): Promise<boolean> {
  const processes = await databaseProcesses(path.join(dataDir, 'postgres'));
  return processes.some((process_) => process_.pid === pid);
}

async function emptyDir(): Promise<string> {
  return removeLater(await mkdtemp(path.join(tmpdir(), 'funnel fault ')));
}

async function clusterDir(): Promise<string> {
  return removeLater(await preparedDataDir('funnel fault '));
}

async function start(dataDir: string): Promise<RunningPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: testLog });
  cleanUps.push(() => postgres.stop());
  return postgres;
}

/** Starts the database in a separate process. */
function startOwner(dataDir: string): Owner {
  const child = spawn(process.execPath, [OWNER, dataDir], { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended: Owner['ended'] = new Promise((resolve) =>
    child.once('close', (code) => resolve({ code, errors })),
  );
  const ready: Owner['ready'] = new Promise((resolve, reject) => {
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

async function query<T extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
): Promise<T[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Writes numbers until `stop`, which returns the acknowledged ones. */
function writer(connectionString: string): { stop(): Promise<number[]> } {
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
        await sleep(5); // Without an acknowledgement it may be stored or not.
      }
    }
  });
  return {
    async stop() {
      isStopping = true;
      await Promise.all(loops);
      await close();
      return acknowledged;
    },
  };
}

async function missing(connectionString: string, acknowledged: number[]): Promise<number[]> {
  const rows = await query<{ id: number }>(connectionString, 'select id from written');
  const there = new Set(rows.map(({ id }) => id));
  expect(there.size).toBe(rows.length);
  return acknowledged.filter((id) => !there.has(id));
}

describe('the first start', () => {
  it('creates a database in a path with spaces, and the second start finds it', async () => {
    const dataDir = path.join(await emptyDir(), 'deep er', 'data');
    const first = await startEmbeddedPostgres({ dataDir, log: testLog });
    console.log(`first start: ready after ${first.readyAfterMs} ms`);
    await query(first.connectionString, 'create table kept (id int); insert into kept values (7)');
    await first.stop();
    expect(await isServing(dataDir, first.pid)).toBe(false);

    const second = await start(dataDir);
    console.log(`second start: ready after ${second.readyAfterMs} ms`);
    expect(second.connectionString).toBe(first.connectionString);
    expect(await query(second.connectionString, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  it('stores a generated password for its owner only, and listens on loopback only', async () => {
    const dataDir = await emptyDir();
    const postgres = await start(dataDir);
    const file = path.join(dataDir, 'postgres-password');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const password = (await readFile(file, 'utf8')).trim();
    expect(password).toMatch(/^[0-9a-f]{48}$/);
    expect(await readFile(path.join(dataDir, 'server.json'), 'utf8')).not.toContain(password);
    const url = new URL(postgres.connectionString);
    url.password = 'password';
    await expect(query(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    const settings = await query(
      await superuserUrl(dataDir, postgres.connectionString),
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
  });

  it.each(['server', 'server and initdb'])('starts over when %s are killed', async (victims) => {
    const dataDir = await emptyDir();
    const killed = startOwner(dataDir);
    const isThere = async () =>
      (await readdir(dataDir)).some((name) => name.startsWith('.postgres-init-'));
    await vi.waitFor(async () => expect(await isThere()).toBe(true), {
      interval: 2,
      timeout: 10_000,
    });
    // A random moment within initdb: what it leaves must not look like a database.
    await sleep(random.integer(0, 300));
    const { stdout } = await run('pgrep', ['-f', `initdb --pgdata=${dataDir}`]).catch(() => ({
      stdout: '',
    }));
    killed.child.kill('SIGKILL');
    if (victims !== 'server') {
      for (const pid of stdout.split('\n').filter(Boolean)) kill(Number(pid));
    }
    await killed.ended;
    const postgres = await start(dataDir);
    expect(await query(postgres.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await isThere()).toBe(false);
  });

  it('says in one sentence why a directory is not a database', async () => {
    const dataDir = await emptyDir();
    await mkdir(path.join(dataDir, 'postgres'));
    await writeFile(path.join(dataDir, 'postgres', 'precious'), 'mine');
    const failed = startEmbeddedPostgres({ dataDir, log: testLog });
    await expect(failed).rejects.toThrow(/is not a complete database: move it away/);
    expect(await readFile(path.join(dataDir, 'postgres', 'precious'), 'utf8')).toBe('mine');
    // The lock is free again.
    tryLockDataDir(dataDir)?.release();
  });
});

describe('the application’s role', () => {
  it('is not a superuser, reads no system file and runs no program', async () => {
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

  it('takes over what the superuser owns in an older data directory, or after a restore', async () => {
    const dataDir = await clusterDir();
    const first = await startEmbeddedPostgres({ dataDir, log: testLog });
    const asSuperuser = await superuserUrl(dataDir, first.connectionString);
    // As in an earlier version: one role, which owns everything.
    await query(
      asSuperuser,
      `reassign owned by application to postgres; drop owned by application;
       alter database postgres owner to postgres; drop role application`,
    );
    await migrate({ connectionString: asSuperuser, log: testLog });
    await query(
      asSuperuser,
      `create schema queue; create type queue.state as enum ('waiting', 'done');
       create type queue.pair as (one int, two int); create domain queue.word as text;
       create table queue.jobs (id serial primary key, number int generated always as identity,
         state queue.state);
       create view queue.done as select id from queue.jobs;
       create sequence queue.alone;
       create function queue.add(one int) returns int language sql return one + 1;
       create procedure queue.nothing() language sql begin atomic select 1; end;
       insert into queue.jobs (state) values ('done');
       create table kept (id int); insert into kept values (7)`,
    );
    await first.stop();

    const { connectionString } = await start(dataDir);
    expect(connectionString).toBe(first.connectionString);
    const others = await query(
      connectionString,
      `with ours as (select oid from pg_namespace
         where nspname !~ '^pg_' and nspname <> 'information_schema')
       select relname as name from pg_class
         where relnamespace in (table ours) and relowner <> current_user::regrole
       union all select proname from pg_proc
         where pronamespace in (table ours) and proowner <> current_user::regrole
       union all select typname from pg_type
         where typnamespace in (table ours) and typowner <> current_user::regrole
       union all select nspname from pg_namespace
         where nspname = 'queue' and nspowner <> current_user::regrole
       union all select datname from pg_database
         where datname = current_database() and datdba <> current_user::regrole`,
    );
    expect(others).toEqual([]);
    expect(await query(connectionString, 'select id from kept')).toEqual([{ id: 7 }]);
    await migrate({ connectionString, log: testLog });
    // A migration may do this.
    await query(connectionString, 'alter table leads add column another int');
    await query(connectionString, 'drop schema queue cascade');
  });
});

describe('the lock on the data directory', () => {
  it('refuses a second server with one sentence, but admits a tool beside the first', async () => {
    const dataDir = await clusterDir();
    expect(await findRunningEmbeddedPostgres(dataDir)).toBeUndefined();
    const first = startOwner(dataDir);
    const { connectionString } = await first.ready;
    expect(await findRunningEmbeddedPostgres(dataDir)).toEqual({ connectionString });

    const second = startOwner(dataDir);
    const { code, errors } = await second.ended;
    expect(code).toBe(1);
    expect(errors.trim().split('\n')).toEqual([
      expect.stringContaining(`in use by a running server (process ${first.child.pid})`),
    ]);
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);

    first.child.stdin?.end();
    expect((await first.ended).code).toBe(0);
    expect(await findRunningEmbeddedPostgres(dataDir)).toBeUndefined();
    expect(await databaseProcesses(path.join(dataDir, 'postgres'))).toEqual([]);
  });

  it('lets one of two simultaneous starts win on an orphaned database', async () => {
    const dataDir = await clusterDir();
    const dead = startOwner(dataDir);
    await dead.ready;
    dead.child.kill('SIGKILL');
    await dead.ended;
    const rivals = [startOwner(dataDir), startOwner(dataDir)];
    const results = await Promise.allSettled(rivals.map(({ ready }) => ready));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const masters = await databaseProcesses(path.join(dataDir, 'postgres'));
    expect(masters.filter(({ isPostmaster }) => isPostmaster)).toHaveLength(1);
  });
});

describe('kills', () => {
  it('recovers a killed server’s database completely', async () => {
    const dataDir = await clusterDir();
    for (let round = 1; round <= 3; round += 1) {
      const owner = startOwner(dataDir);
      const { connectionString, pid } = await owner.ready;
      await query(connectionString, 'create table if not exists written (id int)');
      await query(connectionString, 'truncate written');
      const writing = writer(connectionString);
      await sleep(random.integer(20, 200));
      owner.child.kill('SIGKILL');
      await owner.ended;
      expect(await isServing(dataDir, pid)).toBe(true);
      const startedAtMs = performance.now();
      const next = await startEmbeddedPostgres({ dataDir, log: testLog });
      const tookMs = performance.now() - startedAtMs;
      const acknowledged = await writing.stop();
      console.log(
        `round ${round}: serving again after ${Math.round(tookMs)} ms, ${acknowledged.length} acknowledged`,
      );
      expect(await isServing(dataDir, pid)).toBe(false);
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(await missing(next.connectionString, acknowledged)).toEqual([]);
      await next.stop();
    }
  });

  it('restarts a killed database by itself, complete, on the same address', async () => {
    const dataDir = await clusterDir();
    const postgres = await start(dataDir);
    const { connectionString } = postgres;
    await query(connectionString, 'create table written (id int)');
    for (let round = 1; round <= 3; round += 1) {
      await query(connectionString, 'truncate written');
      const writing = writer(connectionString);
      await sleep(random.integer(20, 200));
      const killedPid = postgres.pid;
      const lost = new Promise<number>((resolve) =>
        postgres.onLost(() => resolve(performance.now())),
      );
      const restored = new Promise<number>((resolve) =>
        postgres.onRestored(() => resolve(performance.now())),
      );
      const killedAtMs = performance.now();
      process.kill(killedPid, 'SIGKILL');
      const noticedAfterMs = (await lost) - killedAtMs;
      const backAfterMs = (await restored) - killedAtMs;
      await sleep(100); // Writers continue on the same pool.
      const acknowledged = await writing.stop();
      console.log(
        `round ${round}: noticed after ${Math.round(noticedAfterMs)} ms, back after ${Math.round(backAfterMs)} ms, ${acknowledged.length} acknowledged`,
      );
      expect(postgres.pid).not.toBe(killedPid);
      expect(await missing(connectionString, acknowledged)).toEqual([]);
    }
  });

  it('can be stopped during a restart', async () => {
    const dataDir = await clusterDir();
    const postgres = await start(dataDir);
    process.kill(postgres.pid, 'SIGKILL');
    await new Promise<void>((resolve) => postgres.onLost(resolve));
    await Promise.all([postgres.stop(), postgres.stop()]);
    expect(await databaseProcesses(path.join(dataDir, 'postgres'))).toEqual([]);
    const next = await start(dataDir);
    expect(await query(next.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('a killed backend fails only its one query, which the pool retries', async () => {
    const dataDir = await clusterDir();
    const { connectionString } = await start(dataDir);
    const { pool, close } = openDatabase({ connectionString, poolMax: 3, log: testLog });
    await query(connectionString, 'create table written (id int primary key)');
    const [first, second]: (number | undefined)[] = (
      await Promise.all(
        [1, 2, 3].map(() => pool.query('select pg_backend_pid() as pid, pg_sleep(0.05)')),
      )
    ).map(({ rows }) => rows[0].pid);
    // Operators and the operating system send SIGTERM. (After a SIGKILL of a backend the postmaster restarts
    // all of them; the next lines test that.)
    if (!first || !second) throw new Error('No backend told its process id');
    process.kill(first, 'SIGTERM');
    const insert = (id: number) =>
      inTransaction(
        pool,
        (client) => client.query('insert into written values ($1) on conflict do nothing', [id]),
        // As long as the postmaster's restart takes on a busy machine.
        { idempotent: true, maxAttempts: 12, retryForMs: 60_000 },
      );
    await Promise.all([1, 2, 3, 4].map(insert));
    process.kill(second, 'SIGKILL');
    await Promise.all([5, 6, 7, 8].map(insert));
    expect(await missing(connectionString, [1, 2, 3, 4, 5, 6, 7, 8])).toEqual([]);
    await close();
  });
});

describe('pid files', () => {
  const stale = (pid: number, dir: string) =>
    `${pid}\n${dir}\n1700000000\n20123\n\n127.0.0.1\n 123456    654321\nready   \n`;

  it.each(['empty', 'damaged', 'stale', 'colliding'])(
    'starts with a pid file that is %s',
    async (kind) => {
      const dataDir = await clusterDir();
      const cluster = path.join(dataDir, 'postgres');
      const stranger = spawn('sleep', ['60'], { cwd: tmpdir(), stdio: 'ignore' });
      cleanUps.push(async () => stranger.kill('SIGKILL'));
      const content = {
        empty: '',
        damaged: 'not a pid file\n',
        stale: stale(2 ** 22 - 1, cluster),
        // The pid in our file belongs to a foreign process, which must survive.
        colliding: stale(stranger.pid ?? 0, cluster),
      }[kind];
      await writeFile(path.join(cluster, 'postmaster.pid'), content ?? '');
      const postgres = await start(dataDir);
      expect(await query(postgres.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
      expect(stranger.exitCode).toBeNull();
      expect(stranger.signalCode).toBeNull();
    },
  );

  it('finds a living orphan without its pid file', async () => {
    const dataDir = await clusterDir();
    const owner = startOwner(dataDir);
    const { pid } = await owner.ready;
    owner.child.kill('SIGKILL');
    await owner.ended;
    await writeFile(path.join(dataDir, 'postgres', 'postmaster.pid'), '');
    await start(dataDir);
    expect(await isServing(dataDir, pid)).toBe(false);
  });

  it('takes another port if the last one is taken', async () => {
    const dataDir = await clusterDir();
    const first = await startEmbeddedPostgres({ dataDir, log: testLog });
    await first.stop();
    const { port } = await readServerFile(dataDir);
    const { createServer } = await import('node:net');
    const squatter = createServer().listen(port ?? 0, '127.0.0.1');
    await new Promise((resolve) => squatter.once('listening', resolve));
    cleanUps.push(() => new Promise((resolve) => squatter.close(resolve)));
    const second = await start(dataDir);
    expect(new URL(second.connectionString).port).not.toBe(String(port));
    expect(await query(second.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('settings', () => {
  it.each(['fsync', 'full_page_writes', 'synchronous_commit'])(
    'refuses to start with %s off',
    async (setting) => {
      const dataDir = await clusterDir();
      await appendFile(path.join(dataDir, 'postgres', 'postgresql.conf'), `\n${setting} = off\n`);
      const failed = startEmbeddedPostgres({ dataDir, log: testLog });
      await expect(failed).rejects.toThrow(`${setting}=off`);
      expect(await databaseProcesses(path.join(dataDir, 'postgres'))).toEqual([]);
    },
  );

  it('repeats PostgreSQL’s own message when it cannot start', async () => {
    const dataDir = await clusterDir();
    await appendFile(path.join(dataDir, 'postgres', 'postgresql.conf'), '\nno_such_setting = 1\n');
    await expect(startEmbeddedPostgres({ dataDir, log: testLog })).rejects.toThrow(
      /did not start: .*configuration file/,
    );
  });

  it('tightens a password file with wide permissions, and reports a missing one', async () => {
    const dataDir = await clusterDir();
    const file = path.join(dataDir, 'postgres-password');
    await chmod(file, 0o644);
    const postgres = await startEmbeddedPostgres({ dataDir, log: testLog });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await postgres.stop();
    await rm(file);
    await expect(startEmbeddedPostgres({ dataDir, log: testLog })).rejects.toThrow(
      /postgres-password is missing/,
    );
  });
});

describe('the database down', () => {
  // The promise is 60 s; FAULT_AWAY_MS=60000 tests it.
  const awayMs = Number(process.env.FAULT_AWAY_MS ?? 6_000);

  it(`resumes its deliveries after ${awayMs} ms`, async () => {
    const dataDir = await clusterDir();
    const first = await startEmbeddedPostgres({ dataDir, log: testLog });
    const { connectionString } = first;
    await migrate({ connectionString, log: testLog });
    const { pool, close } = openDatabase({ connectionString, poolMax: 3, log: testLog });
    cleanUps.push(close);
    const sends: string[] = [];
    let isBlocked = true;
    const destination = controlled('ingest', async ({ leadId }) => {
      sends.push(leadId);
      await vi.waitFor(() => expect(isBlocked).toBe(false), { timeout: awayMs + 30_000 });
      return delivered;
    });
    const delivery = await startDelivery({
      pool,
      destinations: [destination],
      concurrency: 2,
      log: testLog,
      alert: () => undefined,
    });
    cleanUps.push(() => delivery.stop(0));
    // When it stops, two leads are being sent, and one waits for a slot.
    const leads = [await insertLead(pool), await insertLead(pool), await insertLead(pool)];
    await vi.waitFor(() => expect(sends).toHaveLength(2), { timeout: 5_000 });
    await first.stop();
    await expect(insertLead(pool)).rejects.toThrow();
    await sleep(awayMs);
    // Both answers arrive while the database is down.
    isBlocked = false;
    await sleep(100);
    expect(sends).toHaveLength(2);
    const second = await start(dataDir);
    expect(second.connectionString).toBe(connectionString);
    const backAtMs = performance.now();
    leads.push(await insertLead(pool));
    await vi.waitFor(async () => expect(await countOpen(pool)).toBe(0), { timeout: 30_000 });
    console.log(`all were sent ${Math.round(performance.now() - backAtMs)} ms after its return`);
    expect(new Set(sends)).toEqual(new Set(leads.map(({ leadId }) => leadId)));
    // After more than a lease, the interrupted sends may be repeated, because their end was not recorded.
    if (awayMs < 10_000) expect(sends).toHaveLength(leads.length);
    await delivery.stop(5_000);
    await close();
  }, 180_000);
});
