/**
 * The network between the server and its database is away for ten seconds: first it refuses, then it swallows
 * everything and forgets its connections. Afterwards posts are soon accepted again, and no lead is lost or sent
 * twice. Without etcd the primary goes on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { type Gate, openGate } from '../support/gate.ts';
import { missing } from './cluster.ts';
import { BACK_WITHIN_MS, judge, startSite, tellOnFailure } from './site.ts';

const AWAY_MS = 10_000;

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

test.skipIf(missing)(
  'time without a network to the database, or without etcd, loses and doubles nothing',
  async () => {
    let gate: Gate | undefined;
    const site = await startSite(cleanUps, {
      async through(url) {
        gate = await openGate(url);
        const address = new URL(url);
        address.port = new URL(gate.url).port;
        return address.href;
      },
    });
    tellOnFailure(site);
    cleanUps.push(() => gate?.close());
    for (const fault of ['cut', 'hold'] as const) {
      await site.takesPosts();
      gate?.[fault]();
      const visit = site.browserVisit();
      await sleep(AWAY_MS);
      gate?.mend();
      const mendedMs = performance.now();
      const backMs = (await site.takesPosts()) - mendedMs;
      const { acknowledged, lost, doubled } = await site.losses();
      console.log(
        `${fault}: lost ${lost}, doubled ${doubled} of ${acknowledged}, back after ${(backMs / 1_000).toFixed(1)} s`,
      );
      expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
      expect(backMs).toBeLessThan(BACK_WITHIN_MS);
      expect(await visit, 'the browser’s queue bridges the gap').toBe(true);
    }
    // Longer than the primary's lease of its role.
    const { cluster } = site;
    const primary = await cluster.synchronous();
    await site.takesPosts();
    const stoppedMs = performance.now();
    await cluster.signal('etcd', 'SIGSTOP');
    await sleep(2 * AWAY_MS);
    const seen = Math.max(...(await cluster.metric('patroni_dcs_last_seen')));
    expect(Date.now() / 1_000 - seen, 'what the alert measures').toBeGreaterThan(AWAY_MS / 1_000);
    await cluster.follow('etcd is lost', primary);
    await cluster.synchronous();
    await site.takesPosts();
    await judge(site, 'etcd stops', stoppedMs);
    await site.isWhole();
  },
  600_000,
);
