import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { defaultCredentials } from '../sandbox/credentials.ts';
import { sandboxEnvironment } from '../sandbox/environment.ts';
import { exampleLead } from './example-lead.ts';
import { postLead, postLeads, startLeadServer } from './lead-server.ts';
import { load, reportLine } from './load.ts';
import { createPoster } from './poster.ts';

const CONNECTIONS = 32;
const WARM_UP_MS = 12_000;
const MEMORY_POSTS = 5_000;
const MEMORY_ROUNDS = 3;

/** Starts a server that never answers. */
async function startSilence() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => server.close(),
  };
}

/** Returns a lead with a new description, so that no cached check applies. */
function newLead(): object {
  return { ...exampleLead(), case_description: `A truck hit my car from behind ${randomUUID()}` };
}

/**
 * Measures `POST /post-lead` while every third party hangs, checks and destinations alike, in turns with a
 * server without third parties. Also measures the hanging server's memory growth per 5,000 leads.
 */
export async function benchThirdParties(durationMs = 4_000, rounds = 5): Promise<void> {
  const silence = await startSilence();
  const hanging = {
    ...sandboxEnvironment(silence.url, defaultCredentials),
    DELIVERY_CONCURRENCY: '50',
  };
  const servers = [
    { name: 'no third party', server: await startLeadServer() },
    { name: 'all third parties hang', server: await startLeadServer(undefined, hanging) },
  ];
  const measured = await Promise.all(
    servers.map(async (each) => ({
      ...each,
      poster: await createPoster(each.server.url, CONNECTIONS),
      rates: [] as number[],
    })),
  );
  try {
    console.log(
      `Leads while third parties hang, ${CONNECTIONS} connections, ${rounds} rounds in turns:`,
    );
    for (const { poster } of measured) {
      await load(CONNECTIONS, WARM_UP_MS, () => postLead(poster, newLead()));
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, poster, rates } of measured) {
        const result = await load(CONNECTIONS, durationMs, () => postLead(poster, newLead()));
        console.log(reportLine(name, result));
        rates.push(result.perSecond);
      }
    }
    const [off, hang] = measured.map(({ rates }) => rates.sort((a, b) => a - b)[rounds >> 1] ?? 0);
    const hung = measured[1] as (typeof measured)[number];
    const memory = [hung.server.residentMiB()];
    for (let more = 0; more < MEMORY_ROUNDS; more += 1) {
      await postLeads(hung.poster, CONNECTIONS, MEMORY_POSTS, newLead);
      memory.push(hung.server.residentMiB());
    }
    const times = ((off ?? 0) / (hang ?? 1)).toFixed(2);
    console.log(`  ${times} times as slow (target: at most 1.10); medians of ${rounds}`);
    console.log(
      `  memory, each after ${MEMORY_POSTS} more leads: ${memory.map((each) => each.toFixed(0)).join(', ')} MiB`,
    );
  } finally {
    for (const { poster, server } of measured) {
      poster.close();
      await server.stop();
    }
    silence.stop();
  }
}
