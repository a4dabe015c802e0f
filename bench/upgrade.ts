/**
 * Measures an upgrade: an older version takes posts while this one migrates a database of many leads and builds its
 * indexes. The new server is killed while it builds and while it packs, and goes on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';
import { type Program, root, startProgram } from '../tests/support/program.ts';
import { exampleLead } from './example-lead.ts';
import { fillLeads, openFillingPool } from './fill-leads.ts';
import { leadServerSettings, postLead } from './lead-server.ts';
import { createPoster } from './poster.ts';

const LEADS = 100_000;
const POSTS_A_SECOND = 100;
/** As many as wait for a table at once. */
const CONNECTIONS = 400;
const START_MS = 3_600_000;
const BESIDE_PACKING_MS = 30_000;

/** Steps of the copies' visits, one with the person's address. */
const STEPS = `
insert into progress (lead_id, seq, survey, step, kind, answers, received_at)
select id, seq, survey, 'AtFault', 'answered',
  case when seq = 1 then jsonb_build_object('email', id || '@example.com') else '{}' end, created_at
from leads, generate_series(1, 2) seq where id <> $1`;

/** @param against the older version's checkout, with its modules installed */
export async function benchUpgrade(against: string | undefined, leads = LEADS): Promise<void> {
  if (against === undefined) {
    console.log('upgrade: --against must name a checkout of an older version.');
    return;
  }
  const dir = mkdtempSync(join(tmpdir(), 'bench-'));
  const dataDir = join(dir, 'database');
  const log = pino({ level: 'error' });
  const database = await startEmbeddedPostgres({ dataDir, log });
  const pool = await openFillingPool(dataDir, database.connectionString);
  const running: Program[] = [];
  const start = (checkout: string, name: string) => {
    const server = startProgram(
      ['sh', join(checkout, 'scripts/server.sh'), join(checkout, 'src/server/main.ts')],
      {
        cwd: checkout,
        env: {
          ...{ HOME: dir, ...leadServerSettings, DATA_DIR: join(dir, name) },
          ...{ DATABASE_URL: database.connectionString, PERSON_KEY_SECRET: 's'.repeat(43) },
          ...{ LOG_LEVEL: 'warn', CONSOLE_PORT: 'off', OPERATIONS_PORT: 'off', PAGES: 'off' },
        },
        timeoutMs: START_MS,
        address: /(http:\/\/127\.0\.0\.1:\d+)/,
      },
    );
    running.push(server);
    return server;
  };
  const startNew = () => start(root, 'new');
  const count = async (text: string) => Number((await pool.query(text)).rows[0]?.count ?? 0);
  const until = async (text: string) => {
    while ((await count(text)) === 0) await sleep(20);
  };
  try {
    const old = start(against, 'old');
    await fill(pool, await old.url, leads);
    console.log(
      `An upgrade with ${leads} leads, filled in ${(performance.now() / 1000).toFixed(0)} s:`,
    );

    const onOld = await keepPosting(await old.url);
    await sleep(5_000);
    onOld.report('old server alone');
    const migrationsBefore = await count('select count(*) from kysely_migration');
    const startedMs = performance.now();
    const since = () => ((performance.now() - startedMs) / 1000).toFixed(1);
    const first = startNew();
    await until(`select count(*) from kysely_migration having count(*) > ${migrationsBefore}`);
    console.log(`  migrated after ${since()} s, the start of the server among them`);
    onOld.report('old server, until then');
    await until(`select count(*) from pg_class where relname = 'lead_revisions_email_idx'`);
    await first.end('SIGKILL');
    const VALID = `select count(*) from pg_index where indisvalid and indrelid::regclass::text not like 'pg_%'`;
    console.log(`  killed after ${since()} s: ${await count(VALID)} indexes`);
    const second = startNew();
    const newUrl = await second.url;
    console.log(`  the new server listens after ${since()} s`);
    await until(await allBuilt());
    console.log(`  all indexes after ${since()} s: ${await count(VALID)}`);
    onOld.report('old server, meanwhile');
    await onOld.end();
    await old.end();

    const onNew = await keepPosting(newUrl);
    await sleep(5_000);
    onNew.report('new server');
    await onNew.end();
    await second.end();
    await pool.query(`update packing set begins_at = '-infinity'`);
    const PACKED = `select count(*) from leads
      where (created_at, id) <= (select at, lead_id from packing where what = 'leads')`;
    const third = startNew();
    await third.url;
    await until(PACKED);
    await third.end('SIGKILL');
    const packed = await count(PACKED);
    console.log(`  killed while it packed: ${packed} leads were packed`);
    const fourth = startNew();
    const beside = await keepPosting(await fourth.url);
    await until(`${PACKED} having count(*) > ${packed + 1_000}`);
    await sleep(BESIDE_PACKING_MS);
    beside.report('new server, packing');
    await beside.end();
    console.log(`  packed: ${await count(PACKED)}`);
    const accepted = onOld.accepted() + onNew.accepted() + beside.accepted();
    const lost = 1 + leads + accepted - (await count('select count(*) from leads'));
    console.log(`  ${accepted} posts were accepted, ${lost} of them are lost`);
    console.log(running.map(({ output }) => output()).join(''));
  } finally {
    for (const server of running) await server.end();
    await pool.end();
    await database.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Returns SQL that counts 1 once the indexes of this version are built. */
async function allBuilt(): Promise<string> {
  const text = await readFile(join(root, 'migrations/indexes.sql'), 'utf8');
  const names = [...text.matchAll(/^create index concurrently (\w+)/gm)].map(([, name]) => name);
  return `select (count(*) = ${names.length})::integer as count
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indisvalid and relname = any('{${names.join(',')}}')`;
}

async function fill(pool: pg.Pool, url: string, leads: number): Promise<void> {
  const poster = await createPoster(url, 1);
  const lead = exampleLead();
  await postLead(poster, lead).finally(() => poster.close());
  await fillLeads(pool, lead.lead_id ?? '', { from: 0, to: leads, age: '2 days' });
  await pool.query(STEPS, [lead.lead_id]);
  await pool.query('vacuum analyze');
}

/** Posts at a steady rate, however long the answers take. */
async function keepPosting(url: string) {
  const poster = await createPoster(url, CONNECTIONS);
  const waiting = new Set<Promise<void>>();
  let times: number[] = [];
  let failures: string[] = [];
  let accepted = 0;
  const post = async () => {
    const fromMs = performance.now();
    await postLead(poster, exampleLead()).then(
      () => {
        accepted += 1;
      },
      (error: Error) => failures.push(error.message),
    );
    times.push(performance.now() - fromMs);
  };
  const timer = setInterval(() => {
    const posting = post().finally(() => waiting.delete(posting));
    waiting.add(posting);
  }, 1_000 / POSTS_A_SECOND);
  return {
    accepted: () => accepted,
    /** Prints the posts since the last report. */
    report(what: string) {
      times.sort((a, b) => a - b);
      const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(0);
      console.log(
        `  ${what.padEnd(26)} ${times.length} posts, median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms, ` +
          `${failures.length} failed ${[...new Set(failures)].join(', ')}`,
      );
      [times, failures] = [[], []];
    },
    async end() {
      clearInterval(timer);
      await Promise.all(waiting);
      poster.close();
    },
  };
}
