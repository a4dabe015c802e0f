/**
 * The standby lags, and takes over all the same. It stops answering: as a whole, only the process that receives the
 * write-ahead log, or as soon as it is back. The primary gives it up and goes on alone. A standby that has been given up never takes over. In strict mode
 * posts wait for it. While it lives, operators read it.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { run } from '../../src/cli/leads.ts';
import { openDatabase } from '../../src/server/storage/database.ts';
import { collectOutput } from '../support/command.ts';
import { consoleForTests } from '../support/console.ts';
import { until } from '../support/delivery.ts';
import { root } from '../support/program.ts';
import { missing, type NodeName, otherThan, query } from './cluster.ts';
import { judge, type Site, startSite, tellOnFailure } from './site.ts';

/** How long to watch that nothing is acknowledged. */
const STRICT_MS = 5_000;
/** How far behind a lagging standby is, in bytes of the write-ahead log that it has not applied. */
const LAG_BYTES = 2_000_000;

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Reads what operators read from the standby: lists, numbers and exports. */
async function readAsOperators({ cluster }: Site): Promise<void> {
  const open = (connectionString: string) =>
    openDatabase({ connectionString, poolMax: 4, log: pino({ level: 'silent' }) });
  const [primary, copy] = [open(cluster.url), open(cluster.standbyUrl)];
  const operators = await consoleForTests(primary, { copy });
  try {
    const period = 'from=2026-01-01&to=2026-01-31';
    for (const path of [
      ...['leads', 'leads/count', 'leads/newer', 'lead-values?key=source', 'system'],
      ...[`overview?${period}`, `breakdown?${period}&dimension=source`],
      `funnels?${period}&survey=/survey/v4nv`,
    ]) {
      expect([path, (await operators.get(`/api/${path}`)).statusCode]).toEqual([path, 200]);
    }
    const asked = { format: 'json', filter: {}, columns: ['lead_id'], reason: 'for the test' };
    expect((await operators.post('/api/leads/export', asked)).statusCode).toBe(200);
  } finally {
    await operators.app.close();
    for (const { close } of [primary, copy]) await close();
  }
  const [lead] = await query(cluster.standbyUrl, 'select id::text from leads limit 1');
  // Nothing listens there.
  vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');
  vi.stubEnv('OPERATORS_DATABASE_URL', cluster.standbyUrl);
  const output = collectOutput();
  for (const argv of [
    ['show', String(lead?.id)],
    ['list', '--limit', '1000'],
    ['export', '--format', 'csv'],
  ]) {
    expect([argv[0], await run(argv)]).toEqual([argv[0], 0]);
    expect(output.take()).toContain(lead?.id);
  }
  output.restore();
  vi.restoreAllMocks();
}

/** The names of the standbys that a commit waits for: none if it is empty. */
async function waitedFor({ cluster }: Site): Promise<string> {
  const [row] = await query(cluster.url, 'show synchronous_standby_names');
  return String(row?.synchronous_standby_names);
}

/** Lets the standby receive without applying, and kills the primary. Returns the new standby. */
async function lag(site: Site): Promise<NodeName> {
  const { cluster } = site;
  const primary = await cluster.synchronous();
  const delayBy = (time: string) => cluster.configure(`recovery_min_apply_delay=${time}`);
  await delayBy('1h');
  const behind = `select where ${LAG_BYTES} <
    pg_wal_lsn_diff(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())`;
  const standbyUrl = cluster.nodeUrl(otherThan(primary));
  await until(async () => (await query(standbyUrl, behind)).length === 1, 180_000, 200);
  await cluster.follow('The standby lags', primary);
  const most = async (name: string) => Math.max(...(await cluster.metric(name)));
  const replayed = await most('patroni_xlog_replayed_location');
  expect((await most('patroni_xlog_location')) - replayed).toBeGreaterThan(LAG_BYTES);
  await site.takesPosts();
  const killedMs = performance.now();
  await cluster.signal(primary, 'SIGKILL');
  const visit = site.browserVisit();
  await cluster.ledBy(otherThan(primary));
  await site.takesPosts();
  await judge(site, 'the primary dies while the standby lags', killedMs);
  expect(await visit, 'the browser’s queue bridges the gap').toBe(true);
  await delayBy('0');
  await cluster.follow('The primary dies', primary);
  await cluster.synchronous();
  return primary;
}

test.skipIf(missing)(
  'operators read a standby; one that lags takes over; one that dies as soon as commits wait for it is given up',
  async () => {
    const site = await startSite(cleanUps);
    const { cluster } = site;
    tellOnFailure(site);
    let standby = otherThan(await cluster.synchronous());
    await site.takesPosts();
    await until(async () => (await query(cluster.standbyUrl, 'select from leads')).length > 0);
    await readAsOperators(site);
    standby = await lag(site);
    await cluster.signal(standby, 'SIGKILL');
    await until(async () => (await waitedFor(site)) === '');
    await cluster.follow('The standby is lost', otherThan(standby));
    await until(async () => (await waitedFor(site)) === standby, 180_000, 20);
    const diedMs = performance.now();
    await cluster.signal(standby, 'SIGKILL');
    await site.takesPosts();
    await judge(site, 'the standby dies when it is back', diedMs);
    await cluster.follow('The standby is lost', otherThan(standby));
    await cluster.synchronous();
    await site.isWhole();
  },
  600_000,
);

test.skipIf(missing)(
  'a standby that stops is given up, and does not take over',
  async () => {
    const site = await startSite(cleanUps);
    const { cluster } = site;
    tellOnFailure(site);
    const primary = await cluster.synchronous();
    const standby = otherThan(primary);
    const synchronousStandbys = async () =>
      (await cluster.metric('patroni_sync_standby')).reduce((sum, each) => sum + each, 0);
    expect(await waitedFor(site)).toBe(standby);
    const [reader] = await query(cluster.standbyUrl, 'select pg_is_in_recovery() as reads_only');
    expect(reader).toEqual({ reads_only: true });

    expect(await synchronousStandbys()).toBe(1);
    // What the rules for alerts read is there.
    const rules = readFileSync(path.join(root, 'docs/prometheus-alerts.yaml'), 'utf8');
    const named = new Set(rules.match(/\bpatroni_\w+/g));
    expect(named).toContain('patroni_sync_standby');
    for (const name of named)
      expect([name, await cluster.metric(name)]).toEqual([
        name,
        [expect.any(Number), expect.any(Number)],
      ]);

    // One process of the standby.
    await site.takesPosts();
    const receiver = await query(cluster.nodeUrl(standby), 'select pid from pg_stat_wal_receiver');
    let stoppedMs = performance.now();
    process.kill(Number(receiver[0]?.pid), 'SIGSTOP');
    await until(async () => (await waitedFor(site)) === '');
    await site.takesPosts();
    await judge(site, 'the standby’s receiver stops', stoppedMs);
    await until(async () => (await synchronousStandbys()) === 0);
    process.kill(Number(receiver[0]?.pid), 'SIGCONT');
    await cluster.synchronous();

    // All of it, and then the primary dies: its leads are on its own disk only.
    await site.takesPosts();
    stoppedMs = performance.now();
    await cluster.signal(standby, 'SIGSTOP');
    await until(async () => (await waitedFor(site)) === '');
    await site.takesPosts();
    await judge(site, 'the standby stops', stoppedMs);
    await cluster.signal(primary, 'SIGKILL');
    await cluster.signal(standby, 'SIGCONT');
    await until(async () => {
      const members = await cluster.members();
      return members.length > 0 && !members.some(({ role }) => role === 'leader');
    });
    await cluster.follow('The standby is lost, then the primary dies', primary);
    expect(await cluster.synchronous()).toBe(primary);
    await site.takesPosts();
    await judge(site, 'the primary starts again', performance.now());

    // In strict mode nothing is acknowledged on one disk only.
    await cluster.follow('Rather refuse posts', primary);
    await site.takesPosts();
    await cluster.signal(standby, 'SIGSTOP');
    await until(async () => (await waitedFor(site)) === '*');
    const before = await site.losses();
    await sleep(STRICT_MS);
    expect(await site.losses()).toEqual(before);
    const thawedMs = performance.now();
    await cluster.signal(standby, 'SIGCONT');
    await cluster.synchronous();
    await site.takesPosts();
    await judge(site, 'strict: the standby is back', thawedMs);
    await site.isWhole();
  },
  900_000,
);
