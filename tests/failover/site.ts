/** Starts a server on a cluster, with visitors who post leads all the time. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IDBFactory } from 'fake-indexeddb';
import { v7 as uuidv7 } from 'uuid';
import { expect, onTestFailed, vi } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import type { PostLeadBody } from '../../src/model/messages/lead.ts';
import { BrowserQueue } from '../../src/web/survey/queue/browser-queue.ts';
import { until } from '../support/delivery.ts';
import { query } from '../support/postgres.ts';
import {
  createVisitors,
  leadBody,
  sendingTo,
  startServerProcess,
} from '../support/server-process.ts';
import { nodeNames, startCluster } from './cluster.ts';

const VISITORS_PER_SECOND = 20;
/** The maximum number of waiting visitors. More visitors would slow down the recovery. */
const MOST_WAITING = 60;
const RETRY_MS = 1_000;
const BROWSERS_FROM = 500_000;
/**
 * The maximum recovery time, which docs/operations.md#a-database-that-survives-its-machine
 * promises.
 */
const BACK_WITHIN_MS = 15_000;

export type Site = Awaited<ReturnType<typeof startSite>>;

/** Starts the cluster, the server and the visitors. The functions in `cleanUps` stop all three. */
export async function startSite(cleanUps: (() => unknown)[]) {
  const cluster = await startCluster();
  cleanUps.push(() => cluster.stop());
  const sandbox = await startSandbox();
  cleanUps.push(() => sandbox.close());
  const dataDir = await mkdtemp(path.join(tmpdir(), 'funnel-failover-site-'));
  cleanUps.push(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startServerProcess(dataDir, {
    ...sendingTo(sandbox),
    DATABASE_URL: cluster.url,
    EMAIL_MX_LOOKUP: 'off',
  });
  cleanUps.push(() => server.stop());

  const visitors = createVisitors(() => server.url, RETRY_MS);
  cleanUps.push(() => visitors.stop());
  const acknowledgedAtMs: number[] = [performance.now()];
  const open = new Set<Promise<void>>();
  let latestBegunMs = 0;
  let isOver = false;
  function visit(): void {
    const begunMs = performance.now();
    const done = visitors.post().then(() => {
      acknowledgedAtMs.push(performance.now());
      latestBegunMs = Math.max(latestBegunMs, begunMs);
      open.delete(done);
    });
    open.add(done);
  }
  const load = (async () => {
    while (!isOver) {
      if (open.size < MOST_WAITING) visit();
      await sleep(1_000 / VISITORS_PER_SECOND);
    }
  })();
  cleanUps.push(() => {
    isOver = true;
    return load;
  });

  const confirmed: string[] = [];
  cleanUps.push(() => vi.unstubAllGlobals());

  const stored = async () => {
    const ids = await until(async () =>
      query(cluster.url, 'select id::text from leads').catch(() => undefined),
    );
    return new Set(ids.map(({ id }) => String(id)));
  };
  return {
    cluster,
    output: server.output,
    /**
     * Posts a lead with the browser queue of a page. Returns true if the server confirmed the lead.
     */
    async browserVisit(): Promise<boolean> {
      vi.stubGlobal('indexedDB', new IDBFactory());
      vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined });
      const { fetch } = globalThis;
      vi.stubGlobal('fetch', (to: string, init?: RequestInit) =>
        fetch(new URL(to, server.url), init),
      );
      const queue = new BrowserQueue(new EventTarget());
      const leadId = uuidv7();
      const body = leadBody(leadId, BROWSERS_FROM + confirmed.length) as PostLeadBody;
      try {
        const { settled } = await queue.post(body, crypto.randomUUID().replaceAll('-', ''));
        const isConfirmed = await settled;
        if (isConfirmed) confirmed.push(leadId);
        return isConfirmed;
      } finally {
        queue.stop();
      }
    },
    /** Waits until the server acknowledges a new post. Returns the current time. */
    async takesPosts(): Promise<number> {
      const askedMs = performance.now();
      await until(async () => latestBegunMs > askedMs, 180_000, 20);
      return performance.now();
    },
    /** Returns the longest time between two acknowledgements since `sinceMs`, in milliseconds. */
    longestGap(sinceMs: number): number {
      const times = [...acknowledgedAtMs, performance.now()].filter((ms) => ms >= sinceMs);
      return Math.max(...times.map((ms, index) => ms - (times[index - 1] ?? sinceMs)));
    },
    /** Counts acknowledged leads, lost leads, and leads that were sent twice. */
    async losses() {
      const acknowledged = [...visitors.acknowledged];
      const ids = await stored();
      return {
        acknowledged: acknowledged.length,
        lost: acknowledged.filter((id) => !ids.has(id)).length,
        doubled: sandbox.effects().filter(({ count }) => count > 1).length,
      };
    },
    /** Waits for all visitors, and expects that every lead is stored and delivered once. */
    async isWhole(): Promise<void> {
      isOver = true;
      await load;
      await Promise.all(open);
      const posted = [...visitors.acknowledged, ...confirmed].sort();
      expect([...(await stored())].sort()).toEqual(posted);
      const sent = () => new Set(sandbox.effects().map(({ detail }) => detail.lead_id));
      await until(async () => sent().size >= posted.length, 180_000, 200);
      expect([...sent()].sort()).toEqual(posted);
      expect(sandbox.effects().filter(({ count }) => count !== 1)).toEqual([]);
      expect(sandbox.violations()).toEqual([]);
      console.log(`${posted.length} leads were acknowledged; each is stored and was sent once`);
    },
  };
}

/** Prints the ends of all logs if the test fails. */
export function printOnFailure({ cluster, output }: Site): void {
  onTestFailed(async () => {
    for (const name of nodeNames) console.log(`${name}:\n${await cluster.logOf(name)}`);
    console.log(`The server:\n${output().slice(-6_000)}`);
  });
}

/** Expects that a fault lost no lead, and that the recovery took no longer than promised. */
export async function judge(site: Site, what: string, sinceMs: number): Promise<void> {
  const gapMs = site.longestGap(sinceMs);
  const { acknowledged, lost, doubled } = await site.losses();
  console.log(
    `${what}: lost ${lost}, doubled ${doubled} of ${acknowledged}, unavailable ${(gapMs / 1_000).toFixed(1)} s`,
  );
  expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
  expect(gapMs).toBeLessThan(BACK_WITHIN_MS);
}
