/**
 * The database is down while visitors finish their surveys. The real browser queue, on an in-memory
 * IndexedDB, stores each lead and says so. The server refuses every post at once. Within 30 s of the
 * database's return each lead is delivered, once.
 * By default the database is down for a few seconds; `npm test -- faults-long` makes it a minute
 * (FAULT_AWAY_MS).
 */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, expect, test, vi } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import type { PostLeadBody } from '../../src/contract/lead.ts';
import { startEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts';
import { BrowserQueue, waitingEvent } from '../../src/survey/queue/browser-queue.ts';
import { preparedDataDir, testLog } from '../support/postgres.ts';
import { sendingTo, startServerProcess } from './crash-server.ts';
import { leadBody } from './crash-visitors.ts';
import { until } from './delivery-fixture.ts';

const AWAY_MS = Number(process.env.FAULT_AWAY_MS ?? 3_000);
const BACK_WITHIN_MS = 30_000;
const VISITORS_PER_SECOND = 8;
/** A browser then aborts a request (browser-queue.ts). The actual time is printed. */
const LONGEST_REFUSAL_MS = 20_000;

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  vi.unstubAllGlobals();
});

test(`the database down for ${AWAY_MS} ms under load: every lead is delivered once`, async () => {
  const sandbox = await startSandbox();
  cleanUps.push(() => sandbox.close());
  const dataDir = await preparedDataDir('funnel away ');
  cleanUps.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  let database = await startEmbeddedPostgres({ dataDir, log: testLog });
  cleanUps.push(() => database.stop());
  const server = await startServerProcess(dataDir, {
    DATABASE_URL: database.connectionString,
    ...sendingTo(sandbox),
  });
  cleanUps.push(() => server.stop());

  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined });
  const posted: string[] = [];
  const waited = new Set<string>();
  const confirmed = new Set<string>();
  const refusals: { status: number; retryAfter: string | null; ms: number }[] = [];

  /** One visitor presses the last button, in a separate browser. */
  async function visit(): Promise<void> {
    vi.stubGlobal('indexedDB', new IDBFactory());
    const target = new EventTarget();
    const body = leadBody(crypto.randomUUID(), posted.length + 1) as PostLeadBody;
    posted.push(body.lead_id);
    target.addEventListener(waitingEvent, () => waited.add(body.lead_id));
    const queue = new BrowserQueue({
      target,
      locks: undefined,
      fetch: async (path, init) => {
        const startedAtMs = performance.now();
        const answer = await fetch(`${server.url}${path}`, init);
        if (!answer.ok) {
          const { status, headers } = answer;
          const ms = performance.now() - startedAtMs;
          refusals.push({ status, retryAfter: headers.get('retry-after'), ms });
        }
        return answer;
      },
    });
    cleanUps.push(() => queue.stop());
    const { stored, settled } = await queue.post(body, crypto.randomUUID().replaceAll('-', ''));
    expect(stored, 'it is in the visitor’s IndexedDB').toBe(true);
    if (await settled) confirmed.add(body.lead_id);
  }

  /** Starts visitors at a steady rate for a time; resolves with their visits, which may still be running. */
  async function load(ms: number): Promise<Promise<void>[]> {
    const visits: Promise<void>[] = [];
    const endsAtMs = performance.now() + ms;
    while (performance.now() < endsAtMs) {
      visits.push(visit());
      await sleep(1_000 / VISITORS_PER_SECOND);
    }
    return visits;
  }

  const before = load(1_500);
  await sleep(750);
  await database.stop();
  const during = load(AWAY_MS);
  const away = await fetch(`${server.url}/readyz`);
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '2']);
  await sleep(AWAY_MS);
  database = await startEmbeddedPostgres({ dataDir, log: testLog });
  const backAtMs = performance.now();
  const visitsDuring = await during;
  const visits = [...(await before), ...visitsDuring, ...(await load(500))];

  await until(async () => sandbox.effects().length >= posted.length, BACK_WITHIN_MS, 20);
  const backMs = performance.now() - backAtMs;
  await Promise.all(visits);
  console.log(
    `${posted.length} leads, ${waited.size} of them waited, ${refusals.length} posts refused ` +
      `(the slowest after ${Math.round(Math.max(...refusals.map(({ ms }) => ms)))} ms), ` +
      `all delivered ${Math.round(backMs)} ms after its return`,
  );
  expect(backMs).toBeLessThan(BACK_WITHIN_MS);
  expect([...confirmed].sort()).toEqual([...posted].sort());
  expect(sandbox.effects().map(({ detail }) => detail.lead_id)).toEqual(
    expect.arrayContaining(posted),
  );
  expect(sandbox.effects().map(({ count }) => count)).toEqual(posted.map(() => 1));
  // Most visitors of that time saw that their lead waits; every refusal was a 503.
  expect(waited.size).toBeGreaterThan(visitsDuring.length / 2);
  for (const { status, retryAfter, ms } of refusals) {
    expect(status).toBe(503);
    // 2 s without the database, 10 s if the machine is also overloaded.
    expect(['2', '10']).toContain(retryAfter);
    expect(ms).toBeLessThan(LONGEST_REFUSAL_MS);
  }
}, 240_000);
