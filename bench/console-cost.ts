/** Measures what the console and its counting cost the visitors: leads a second with them and without them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../tests/support/free-port.ts';
import { lastDays, type Operator, signIn } from './console-client.ts';
import { fill, openDatabaseOf, untilCounted } from './console-database.ts';
import { exampleLead } from './example-lead.ts';
import { figuresOf, median } from './figures.ts';
import type { HistorySize } from './fill-history.ts';
import { postLead, startLeadServer } from './lead-server.ts';
import { load } from './load.ts';
import { createPoster, type Poster } from './poster.ts';

const CONNECTIONS = 32;
const WARM_UP_MS = 12_000;
const ROUND_MS = 5_000;
const PAIRS = 14;
/** No pair begins after this time. */
const MOST_MS = 200_000;
/** A month of hours: the overview adds up as many as on a large site. */
const history: HistorySize = { visits: 40_000, days: 30 };
/** How long the counting may take to catch up before the next round. */
const CAUGHT_UP_MS = 10_000;
/** The page shows the events of this time together (src/console/shell/live.ts). */
const FLUSH_MS = 2_000;
/** The largest share of the leads a second that the console may cost. */
const TARGET = 0.03;

/**
 * Posts in turns to a server with the console, which one browser has open on its overview, and to one with
 * `CONSOLE_PORT=off`. After each round the counting catches up, so that its work is not done in another's round.
 */
export async function benchConsoleCost(): Promise<void> {
  const port = await freePort();
  const on = await startLeadServer(undefined, { CONSOLE_PORT: String(port) });
  const off = await startLeadServer(undefined, { CONSOLE_PORT: 'off' });
  const pools = { on: await openDatabaseOf(on.dataDir), off: await openDatabaseOf(off.dataDir) };
  try {
    await fill(pools.on, history);
    await fill(pools.off, history);
    await untilCounted(pools.on, 60_000);
    const browser = await openOverview(await signIn(pools.on, port));
    // Connected only now, because the server ends connections that are idle for a minute.
    const posters = {
      on: await createPoster(on.url, CONNECTIONS),
      off: await createPoster(off.url, CONNECTIONS),
    };
    await measure(posters, () => untilCounted(pools.on, CAUGHT_UP_MS));
    console.log(`  the browser made ${browser.close()} requests`);
    for (const poster of Object.values(posters)) poster.close();
  } finally {
    await Promise.all([pools.on.end(), pools.off.end()]);
    await Promise.all([on.stop(), off.stop()]);
  }
}

type Side = 'on' | 'off';

async function measure(
  posters: Readonly<Record<Side, Poster>>,
  catchUp: () => Promise<number>,
): Promise<void> {
  const waits: number[] = [];
  const leadsPerSecond = async (side: Side, durationMs: number) => {
    const post = () => postLead(posters[side], exampleLead());
    const { perSecond, failures } = await load(CONNECTIONS, durationMs, post);
    if (failures > 0) throw new Error(`${failures} posts failed`);
    waits.push(await catchUp());
    return perSecond;
  };
  const rates: Record<Side, number[]> = { on: [], off: [] };
  await leadsPerSecond('on', WARM_UP_MS);
  await leadsPerSecond('off', WARM_UP_MS);
  waits.length = 0;
  console.log(`Leads a second with the console and without it, ${CONNECTIONS} connections:`);
  const endMs = performance.now() + MOST_MS;
  for (let pair = 0; pair < PAIRS && performance.now() < endMs; pair += 1) {
    const order: readonly Side[] = pair % 2 === 0 ? ['on', 'off'] : ['off', 'on'];
    for (const side of order) rates[side].push(await leadsPerSecond(side, ROUND_MS));
    console.log(`  on ${rates.on.at(-1)?.toFixed(0)}, off ${rates.off.at(-1)?.toFixed(0)}`);
  }
  const ratios = rates.on.map((rate, pair) => rate / (rates.off[pair] ?? Number.NaN));
  const { median: ratio, low, high } = figuresOf(ratios);
  const spread = `${low.toFixed(3)} to ${high.toFixed(3)} in half of the ${ratios.length} pairs`;
  console.log(
    `  medians ${median(rates.on).toFixed(0)} and ${median(rates.off).toFixed(0)} a second`,
  );
  console.log(`  ${ratio.toFixed(3)} times as many (${spread}; wanted: at least ${1 - TARGET})`);
  console.log(
    `  the counting had caught up ${(Math.max(...waits) / 1_000).toFixed(1)} s after a round at most`,
  );
}

/** Opens the overview as the page does: asks for its data, and again for what an event makes stale. */
async function openOverview(operator: Operator) {
  const numbers = [
    `/api/overview?${lastDays(7)}`,
    `/api/breakdown?dimension=source&${lastDays(7)}`,
  ];
  const stale = new Set([...numbers, '/api/now', '/api/me']);
  let requests = 0;
  let isOpen = true;
  const refresh = async () => {
    const paths = [...stale];
    stale.clear();
    requests += paths.length;
    await Promise.all(paths.map((path) => operator.get(path)));
  };
  await refresh();
  const close = await operator.follow((kind) => {
    for (const path of kind === 'numbers' ? numbers : ['/api/now']) stale.add(path);
  });
  const refreshing = async () => {
    while (isOpen) {
      await sleep(FLUSH_MS, undefined, { ref: false });
      await refresh();
    }
  };
  // A refused request shows in the number of requests.
  void refreshing().catch(() => undefined);
  return {
    /** @returns how many requests it made */
    close() {
      isOpen = false;
      close();
      return requests;
    },
  };
}
