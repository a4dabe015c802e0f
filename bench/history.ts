/** Measures the same operations with more and more stored leads. */
import type pg from 'pg';
import { pino } from 'pino';
import { leadListOf, listLeads } from '../src/server/insight/index.ts';
import { openDatabase, portionTimeouts } from '../src/server/platform/database/database.ts';
import { openPersonKeys } from '../src/server/platform/database/person-keys.ts';
import { findRunningEmbeddedPostgres } from '../src/server/platform/postgres/embedded-postgres.ts';
import { createTakeOptOut, erase } from '../src/server/privacy/index.ts';
import { parseSettings } from '../src/server/settings/settings.ts';
import { countVisits, fillLeads, openFillingPool } from './fill-leads.ts';
import { createPoster, exampleLead, startLeadServer } from './lead-server.ts';
import { figuresOf, load } from './measure.ts';

const SIZES = [1_000, 100_000, 1_000_000];
/** The maximum time of an operation, as a multiple of the time with the fewest leads. */
const WANTED = 1.5;
const CONNECTIONS = 32;
const LOAD_MS = 4_000;
const LOADS = 3;
const ROUNDS = 25;

type Measured = Map<string, number[]>;

type Site = Awaited<ReturnType<typeof openSite>>;
type Example = Readonly<Record<'id' | 'email' | 'phone', string>>;

/** Measures each number of leads in `sizes`. Sets the exit code to 1 if a target is missed. */
export async function benchHistory(sizes: readonly number[] = SIZES): Promise<void> {
  const server = await startLeadServer();
  try {
    const site = await openSite(server);
    const example = await site.postPerson();
    // Counts the original visit first, because copies of an uncounted visit would also be
    // uncounted.
    await site.count();
    let stored = 0;
    const results: Result[] = [];
    for (const leads of sizes) {
      const startedMs = performance.now();
      await fillLeads(site.filling, example.id, { from: stored, to: leads });
      await site.filling.query('vacuum analyze');
      await site.filling.query('checkpoint');
      stored = leads;
      const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
      console.log(`  filled to ${leads} leads in ${seconds} s`);
      results.push({ leads, measured: await measure(site) });
      printTable(results);
    }
    await site.close();
  } finally {
    await server.stop();
  }
}

async function openSite({ url, dataDir }: { readonly url: string; readonly dataDir: string }) {
  const found = await findRunningEmbeddedPostgres(dataDir);
  if (!found) throw new Error('the server has no embedded database');
  const { connectionString } = found;
  const log = pino({ level: 'silent' });
  const timeouts = portionTimeouts;
  const { pool, close } = openDatabase({ connectionString, poolMax: 4, timeouts, log });
  const settings = parseSettings({ DATA_DIR: dataDir });
  const personKey = await openPersonKeys(pool, settings);
  const filling: pg.Pool = await openFillingPool(dataDir, connectionString);
  let persons = 0;
  return {
    pool,
    filling,
    personKey,
    list: leadListOf(pool, settings, personKey),
    async postPerson(): Promise<Example> {
      const exchange = 220 + (Math.floor(persons / 10_000) % 50);
      const phone = `212${exchange}${String(persons % 10_000).padStart(4, '0')}`;
      const person = { email: `stored.${persons}@example.com`, phone };
      persons += 1;
      const lead = exampleLead();
      const poster = createPoster(url, 1);
      await poster.post({ ...lead, ...person }).finally(() => poster.close());
      return { id: String(lead.lead_id), ...person };
    },
    async load() {
      const poster = createPoster(url, CONNECTIONS);
      const work = load(CONNECTIONS, LOAD_MS, () => poster.post(exampleLead()));
      return work.finally(() => poster.close());
    },
    count: () => countVisits(pool),
    async close(): Promise<void> {
      await filling.end();
      await close();
    },
  };
}

async function measure(site: Site): Promise<Measured> {
  const measured: Measured = new Map();
  const add = (name: string, value: number) =>
    measured.set(name, [...(measured.get(name) ?? []), value]);
  const time = async (name: string, work: () => Promise<unknown>) => {
    const startedMs = performance.now();
    await work();
    add(name, performance.now() - startedMs);
  };
  const { pool, personKey, list } = site;
  const people = { pool, personKey, settings: { destinations: [], operatorsTimeZone: 'UTC' } };
  const noLimits = { perAddressPerHour: 0, alertPerHour: 0 };
  const takeOptOut = createTakeOptOut(people, noLimits, () => undefined);
  const address = '203.0.113.7';
  const visitor = { secGpc: false, address, networkKey: address, userAgent: 'bench', page: '/' };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { email, phone } = await site.postPerson();
    const erased = await site.postPerson();
    const sought = await site.postPerson();
    await site.count();
    await time('do-not-sell request', () =>
      takeOptOut({ name: 'Ann', email, phone, state: 'CA' }, 'en', visitor),
    );
    await time('erase by phone', () => erase(people, erased.phone, 'bench'));
    await time('page of the console', () => listLeads(list, {}, { limit: 100 }));
    await time('search by e-mail', async () => {
      const { rows } = await listLeads(list, { q: sought.email }, { limit: 100 });
      if (rows.length !== 1) throw new Error(`found ${rows.length} leads of one person`);
    });
  }
  for (let round = 0; round < LOADS; round += 1) {
    const { perSecond, p99Ms, failures } = await site.load();
    if (failures > 0) throw new Error(`${failures} posts failed`);
    add('a thousand posts', 1_000_000 / perSecond);
    add('posts, p99', p99Ms);
  }
  return measured;
}

type Result = { readonly leads: number; readonly measured: Measured };

function printTable(results: readonly Result[]): void {
  const line = (name: string, cells: readonly string[]) =>
    console.log(`  ${name.padEnd(24)}${cells.map((cell) => cell.padStart(22)).join('')}`);
  console.log(
    `Medians (and middle halves) in ms by stored leads; wanted: at most ${WANTED} times the first`,
  );
  line('', [...results.map(({ leads }) => leads.toLocaleString('en-US')), 'times']);
  for (const name of results[0]?.measured.keys() ?? []) {
    const figures = results.map(({ measured }) => figuresOf(measured.get(name) ?? []));
    const base = figures[0] ?? figuresOf([]);
    const times = Math.max(...figures.map(({ median }) => median / base.median));
    const isMissed = figures.some(({ low }) => low / base.high > WANTED);
    if (isMissed) process.exitCode = 1;
    const cells = figures.map(({ median, low, high }) =>
      [median.toFixed(1), ` (${low.toFixed(1)}-${high.toFixed(1)})`].join(''),
    );
    line(name, [...cells, times.toFixed(2), isMissed ? 'MISSED' : '']);
  }
}
