import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findRunningEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';
import { PERSON_KEY_FILE } from '../src/server/storage/person-key-secret.ts';
import { rekeyPersons } from '../src/server/storage/rekey-persons.ts';
import { exampleLead } from './example-lead.ts';
import { median } from './figures.ts';
import { postLead, startLeadServer } from './lead-server.ts';
import { type LoadResult, load, reportLine } from './load.ts';
import { type Connections, createPoster, openConnections, type Poster } from './poster.ts';
import { storedPerson, storeLeads } from './stored-leads.ts';

const VISITORS = 50;
const ATTACKS = 5_000;
const ATTACKERS = 16;
const FILLER = 'x'.repeat(50_000);

/** Leads in the database during a flood of do-not-sell requests. */
const STORED = 500_000;
/** How many of them have an unsent delivery, so that a request has something to stop. */
const WAITING = 50_000;

/**
 * Measures visitors while an attacker posts one lead id repeatedly: the response times of 50 visitors who
 * post continuously, in turns with and without the attack.
 */
export async function benchFlood(rounds = 3): Promise<void> {
  const server = await startLeadServer();
  const attackers = await createPoster(server.url, ATTACKS);
  try {
    console.log(`${VISITORS} visitors, and ${ATTACKS} posts of 50 kB to one id:`);
    await compare(server.url, rounds, () => floodOneId(attackers));
  } finally {
    attackers.close();
    await server.stop();
  }
}

/**
 * Measures visitors during a flood of do-not-sell requests, each from its own address, for a person with a
 * stored lead. Also prints how long re-keying that many leads takes.
 */
export async function benchOptOuts(stored = STORED, rounds = 3): Promise<void> {
  const server = await startLeadServer();
  try {
    await storeKeyedLeads(server, stored);
    console.log(
      `${VISITORS} visitors, ${stored} stored leads, ${ATTACKERS} do-not-sell requests at once:`,
    );
    const requests = { sent: 0 };
    // Opened only now, because the server closes connections that are idle for long.
    const attackers = await openConnections(server.url, ATTACKERS);
    await compare(server.url, rounds, (isOver) =>
      floodOptOuts(attackers, requests, isOver),
    ).finally(attackers.close);
  } finally {
    await server.stop();
  }
}

async function storeKeyedLeads(
  { url, dataDir }: { readonly url: string; readonly dataDir: string },
  count: number,
): Promise<void> {
  const database = await findRunningEmbeddedPostgres(dataDir);
  if (!database) throw new Error('the server has no embedded database');
  const poster = await createPoster(url, 1);
  const pool = new pg.Pool({ connectionString: database.connectionString, max: 2 });
  try {
    const lead = exampleLead();
    await postLead(poster, lead);
    await storeLeads(pool, String(lead.lead_id), count, WAITING);
    console.log(`  ${count} leads are stored`);
    const secret = readFileSync(join(dataDir, PERSON_KEY_FILE), 'utf8').trim();
    const startedAtMs = performance.now();
    await rekeyPersons(pool, secret);
    const seconds = (performance.now() - startedAtMs) / 1000;
    console.log(`  the keys of ${count} leads were renewed in ${seconds.toFixed(1)} s`);
    await pool.query('vacuum analyze');
  } finally {
    poster.close();
    await pool.end();
  }
}

/**
 * Measures visitors alone and under attack, in turns.
 *
 * @param attack ends when `isOver` returns true, or earlier
 */
async function compare(
  url: string,
  rounds: number,
  attack: (isOver: () => boolean) => Promise<Record<number, number>>,
): Promise<void> {
  const visitors = await createPoster(url, VISITORS);
  const times: Record<'calm' | 'attacked', LoadResult[]> = { calm: [], attacked: [] };
  const measure = () => load(VISITORS, 4_000, () => postLead(visitors, exampleLead()));
  try {
    for (let round = 0; round < rounds; round += 1) {
      const calm = await measure();
      times.calm.push(calm);
      console.log(reportLine('visitors alone', calm));
      let isOver = false;
      const attacking = attack(() => isOver);
      const attacked = await measure();
      isOver = true;
      times.attacked.push(attacked);
      console.log(reportLine('visitors during the attack', attacked));
      console.log(`  the attacker was answered ${JSON.stringify(await attacking)}`);
    }
    const p99 = (results: readonly LoadResult[]) => median(results.map(({ p99Ms }) => p99Ms));
    const ratio = p99(times.attacked) / p99(times.calm);
    console.log(
      `  p99 ${ratio.toFixed(2)} times as long (target: at most 2), medians of ${rounds}`,
    );
  } finally {
    visitors.close();
  }
}

/** @returns the number of answers by status */
async function floodOptOuts(
  { host, send }: Connections,
  requests: { sent: number },
  isOver: () => boolean,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  const attacker = async () => {
    while (!isOver()) {
      const number = requests.sent;
      requests.sent += 1;
      const body = String(
        new URLSearchParams({ ...storedPerson(number), name: 'Ann', state: 'CA' }),
      );
      const address = `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
      const status = await send(
        `POST /do-not-sell-my-information/ HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${address}\r\n` +
          `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: ATTACKERS }, attacker));
  return statuses;
}

/** @returns the number of answers by status */
async function floodOneId(attackers: Poster): Promise<Record<number, number>> {
  const lead = exampleLead();
  await postLead(attackers, lead);
  const statuses: Record<number, number> = {};
  let sent = 0;
  const attack = async () => {
    while (sent < ATTACKS) {
      sent += 1;
      const body = { ...lead, sub_id4: String(sent), filler: FILLER };
      const status = await attackers.post(body, { 'x-forwarded-for': '203.0.113.66' });
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: ATTACKERS }, attack));
  return statuses;
}
