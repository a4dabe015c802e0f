/** Stops the standby while visitors post leads. The primary must continue alone. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { until } from '../support/delivery.ts';
import { query } from '../support/postgres.ts';
import { root } from '../support/program.ts';
import { missing, otherThan } from './cluster.ts';
import { judge, printOnFailure, type Site, startSite } from './site.ts';

/** The time for which the test expects no acknowledged lead in strict mode, in milliseconds. */
const STRICT_MS = 5_000;

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** Returns the names of the standbys that a commit waits for, or an empty string. */
async function waitedFor({ cluster }: Site): Promise<string> {
  const [row] = await query(cluster.url, 'show synchronous_standby_names');
  return String(row?.synchronous_standby_names);
}

test.skipIf(missing)(
  'the primary continues after the standby has stopped',
  async () => {
    const site = await startSite(cleanUps);
    const { cluster } = site;
    printOnFailure(site);
    const primary = await cluster.synchronous();
    const standby = otherThan(primary);
    const synchronousStandbys = async () =>
      (await cluster.metric('patroni_sync_standby')).reduce((sum, each) => sum + each, 0);
    expect(await waitedFor(site)).toBe(standby);
    const [reader] = await query(cluster.standbyUrl, 'select pg_is_in_recovery() as reads_only');
    expect(reader).toEqual({ reads_only: true });

    expect(await synchronousStandbys()).toBe(1);
    const rules = readFileSync(path.join(root, 'docs/prometheus-alerts.yaml'), 'utf8');
    const named = new Set(rules.match(/\bpatroni_\w+/g));
    expect(named).toContain('patroni_sync_standby');
    for (const name of named)
      expect([name, await cluster.metric(name)]).toEqual([
        name,
        [expect.any(Number), expect.any(Number)],
      ]);

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

    // The strict mode must acknowledge no lead while the standby is frozen.
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
