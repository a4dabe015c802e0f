import { surveys } from '../src/flows/surveys.ts';
import { createMetrics } from '../src/server/monitoring/metrics.ts';
import { exampleLead } from './example-lead.ts';
import { median } from './figures.ts';
import { postLead, startLeadServer } from './lead-server.ts';
import { load } from './load.ts';
import { createPoster } from './poster.ts';

const CONNECTIONS = 32;
const WARM_UP_MS = 10_000;
/** Posts per commit under load, which share the cost of a commit's metrics. */
const POSTS_A_COMMIT = 16;
const OBSERVED = 500_000;

/**
 * Measures the cost of metrics per post in the server's processor time, because throughput also depends on
 * the database and the poster. It first repeats a post's metric calls in isolation. It then compares two
 * servers in turns, with and without metrics; their difference is smaller than the noise of a single
 * measurement.
 */
export async function benchMetrics(durationMs = 2_500, rounds = 10): Promise<void> {
  const observed = observedMicroseconds();
  const servers = [
    { name: 'with metrics', server: await startLeadServer() },
    { name: 'without', server: await startLeadServer(undefined, { OPERATIONS_PORT: 'off' }) },
  ];
  try {
    const costs = new Map<string, number[]>();
    const posters = await Promise.all(
      servers.map(({ server }) => createPoster(server.url, CONNECTIONS)),
    );
    for (let round = 0; round <= rounds; round += 1) {
      // The order alternates, because the second server profits from caches that the first has warmed.
      const order = [...servers.entries()];
      if (round % 2 === 1) order.reverse();
      for (const [index, { name, server }] of order) {
        const poster = posters[index];
        if (!poster) continue;
        let posts = 0;
        const before = server.processorMs();
        await load(CONNECTIONS, round === 0 ? WARM_UP_MS : durationMs, async () => {
          await postLead(poster, exampleLead());
          posts += 1;
        });
        const cost = ((server.processorMs() - before) * 1_000) / posts;
        if (round > 0) costs.set(name, [...(costs.get(name) ?? []), cost]);
      }
    }
    for (const poster of posters) poster.close();
    console.log(`Metrics, processor time of the server a post, ${rounds} rounds in turns:`);
    for (const { name, server } of servers) {
      const all = costs.get(name) ?? [];
      const shown = all.map((cost) => cost.toFixed(0)).join(', ');
      const memory = `${server.residentMiB().toFixed(0)} MiB`;
      console.log(`  ${name.padEnd(14)} ${median(all).toFixed(1)} µs (${shown}), ${memory}`);
    }
    const share = (observed / median(costs.get('without') ?? [])) * 100;
    console.log(
      `  the calls of a post by themselves: ${observed.toFixed(2)} µs, ` +
        `${share.toFixed(2)} % of a post (target: below 1 %)`,
    );
  } finally {
    for (const { server } of servers) await server.stop();
  }
}

/** Returns the processor time of one post's metrics. */
function observedMicroseconds(): number {
  const metrics = createMetrics({
    surveys: surveys.map(({ path }) => path),
    destinations: ['ingest', 'automation'],
  });
  const results = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let post = 0; post < OBSERVED; post += 1) {
      metrics.requestDone('POST', '/post-lead', 200, 2 + (post % 30));
      metrics.leads.written({ survey: '/survey/v4nv', revision: 1, hold: null });
      if (post % POSTS_A_COMMIT === 0) metrics.batchDone(POSTS_A_COMMIT, 2);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / OBSERVED;
  });
  return median(results);
}
