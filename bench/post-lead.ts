import pg from 'pg';
import { v7 as uuid } from 'uuid';
import type { AcceptedLead } from '../src/model/lead/lead-record.ts';
import {
  deliveryRows,
  INSERT_LEADS,
  leadRow,
  textRows,
} from '../src/server/leads/lead-statements.ts';
import { findRunningEmbeddedPostgres } from '../src/server/platform/postgres/embedded-postgres.ts';
import { testAcceptLead } from '../tests/support/leads.ts';
import { createPoster, exampleLead, startLeadServer } from './lead-server.ts';
import { figuresOf, type LoadResult, load } from './measure.ts';

const CONNECTIONS = 32;
/** The maximum number of leads that the server commits in one transaction. */
const BATCH = 64;
/**
 * The time before the measurement begins. V8 needs some seconds to compile frequently used code.
 */
const WARM_UP_MS = 15_000;
const MEASURE_MS = 4_000;
const ROUNDS = 5;

/** Returns a function that makes the database rows of new leads. */
async function rowMaker(): Promise<(count: number) => string[]> {
  const { post, store } = testAcceptLead();
  const example = exampleLead();
  await post(example);
  const [lead] = store.leads.get(String(example.lead_id)) ?? [];
  if (!lead) throw new Error('the example lead was not accepted');
  return (count) => {
    const leads = Array.from({ length: count }, (): AcceptedLead => {
      const id = uuid();
      const click = { ...lead.click, id: id.replaceAll('-', '') };
      const deliveries = lead.deliveries.map((delivery) => ({ ...delivery, id: uuid() }));
      return { ...lead, id, click, deliveries };
    });
    return [
      JSON.stringify(leads.map((lead) => leadRow(lead))),
      JSON.stringify(leads.flatMap(deliveryRows)),
      JSON.stringify(textRows(lead)),
    ];
  };
}

/**
 * Compares `POST /post-lead` with the upper limit. The limit is the speed of writing the same rows
 * without HTTP.
 */
export async function benchPostLead(): Promise<void> {
  const server = await startLeadServer();
  const database = await findRunningEmbeddedPostgres(server.dataDir);
  if (!database) throw new Error('the server has no embedded database');
  const pool = new pg.Pool({ connectionString: database.connectionString });
  const poster = createPoster(server.url, CONNECTIONS);
  const rowsOf = await rowMaker();
  const post = () => poster.post(exampleLead());
  const insert = () =>
    pool.query({ name: 'bench-insert', text: INSERT_LEADS, values: rowsOf(BATCH) });
  const limit = `the limit: batches of ${BATCH}, one after another`;
  try {
    console.log(`Leads, ${CONNECTIONS} connections, ${ROUNDS} rounds in turns:`);
    const idleMiB = server.residentMiB();
    await load(CONNECTIONS, WARM_UP_MS, post);
    const rates: Record<'posts' | 'limit', number[]> = { posts: [], limit: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const posts = await load(CONNECTIONS, MEASURE_MS, post);
      rates.posts.push(posts.perSecond);
      print('POST /post-lead', posts);
      const inserts = await load(1, MEASURE_MS, insert);
      const perSecond = inserts.perSecond * BATCH;
      rates.limit.push(perSecond);
      print(limit, { ...inserts, perSecond });
    }
    const ratio = figuresOf(rates.posts).median / figuresOf(rates.limit).median;
    console.log(`  ${ratio.toFixed(2)} of the limit (target: at least 0.60); medians of ${ROUNDS}`);
    const memory = `${idleMiB.toFixed(0)} MiB before, ${server.residentMiB().toFixed(0)} MiB after`;
    console.log(`  server memory ${memory}`);
  } finally {
    await pool.end();
    await poster.close();
    await server.stop();
  }
}

function print(name: string, { perSecond, p50Ms, p99Ms, failures }: LoadResult): void {
  const rate = `${perSecond.toFixed(0).padStart(7)}/s`;
  const failed = failures > 0 ? `  ${failures} FAILED` : '';
  const times = `p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms`;
  console.log(`  ${name.padEnd(44)} ${rate}  ${times}${failed}`);
}
