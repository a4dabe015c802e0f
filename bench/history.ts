/**
 * Measures what grows with history: the same operations at several numbers of stored leads. Each should take at most
 * 1.5 times as long as with the fewest.
 */
import type pg from 'pg';
import { pino } from 'pino';
import { findRunningEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts';
import { parseSettings } from '../src/server/config/settings.ts';
import { countingOptions, countPortion } from '../src/server/operators/counts/job.ts';
import { findLead } from '../src/server/operators/find-lead.ts';
import { filterContext } from '../src/server/operators/lead-list/condition.ts';
import { exportText } from '../src/server/operators/lead-list/export.ts';
import {
  type LeadListContext,
  listLeads,
  readLeads,
} from '../src/server/operators/lead-list/list.ts';
import { readStory } from '../src/server/operators/story.ts';
import { erase } from '../src/server/privacy/erase.ts';
import { createOptOutStore } from '../src/server/privacy/opt-out.ts';
import type { OptOutRequest } from '../src/server/site-forms/take-opt-out.ts';
import { type Database, openDatabase, portionTimeouts } from '../src/server/storage/database.ts';
import { openPersonKeys } from '../src/server/storage/person-keys.ts';
import { purgeOnce, turnFor } from '../tests/support/job-clock.ts';
import { exampleLead } from './example-lead.ts';
import { type Figures, figuresOf } from './figures.ts';
import { bytesPerLead, fillForms, fillLeads, NEWEST_HOURS, openFillingPool } from './fill-leads.ts';
import { postLead, startLeadServer } from './lead-server.ts';
import { load } from './load.ts';
import { createPoster, type Poster } from './poster.ts';

const SIZES = [1_000, 100_000, 1_000_000];
/** How often as long an operation may take as with the fewest leads. */
const WANTED = 1.5;
const CONNECTIONS = 32;
const LOAD_MS = 4_000;
const LOADS = 3;
const ROUNDS = 25;
const PURGES = 3;
const PURGED = 2_000;
const EXPORTS = 3;
/** The rows of one measurement: the newest copies are exported until there were so many. */
const EXPORTED = 20_000;
const EXPORTED_HOURS = 12;
/** The posts of a load are counted at once. */
const MOST_CHANGES = 1_000_000;
const KEPT_DAYS = 1_000;
/** Purged copies have numbers of their own, and each round's are newer than those before. */
const FIRST_OLD = 1_000_000_000;
const OLDEST_DAYS = KEPT_DAYS + 1_000;

/** The values of an operation at one size, by its name. Rates are better when higher, times in ms when lower. */
type Measured = Map<string, { readonly isRate: boolean; readonly values: number[] }>;

type Site = Database & {
  readonly url: string;
  /** For filling. */
  readonly filling: pg.Pool;
  readonly personKey: Awaited<ReturnType<typeof openPersonKeys>>;
  readonly settings: ReturnType<typeof parseSettings>['settings'];
  /** How many persons have been made up. */
  persons: number;
  /** How many purges there were. */
  purges: number;
};
type Server = Awaited<ReturnType<typeof startLeadServer>>;
type Example = { readonly id: string; readonly email: string; readonly phone: string };

/** Prints a table, and sets the exit code if an operation grows by more than wanted and by more than its spread. */
export async function benchHistory(sizes: readonly number[] = SIZES): Promise<void> {
  const off = { CONSOLE_PORT: 'off', OPERATIONS_PORT: 'off', PAGES: 'off' };
  const server = await startLeadServer(undefined, off);
  try {
    const site = await openSite(server);
    const counting = await countingOptions(site.settings);
    const example = await posting(server.url, 1, (poster) => postPerson(site, poster));
    const results: { leads: number; measured: Measured; bytes: number }[] = [];
    const count = async () => {
      // The server counts, too, one process at a time.
      const options = { ...counting, limit: MOST_CHANGES };
      const turn = turnFor(site.pool, 'counts');
      await site.pool.query('update counting set counted_until = null');
      while ((await countPortion(turn, options)).isBehind);
    };
    // The copies are copies of a counted visit.
    await count();
    let stored = 0;
    for (const size of sizes) {
      const startedMs = performance.now();
      await fillLeads(site.filling, example.id, { from: stored, to: size });
      const bytes = await bytesPerLead(site.pool);
      await fillForms(site.filling, { from: stored, to: size });
      stored = size;
      await site.filling.query('vacuum analyze');
      await site.filling.query('checkpoint');
      const filledMs = performance.now();
      console.log(`  filled to ${size} leads in ${seconds(filledMs - startedMs)}`);
      const measured = await measure(site, example, count);
      results.push({ leads: size, measured, bytes });
      console.log(`  measured in ${seconds(performance.now() - filledMs)}`);
      printTable(results);
    }
    await site.filling.end();
    await site.close();
  } finally {
    await server.stop();
  }
}

async function openSite(server: Server): Promise<Site> {
  const { url, dataDir } = server;
  const found = await findRunningEmbeddedPostgres(dataDir);
  if (!found) throw new Error('the server has no embedded database');
  const database = openDatabase({
    ...{ connectionString: found.connectionString, poolMax: 4, timeouts: portionTimeouts },
    log: pino({ level: 'silent' }),
  });
  const { settings } = parseSettings({ DATA_DIR: dataDir });
  const personKey = await openPersonKeys(database.pool, settings);
  const filling = await openFillingPool(dataDir, found.connectionString);
  return { ...database, url, filling, personKey, settings, persons: 0, purges: 0 };
}

/** Opens connections and closes them: the server ends those that are idle for long. */
async function posting<Result>(
  url: string,
  connections: number,
  use: (poster: Poster) => Promise<Result>,
): Promise<Result> {
  const poster = await createPoster(url, connections);
  return use(poster).finally(() => poster.close());
}

/** Returns a person by number: a unique address, a phone number below 500,000. */
function storedPerson(number: number): { email: string; phone: string } {
  const exchange = 220 + (Math.floor(number / 10_000) % 50);
  return {
    email: `stored.${number}@example.com`,
    phone: `212${exchange}${String(number % 10_000).padStart(4, '0')}`,
  };
}

/** Posts a lead of a new person. */
async function postPerson(site: Site, poster: Poster): Promise<Example> {
  const person = storedPerson(site.persons);
  site.persons += 1;
  const lead = exampleLead();
  await postLead(poster, { ...lead, ...person });
  return { id: lead.lead_id ?? '', ...person };
}

async function measure(
  site: Site,
  example: Example,
  count: () => Promise<unknown>,
): Promise<Measured> {
  const measured: Measured = new Map();
  const add = (name: string, value: number, isRate = false) => {
    const known = measured.get(name) ?? { isRate, values: [] };
    known.values.push(value);
    measured.set(name, known);
  };
  const time = async (name: string, work: () => Promise<unknown>) => {
    const startedMs = performance.now();
    await work();
    add(name, performance.now() - startedMs);
  };
  const { pool, db, personKey, settings } = site;
  const people = { pool, personKey };
  const list = { db, ...filterContext(settings, personKey) };
  const optOuts = createOptOutStore(
    pool,
    { perAddressPerHour: 0, alertPerHour: 0 },
    () => undefined,
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    const [opposed, erased, sought] = await posting(site.url, 1, async (poster) => {
      const person = () => postPerson(site, poster);
      return [await person(), await person(), await person()] as const;
    });
    await count();
    await time('do-not-sell request', () => optOuts.record(optOutOf(opposed, personKey)));
    await time('erase by phone', () => erase(people, erased.phone, 'bench'));
    await time('list', () => readLeads(list, {}, { limit: 51 }));
    await time('page of the console', () => listLeads(list, {}, { limit: 100 }));
    await time('search by e-mail', async () => {
      const { rows } = await listLeads(list, { q: sought.email }, { limit: 100 });
      if (rows.length !== 1) throw new Error(`found ${rows.length} leads of one person`);
    });
    await time('show', async () => readStory(db, await findLead(pool, sought.id)));
  }
  for (let round = 0; round < EXPORTS; round += 1) {
    add('exported rows a second', await exportRate(list), true);
  }
  for (let round = 0; round < PURGES; round += 1) {
    const from = FIRST_OLD + site.purges * PURGED;
    const age = `${OLDEST_DAYS - site.purges} days`;
    site.purges += 1;
    await fillLeads(site.filling, example.id, { from, to: from + PURGED, age });
    const days = { visits: KEPT_DAYS, clicks: KEPT_DAYS, attempts: KEPT_DAYS };
    const keep = { ...days, leads: KEPT_DAYS, consents: KEPT_DAYS, requests: KEPT_DAYS };
    await time(`purge of ${PURGED}`, async () => {
      const { leads } = await purgeOnce(pool, keep, new Date());
      if (leads !== PURGED) throw new Error(`purged ${leads} leads, not ${PURGED}`);
    });
  }
  for (let round = 0; round < LOADS; round += 1) {
    const { perSecond, p99Ms, failures } = await posting(site.url, CONNECTIONS, (poster) =>
      load(CONNECTIONS, LOAD_MS, () => postLead(poster, exampleLead())),
    );
    if (failures > 0) throw new Error(`${failures} posts failed`);
    add('posts a second', perSecond, true);
    add('posts, p99', p99Ms);
  }
  return measured;
}

/** Returns the rows a second of exports of the newest copies. */
async function exportRate(list: LeadListContext): Promise<number> {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const copies = { from: hoursAgo(NEWEST_HOURS + EXPORTED_HOURS), to: hoursAgo(NEWEST_HOURS) };
  let rows = 0;
  const exported = (leads: readonly unknown[]) => {
    rows += leads.length;
  };
  const startedMs = performance.now();
  while (rows < EXPORTED) {
    for await (const _ of exportText(list, copies, { format: 'csv', exported }));
  }
  return rows / ((performance.now() - startedMs) / 1_000);
}

function optOutOf({ email, phone }: Example, personKey: Site['personKey']): OptOutRequest {
  const address = '203.0.113.7';
  const visitor = { secGpc: false, address, networkKey: address, userAgent: 'bench', page: '/' };
  return {
    ...{ language: 'en', name: 'Ann', email, phone, state: 'CA', visitor },
    keys: [
      { kind: 'email', key: personKey('email', email) },
      { kind: 'phone', key: personKey('phone', phone) },
    ],
  };
}

function printTable(
  results: readonly { leads: number; measured: Measured; bytes: number }[],
): void {
  const [first] = results;
  if (!first) return;
  const line = (name: string, cells: readonly string[]) =>
    console.log(`  ${name.padEnd(24)}${cells.map((cell) => cell.padStart(22)).join('')}`);
  console.log(
    `Medians (and middle halves) by stored leads; wanted: at most ${WANTED} times the first`,
  );
  line('', [...results.map(({ leads }) => leads.toLocaleString('en-US')), 'times']);
  for (const [name, { isRate, values }] of first.measured) {
    const base = figuresOf(values);
    const figures = results.map(({ measured }) => figuresOf(measured.get(name)?.values ?? []));
    const times = figures.map((each) => timesOf(isRate, base, each));
    const most = Math.max(...times.map(({ median }) => median));
    const isMissed = times.some(({ least }) => least > WANTED);
    if (isMissed) process.exitCode = 1;
    const cells = figures.map(({ median, low, high }) => {
      const digits = median < 100 ? 1 : 0;
      return `${median.toFixed(digits)} (${low.toFixed(digits)}-${high.toFixed(digits)})`;
    });
    const inSpread = most > WANTED ? ` over ${WANTED}, within its spread` : '';
    line(isRate ? name : `${name}, ms`, [
      ...cells,
      ` ${most.toFixed(2)}${isMissed ? ' MISSED' : inSpread}`,
    ]);
  }
  const bytes = results.map((result) => result.bytes);
  const grown = Math.max(...bytes) / first.bytes;
  line('bytes per lead', [...bytes.map((each) => each.toFixed(0)), grown.toFixed(2)]);
}

/** Returns how many times slower an operation is, and at least is when both spreads are taken into account. */
function timesOf(isRate: boolean, base: Figures, now: Figures): { median: number; least: number } {
  if (isRate) return { median: base.median / now.median, least: base.low / now.high };
  return { median: now.median / base.median, least: now.low / base.high };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
