/**
 * Tests two events of the runbook: a switchover before maintenance, and a failover to an outdated
 * standby.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { until } from '../support/delivery.ts';
import { query } from '../support/postgres.ts';
import { missing, otherThan } from './cluster.ts';
import { judge, printOnFailure, startSite } from './site.ts';

const ALONE_POSTS = 10;

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

test.skipIf(missing)(
  'a forced failover loses only leads that the standby had not received',
  async () => {
    const site = await startSite(cleanUps);
    const { cluster } = site;
    printOnFailure(site);
    const first = await cluster.synchronous();
    await site.takesPosts();
    const switchedMs = performance.now();
    const visit = site.browserVisit();
    await cluster.follow('Switchover by hand', first);
    await cluster.ledBy(otherThan(first));
    await site.takesPosts();
    await judge(site, 'switchover', switchedMs);
    expect(await visit, 'the browser’s queue bridges the gap').toBe(true);

    const primary = await cluster.synchronous();
    const standby = otherThan(primary);
    await site.takesPosts();
    await cluster.signal(standby, 'SIGKILL');
    await until(async () => {
      const [row] = await query(cluster.url, 'show synchronous_standby_names');
      return row?.synchronous_standby_names === '';
    });
    for (let post = 0; post < ALONE_POSTS; post += 1) await site.takesPosts();
    await cluster.signal(primary, 'SIGKILL');
    await rm(path.join(cluster.dirOf(primary), 'data'), { recursive: true, maxRetries: 5 });
    let forcedMs = 0;
    await cluster.follow('Forced failover', primary, async () => {
      await until(async () => {
        const members = await cluster.members();
        const isUp = members.some(({ name, state }) => name === standby && state === 'running');
        return isUp && !members.some(({ role }) => role === 'leader');
      });
      forcedMs = performance.now();
    });
    const backMs = (await site.takesPosts()) - forcedMs;
    const { acknowledged, lost, doubled } = await site.losses();
    console.log(
      `failover by hand: lost ${lost} of ${acknowledged}, doubled ${doubled}, back after ${(backMs / 1_000).toFixed(1)} s`,
    );
    expect(lost).toBeGreaterThan(0);
    expect(doubled).toBe(0);
    await cluster.follow('Replacing a lost disk', primary);
    expect(await cluster.synchronous()).toBe(standby);
    expect((await site.losses()).lost).toBe(lost);
  },
  600_000,
);
