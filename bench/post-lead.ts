import { resolve } from 'node:path';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import type { AcceptedLead } from '../src/intake/lead-record.ts';
import { findRunningEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';
import { deliveryRows, INSERT_LEADS, leadRow } from '../src/server/storage/leads-statements.ts';
import { endProgram, startProgram } from '../tests/e2e/support/programs.ts';
import { testAcceptLead } from '../tests/support/leads.ts';
import { exampleLead } from './example-lead.ts';
import { median } from './figures.ts';
import { postLead, startLeadServer } from './lead-server.ts';
import { type LoadResult, load, reportLine } from './load.ts';
import { createPoster } from './poster.ts';

const CONNECTIONS = 32;
/** The largest batch that the server writes in one commit. */
const BATCH = 64;
/** Simultaneous commits, as in the server. */
const WRITERS = 2;
/**
 * Warm-up before measuring, because the engine compiles hot code in the first ten seconds or so.
 */
const WARM_UP_MS = 15_000;

/** Returns a function that makes rows of new leads, which differ from a real one only in their ids. */
export async function rowMaker(
  more: Readonly<Record<string, string>> = {},
): Promise<(count: number) => [leads: string, deliveries: string]> {
  const { post, store } = testAcceptLead();
  const example: Record<string, string> = { ...exampleLead(), ...more };
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
    return [JSON.stringify(leads.map(leadRow)), JSON.stringify(leads.flatMap(deliveryRows))];
  };
}

/**
 * Measures `POST /post-lead` in turns with three comparisons: the same rows written without HTTP (in batches
 * of 64 one by one, which is the limit; several batches at once; and each lead by itself), an echoed POST,
 * and optionally another checkout's server. Everything shares one machine's cores, so each side slows the
 * other.
 *
 * @param durationMs of each measurement; every one is repeated `rounds` times
 * @param against a folder with another checkout and its installed packages
 */
export async function benchPostLead(
  durationMs = 4_000,
  rounds = 5,
  against?: string,
): Promise<void> {
  const server = await startLeadServer();
  const other = against === undefined ? undefined : await startLeadServer(resolve(against));
  const database = await findRunningEmbeddedPostgres(server.dataDir);
  if (!database) throw new Error('the server has no embedded database');
  const pool = new pg.Pool({ connectionString: database.connectionString, max: CONNECTIONS });
  const poster = await createPoster(server.url, CONNECTIONS);
  const otherPoster = other && (await createPoster(other.url, CONNECTIONS));
  const echo = await startProgram(['bench/echo.ts'], {});
  const rowsOf = await rowMaker();
  const insert = (count: number) =>
    pool.query({ name: 'bench-insert', text: INSERT_LEADS, values: rowsOf(count) });
  const echoPoster = await createPoster(echo.url, CONNECTIONS);
  type Measured = { name: string; writers: number; leads: number; call(): Promise<unknown> };
  const ours = { writers: CONNECTIONS, leads: 1 };
  const posting: Measured = {
    name: 'POST /post-lead',
    ...ours,
    call: () => postLead(poster, exampleLead()),
  };
  const limit: Measured = {
    name: `the limit: batches of ${BATCH}, one after another`,
    writers: 1,
    leads: BATCH,
    call: () => insert(BATCH),
  };
  const limitAtOnce = {
    ...limit,
    name: `batches of ${BATCH}, ${WRITERS} at once`,
    writers: WRITERS,
  };
  const oneByOne: Measured = {
    name: 'lead and delivery, one by one',
    ...ours,
    call: () => insert(1),
  };
  const echoing: Measured = {
    name: 'echoed POST',
    ...ours,
    call: () => postLead(echoPoster, exampleLead()),
  };
  const others: Measured[] = otherPoster
    ? [
        {
          name: 'POST /post-lead of the other checkout',
          ...ours,
          call: () => postLead(otherPoster, exampleLead()),
        },
      ]
    : [];
  const measured = [posting, ...others, limit, limitAtOnce, oneByOne, echoing];
  try {
    console.log(`Leads, ${CONNECTIONS} connections, ${rounds} rounds in turns:`);
    const idleMiB = server.residentMiB();
    for (const { writers, call } of [posting, ...others]) {
      await load(writers, WARM_UP_MS, async () => void (await call()));
    }
    const rates = new Map<string, number[]>();
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, writers, leads, call } of measured) {
        const result = perLead(
          await load(writers, durationMs, async () => void (await call())),
          leads,
        );
        console.log(reportLine(name, result));
        rates.set(name, [...(rates.get(name) ?? []), result.perSecond]);
      }
    }
    const rate = ({ name }: Measured) => median(rates.get(name) ?? []);
    const ratio = (to: Measured) => (rate(posting) / rate(to)).toFixed(2);
    console.log(`  ${ratio(limit)} of the limit (target: at least 0.60); medians of ${rounds}`);
    console.log(`  ${ratio(limitAtOnce)} of batches at once, ${ratio(oneByOne)} of one by one`);
    for (const other of others)
      console.log(`  ${ratio(other)} of the other (target: at least 1.30)`);
    const memory = `${idleMiB.toFixed(0)} MiB before, ${server.residentMiB().toFixed(0)} MiB after`;
    console.log(`  server memory ${memory}`);
  } finally {
    await pool.end();
    for (const each of [poster, echoPoster, otherPoster]) each?.close();
    await endProgram(echo.child, 'SIGTERM');
    await server.stop();
    await other?.stop();
  }
}

function perLead(result: LoadResult, leads: number): LoadResult {
  return { ...result, perSecond: result.perSecond * leads };
}
