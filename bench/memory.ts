import { setTimeout as sleep } from 'node:timers/promises';
import { exampleLead } from './example-lead.ts';
import { postLeads, startLeadServer } from './lead-server.ts';
import { createPoster } from './poster.ts';

const CONNECTIONS = 32;

/**
 * Measures the memory of the server's process (not its database): when idle, and after `posts` new leads at
 * full speed.
 */
export async function benchMemory(posts = 20_000): Promise<void> {
  const server = await startLeadServer();
  const poster = await createPoster(server.url, CONNECTIONS);
  const line = (when: string, more = '') =>
    console.log(`  ${when.padEnd(18)} ${server.residentMiB().toFixed(0).padStart(5)} MiB${more}`);
  try {
    console.log(`Memory of the server, ${posts} posts on ${CONNECTIONS} connections:`);
    await sleep(1_000);
    line('at rest');
    let highestMiB = 0;
    const startedAtMs = performance.now();
    const watch = setInterval(() => {
      highestMiB = Math.max(highestMiB, server.residentMiB());
    }, 1_000);
    await postLeads(poster, CONNECTIONS, posts, exampleLead).finally(() => clearInterval(watch));
    const perSecond = posts / ((performance.now() - startedAtMs) / 1000);
    line(`after ${posts} posts`, ` (highest ${highestMiB.toFixed(0)}), ${perSecond.toFixed(0)}/s`);
    await sleep(5_000);
    line('5 s later');
  } finally {
    poster.close();
    await server.stop();
  }
}
