/**
 * The disk of the primary is full under load. The standby takes over, or posts are refused until there is room. No
 * acknowledged lead is lost, none is sent twice, and with room both nodes work again by themselves.
 */
import { rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { until } from '../support/delivery.ts';
import { fillDisk, mountSmallDisk } from '../support/small-disk.ts';
import { missing, query } from './cluster.ts';
import { BACK_WITHIN_MS, startSite, tellOnFailure } from './site.ts';

const DISK_MEGABYTES = 384;

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

const disk = missing ? { reason: missing } : mountSmallDisk(DISK_MEGABYTES);
if ('reason' in disk) console.log(`A primary's full disk is not tested: ${disk.reason}`);
else cleanUps.push(disk.unmount);
const dir = 'dir' in disk ? disk.dir : '';

test.skipIf(dir === '')(
  'a full disk of the primary loses and doubles nothing',
  async () => {
    const site = await startSite(cleanUps, { disk: dir });
    const { cluster } = site;
    tellOnFailure(site);
    const primary = await cluster.synchronous();
    expect(cluster.dirOf(primary)).toBe(dir);
    await site.takesPosts();
    const ballast = path.join(dir, 'ballast');
    await fillDisk(ballast);
    expect((await statfs(dir)).bavail).toBe(0);
    const fullMs = performance.now();
    // Uses up what the database has reserved for itself, until it refuses or is gone.
    const big = `select pg_logical_emit_message(false, 'test', repeat('x', 1000000))`;
    await until(async () =>
      query(cluster.nodeUrl(primary), big).then(
        () => false,
        () => true,
      ),
    );
    const visit = site.browserVisit();
    const isReplaced = async () =>
      (await cluster.members()).some(({ role, name }) => role === 'leader' && name !== primary);
    const replaced = await until(isReplaced, BACK_WITHIN_MS).catch(() => false);
    if (replaced) await site.takesPosts();
    const gap = (site.longestGap(fullMs) / 1_000).toFixed(1);
    console.log(
      replaced
        ? `The standby took over; unavailable ${gap} s`
        : 'The primary remained; posts wait for room',
    );

    await cluster.follow('The primary’s disk is full', primary);
    await rm(ballast);
    const roomMs = performance.now();
    const backMs = (await site.takesPosts()) - roomMs;
    const { acknowledged, lost, doubled } = await site.losses();
    console.log(
      `Room: lost ${lost}, doubled ${doubled} of ${acknowledged}, back after ${(backMs / 1_000).toFixed(1)} s`,
    );
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
    expect(backMs).toBeLessThan(BACK_WITHIN_MS);
    expect(await visit, 'the browser’s queue bridges the gap').toBe(true);
    await cluster.synchronous();
    await site.takesPosts();
    await site.isWhole();
  },
  900_000,
);
