/**
 * Measures what evidence costs: writing leads in turns with and without the log, the log's bytes, and making and
 * verifying a pack. Ends with 1 if a wanted value is missed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import type pg from 'pg';
import { pino } from 'pino';
import { browserArgs, ensureBrowser } from '../scripts/browser.ts';
import { buildPages } from '../scripts/build.ts';
import { verifyPack } from '../src/evidence/verify-pack.ts';
import { readZip } from '../src/evidence/zip.ts';
import { startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';
import { parseSettings } from '../src/server/config/settings.ts';
import { readKeys } from '../src/server/operators/evidence/keys.ts';
import { appendPending } from '../src/server/operators/evidence/log.ts';
import { makePack } from '../src/server/operators/evidence/pack.ts';
import { openDatabase } from '../src/server/storage/database.ts';
import { createProgressStore } from '../src/server/storage/leads-progress.ts';
import { INSERT_LEADS } from '../src/server/storage/leads-statements.ts';
import { createLeadsStore } from '../src/server/storage/leads-store.ts';
import { migrate } from '../src/server/storage/migrate.ts';
import { packPortion } from '../src/server/storage/packing/job.ts';
import { personKey } from '../tests/support/person-keys.ts';
import { median } from './figures.ts';
import { madeVisits, seenBy } from './made-visits.ts';
import { rowMaker } from './post-lead.ts';

/** The largest batch that the server writes in one commit. */
const BATCH = 64;
const BATCHES_A_TURN = 15;
const TURNS = 21;
const WARM_UP = 3;
const LEADS = 6_000;
const PACKS = 20;
const wanted = { slower: 0.03, bytes: 200, packMs: 2_000, verifyMs: 1_000 };
const QUEUED = /\), to_log as \([^)]*\)[^)]*(?=\))/;

export async function benchEvidence(): Promise<void> {
  // Packs have the verifier, and the survey's own screens.
  buildPages();
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-evidence-'));
  const log = pino({ level: 'silent' });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const { connectionString } = postgres;
  await migrate({ connectionString, log });
  const database = openDatabase({ connectionString, poolMax: 8, log });
  const { pool } = database;
  try {
    const { settings } = parseSettings({ DATA_DIR: dataDir, PUBLIC_URL: 'https://bench.example' });
    const results = [
      ['posts, share lost', await shareLost(pool), wanted.slower],
      ['bytes a lead', await bytesOf(pool), wanted.bytes],
      ...(await packMs({ ...database, settings }, dataDir)),
    ] as const;
    for (const [name, value, most] of results) {
      console.log(`  ${name.padEnd(24)} ${value.toFixed(3).padStart(10)} (at most ${most})`);
      if (value > most) process.exitCode = 1;
    }
  } finally {
    await database.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Writes batches of leads in turns with facts and log, whose entries are appended too, and without both. */
async function shareLost(pool: pg.Pool): Promise<number> {
  const seen = seenBy((below) => below / 2, Date.now());
  const rows = { with: await rowMaker({ consent_seen: seen }), without: await rowMaker() };
  const without = INSERT_LEADS.replace(QUEUED, '');
  if (without === INSERT_LEADS) throw new Error('the statement has no log to leave out');
  const turn = async (name: keyof typeof rows, text: string) => {
    const batches = Array.from({ length: BATCHES_A_TURN }, () => rows[name](BATCH));
    const startedMs = performance.now();
    for (const values of batches) await pool.query({ name: `bench-${name}`, text, values });
    return performance.now() - startedMs;
  };
  const took = { with: [] as number[], without: [] as number[], append: [] as number[] };
  for (let count = 0; count < TURNS + WARM_UP; count += 1) {
    const kept = count < WARM_UP ? [] : undefined;
    (kept ?? took.without).push(await turn('without', without));
    (kept ?? took.with).push(await turn('with', INSERT_LEADS));
    const startedMs = performance.now();
    while ((await appendPending(pool)) !== 0);
    (kept ?? took.append).push(performance.now() - startedMs);
  }
  // The bytes are measured of other leads.
  await blankFacts(pool, 'true');
  const ms = {
    with: median(took.with),
    without: median(took.without),
    append: median(took.append),
  };
  const leads = BATCH * BATCHES_A_TURN;
  const each = Object.entries(ms).map(
    ([name, value]) => `${name} ${((value * 1000) / leads).toFixed(0)} µs`,
  );
  console.log(
    `  a lead's statement: ${each.join(', ')} (appending is later, and rests under load)`,
  );
  return 1 - ms.without / ms.with;
}

/** Returns what the log and the facts about the consent take of a lead, by their parts. */
async function bytesOf(pool: pg.Pool): Promise<number> {
  const made = await madeVisits(
    createLeadsStore({ pool, wake: () => undefined }),
    createProgressStore(pool, personKey),
  );
  const sizeOf = async () => {
    // Without what appending left free: the next leads fill it.
    await pool.query('vacuum full evidence_tiles');
    const { rows } = await pool.query<{ bytes: number }>(
      "select pg_total_relation_size('evidence_tiles')::float8 as bytes",
    );
    return rows[0]?.bytes ?? 0;
  };
  // A worker's part: each lead is delivered once.
  const deliver = async () => {
    await pool.query(`
      with due as (update deliveries set state = 'delivered', attempts = 1, revision = 1, finished_at = now()
        where state = 'waiting' returning id
      ), sent as (insert into delivery_attempts (delivery_id, attempt, revision, started_at, ended_at, outcome)
        select id, 1, 1, now(), now(), 'delivered' from due
      ) insert into evidence_pending (ref, number, is_delivery) select id, 1, true from due`);
    while ((await appendPending(pool)) !== 0);
  };
  // The leads of the measurement before.
  await deliver();
  const before = await sizeOf();
  for (let at = 0; at < LEADS; at += BATCH) {
    await Promise.all(Array.from({ length: BATCH }, (_, next) => made.postLead(at + next)));
    await deliver();
  }
  const tiles = ((await sizeOf()) - before) / LEADS;
  const { rows } = await pool.query<{ facts: number; salt: number }>(`
    select avg(octet_length(',"consent_seen":""') + octet_length(body->>'consent_seen'))::float8 as facts,
      avg(pg_column_size(evidence_salt))::float8 as salt
    from lead_revisions join leads on id = lead_id where body->>'consent_seen' <> ''`);
  const { facts = 0, salt = 0 } = rows[0] ?? {};
  const packed = await packedFacts(pool);
  const parts = { tiles, salt, facts, 'facts packed': packed };
  const each = Object.entries(parts).map(([name, bytes]) => `${name} ${bytes.toFixed(0)}`);
  console.log(`  bytes a lead: ${each.join(', ')} (rows are packed after two days)`);
  return tiles + packed + salt;
}

/** Which leads `packedFacts` leaves without facts. */
const isWithout = 'hashtext(lead_id::text) % 2 = 0';

/** Takes the facts from leads. */
async function blankFacts(pool: pg.Pool, where: string): Promise<void> {
  const columns = ['body', 'merged', 'answers', 'fields', 'given'].map(
    (column) =>
      `${column} = regexp_replace(${column}::text, '"consent_seen" *: *"[^"]*"', '"consent_seen":""')::json`,
  );
  await pool.query(`update lead_revisions set ${columns.join(', ')} where ${where}`);
}

/** Returns what the facts take of a packed row: every other lead is packed without them. */
async function packedFacts(pool: pg.Pool): Promise<number> {
  // The other leads of this benchmark have no facts. A packed row no longer shows whether it has.
  await pool.query(
    "create table bench_seen as select lead_id from lead_revisions where body->>'consent_seen' <> ''",
  );
  await blankFacts(pool, isWithout);
  await pool.query("update packing set begins_at = '-infinity'");
  const later = new Date(Date.now() + 2 * 86_400_000);
  while ((await packPortion(pool, 'leads', later)) !== undefined);
  const { rows } = await pool.query<{ bytes: number }>(`
    select (avg(octet_length(packed)) filter (where not ${isWithout})
      - avg(octet_length(packed)) filter (where ${isWithout}))::float8 as bytes
    from lead_revisions join bench_seen using (lead_id) where packed is not null`);
  return rows[0]?.bytes ?? Number.NaN;
}

async function packMs(context: Parameters<typeof makePack>[0], folder: string) {
  const { pool } = context;
  const { rows } = await pool.query<{ id: string }>(
    `select l.id from leads l join consents c on c.lead_id = l.id
     where l.id in (select lead_id from bench_seen) and not ${isWithout}
     order by l.id desc limit ${PACKS}`,
  );
  const took = { pack: [] as number[], verify: [] as number[] };
  const packs: Uint8Array<ArrayBuffer>[] = [];
  for (const { id } of rows) {
    const startedMs = performance.now();
    const { bytes } = await makePack(context, id);
    const madeMs = performance.now();
    const trusted = { keys: await readKeys(pool), from: 'bench' };
    const { verdict } = await verifyPack(bytes, { trusted, now: new Date() });
    if (verdict !== 'proven') throw new Error(`the pack of ${id} is ${verdict}`);
    took.pack.push(madeMs - startedMs);
    took.verify.push(performance.now() - madeMs);
    packs.push(bytes);
  }
  const keys = Buffer.from(JSON.stringify(await readKeys(pool)));
  return [
    ['ms to make a pack', median(took.pack), wanted.packMs],
    ['ms to verify it in Node', median(took.verify), wanted.verifyMs],
    ['ms in a browser', median(await browserMs(packs, keys, folder)), wanted.verifyMs],
  ] as const;
}

/** Measures the page in the packs, from the choice of a file to the shown report. */
async function browserMs(packs: readonly Uint8Array<ArrayBuffer>[], keys: Buffer, folder: string) {
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer });
  const verifier = join(folder, 'verify.html');
  writeFileSync(verifier, readZip(packs[0] ?? new Uint8Array()).get('verify.html') ?? '');
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: browserArgs });
  try {
    const page = await browser.newPage({ locale: 'en-US' });
    const took: number[] = [];
    for (const pack of packs) {
      await page.goto(pathToFileURL(verifier).href);
      await page.getByText('Compare with files that you kept').click();
      await page.getByLabel('Keys of the issuer').setInputFiles(file('keys.json', keys));
      const startedMs = performance.now();
      await page.getByLabel('Evidence pack').setInputFiles(file('pack.zip', Buffer.from(pack)));
      await page.getByRole('heading', { name: 'This pack is genuine' }).waitFor();
      took.push(performance.now() - startedMs);
    }
    return took;
  } finally {
    await browser.close();
  }
}
