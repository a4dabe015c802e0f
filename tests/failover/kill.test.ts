/** Kills the primary database again and again while visitors post leads. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { query } from '../support/postgres.ts';
import { missing, otherThan } from './cluster.ts';
import { judge, printOnFailure, type Site, startSite } from './site.ts';

const KILLS = Number(process.env.FAILOVER_KILLS ?? 3);

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** Writes to one node until the test calls `stop`, which returns the number of accepted writes. */
function writer(url: string): { stop(): Promise<number> } {
  let isOver = false;
  let accepted = 0;
  const trying = (async () => {
    while (!isOver) {
      await query(url, 'insert into written values (1)').then(
        () => {
          accepted += 1;
        },
        () => undefined,
      );
      await sleep(100);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await trying;
      return accepted;
    },
  };
}

/** Freezes the primary until the standby has taken over, then tries to write to the old primary. */
async function freeze(site: Site): Promise<void> {
  const { cluster } = site;
  const primary = await cluster.synchronous();
  await site.takesPosts();
  const session = new pg.Client({ connectionString: cluster.nodeUrl(primary) });
  session.on('error', () => undefined);
  await session.connect();
  const frozenMs = performance.now();
  await cluster.signal(primary, 'SIGSTOP');
  await cluster.ledBy(otherThan(primary));
  await site.takesPosts();
  const written = session.query('insert into written values (2)');
  const refused = expect(written).rejects.toThrow();
  await judge(site, `${primary} freezes`, frozenMs);
  await cluster.follow('The primary is frozen', primary);
  await refused;
  await cluster.synchronous();
  expect(await query(cluster.url, 'select from written')).toEqual([]);
  await session.end();
}

test.skipIf(missing)(
  `leads are stored exactly once although the primary is killed ${KILLS} times`,
  async () => {
    const site = await startSite(cleanUps);
    const { cluster } = site;
    printOnFailure(site);
    await query(cluster.url, 'create table written (id int)');
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const primary = await cluster.synchronous();
      await site.takesPosts();
      const isMachine = kill % 2 === 1;
      const killedMs = performance.now();
      await cluster.signal(primary, 'SIGKILL', isMachine ? 'all' : 'postgres');
      const visit = site.browserVisit();
      const old = writer(cluster.nodeUrl(primary));
      await cluster.ledBy(otherThan(primary));
      await site.takesPosts();
      const what = `kill ${kill}, ${primary}, ${isMachine ? 'its machine' : 'PostgreSQL'}`;
      await judge(site, what, killedMs);
      if (isMachine) await cluster.follow('The primary dies', primary);
      await cluster.synchronous();
      expect(await visit, 'the browser’s queue bridges the gap').toBe(true);
      expect(await old.stop(), 'writes that the old primary accepted').toBe(0);
    }
    await freeze(site);
    await site.isWhole();
  },
  (KILLS + 2) * 240_000,
);
