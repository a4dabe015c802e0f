/**
 * Measures posts beside the packing of an older database: without the pauses that the server makes. First as many as
 * the server takes, then one at a time until everything is packed: whether any post has to wait.
 */
import { packPortion } from '../src/server/storage/packing/job.ts';
import { openDatabaseOf } from './console-database.ts';
import { exampleLead } from './example-lead.ts';
import { fillLeads } from './fill-leads.ts';
import { postLead, startLeadServer } from './lead-server.ts';
import { load, reportLine } from './load.ts';
import { createPoster } from './poster.ts';

const LEADS = 100_000;
const CONNECTIONS = 32;
const LOAD_MS = 4_000;
const FULL_ROUNDS = 10;
const SINGLE_MS = 30_000;

export async function benchPacking(leads = LEADS): Promise<void> {
  const off = { CONSOLE_PORT: 'off', OPERATIONS_PORT: 'off', PAGES: 'off' };
  const server = await startLeadServer(undefined, off);
  const pool = await openDatabaseOf(server.dataDir);
  const opened = () => createPoster(server.url, CONNECTIONS);
  let poster = await opened();
  const post = () => postLead(poster, exampleLead());
  const posts = () => load(CONNECTIONS, LOAD_MS, post);
  try {
    const lead = exampleLead();
    await postLead(poster, lead);
    poster.close();
    await fillLeads(pool, lead.lead_id ?? '', { from: 0, to: leads, age: '2 days' });
    await pool.query('vacuum analyze');
    // The server closes connections that are idle for so long.
    poster = await opened();
    await pool.query(`update packing set begins_at = '-infinity'`);
    console.log(`Posts, beside the packing of ${leads} leads and their visits:`);
    for (let round = 0; round < 3; round += 1)
      console.log(reportLine('posts alone', await posts()));
    const startedMs = performance.now();
    let isPacking = true;
    const packing = (async () => {
      for (const what of ['leads', 'visits'] as const) {
        while ((await packPortion(pool, what)) !== undefined);
      }
    })().finally(() => {
      isPacking = false;
    });
    for (let round = 0; isPacking && round < FULL_ROUNDS; round += 1)
      console.log(reportLine('posts beside packing', await posts()));
    while (isPacking)
      console.log(reportLine('one post at a time beside packing', await load(1, SINGLE_MS, post)));
    await packing;
    const seconds = (performance.now() - startedMs) / 1000;
    console.log(
      `  packed ${(leads / seconds).toFixed(0)} leads a second, in ${seconds.toFixed(0)} s`,
    );
  } finally {
    poster.close();
    await pool.end();
    await server.stop();
  }
}
