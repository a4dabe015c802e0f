import { resolve } from 'node:path';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import type { AcceptedLead } from '../src/intake/lead-record.ts';
import { findRunningEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';
import { deliveryRows, INSERT_LEADS, leadRow } from '../src/server/storage/leads-statements.ts';
import { testAcceptLead } from '../tests/support/leads.ts';
import { createPoster, exampleLead, startLeadServer } from './lead-server.ts';
import { load, median, reportLine } from './measure.ts';

const CONNECTIONS = 32;
/** The largest batch that the server writes in one commit. */
const BATCH = 64;
/** The engine compiles hot code in the first ten seconds or so. */
const WARM_UP_MS = 15_000;
const MEASURE_MS = 4_000;
const ROUNDS = 5;

/** Returns a function that makes rows of new leads, which differ from a real one only in their ids. */
async function rowMaker(): Promise<(count: number) => [leads: string, deliveries: string]> {
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
    ];
  };
}

/**
 * Measures `POST /post-lead` in turns with the limit, which is the same rows written without HTTP, and optionally with
 * another checkout's server. All share one machine's cores, so each side slows the other.
 *
 * @param against a folder with another checkout and its installed packages
 */
export async function benchPostLead(against?: string): Promise<void> {
  const server = await startLeadServer();
  const other = against === undefined ? undefined : await startLeadServer(resolve(against));
  const database = await findRunningEmbeddedPostgres(server.dataDir);
  if (!database) throw new Error('the server has no embedded database');
  const pool = new pg.Pool({ connectionString: database.connectionString, max: CONNECTIONS });
  const poster = await createPoster(server.url, CONNECTIONS);
  const otherPoster = other && (await createPoster(other.url, CONNECTIONS));
  const rowsOf = await rowMaker();
  const insert = () =>
    pool.query({ name: 'bench-insert', text: INSERT_LEADS, values: rowsOf(BATCH) });
  const ours = 'POST /post-lead';
  const theirs = 'POST /post-lead of the other checkout';
  const limit = `the limit: batches of ${BATCH}, one after another`;
  type Measured = { name: string; writers: number; leads: number; call(): Promise<unknown> };
  const postingTo = (name: string, to: typeof poster): Measured => ({
    name,
    writers: CONNECTIONS,
    leads: 1,
    call: () => to.post(exampleLead()),
  });
  const posting = [
    postingTo(ours, poster),
    ...(otherPoster ? [postingTo(theirs, otherPoster)] : []),
  ];
  const measured = [...posting, { name: limit, writers: 1, leads: BATCH, call: insert }];
  try {
    console.log(`Leads, ${CONNECTIONS} connections, ${ROUNDS} rounds in turns:`);
    const idleMiB = server.residentMiB();
    for (const { writers, call } of posting) await load(writers, WARM_UP_MS, call);
    const rates = new Map<string, number[]>();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { name, writers, leads, call } of measured) {
        const result = await load(writers, MEASURE_MS, call);
        const perSecond = result.perSecond * leads;
        console.log(reportLine(name, { ...result, perSecond }));
        rates.set(name, [...(rates.get(name) ?? []), perSecond]);
      }
    }
    const rate = (name: string) => median(rates.get(name) ?? []);
    const ratio = (to: string) => (rate(ours) / rate(to)).toFixed(2);
    console.log(`  ${ratio(limit)} of the limit (target: at least 0.60); medians of ${ROUNDS}`);
    if (other) console.log(`  ${ratio(theirs)} of the other checkout`);
    const memory = `${idleMiB.toFixed(0)} MiB before, ${server.residentMiB().toFixed(0)} MiB after`;
    console.log(`  server memory ${memory}`);
  } finally {
    await pool.end();
    poster.close();
    otherPoster?.close();
    await server.stop();
    await other?.stop();
  }
}
