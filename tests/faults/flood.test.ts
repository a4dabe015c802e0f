/**
 * A flood through the proxy: bots with forged `X-Forwarded-For` post leads, rubbish and checks while a real
 * visitor answers a survey. The limits hold, no bot's lead is lost, and the visitor notices nothing.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadSecretHeader } from '../../src/contract/lead.ts';
import { findRunningEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts';
import { preparedDataDir } from '../support/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { freshProgress } from '../support/server.ts';
import { type ServerProcess, startServerProcess } from './crash-server.ts';
import { leadBody } from './crash-visitors.ts';

/** The size of the flood. `npm test load-long` sends a larger one. */
const BOTS = Number(process.env.FLOOD_BOTS ?? 200);
const BOTS_AT_ONCE = 50;
const LEADS_PER_HOUR = 30;
const CHECKS_PER_MINUTE = 2;
/** The first look-ups of its visits come on top, up to this number (docs/specification.md#refusals). */
const FIRST_CHECKS_PER_MINUTE = 20 * CHECKS_PER_MINUTE;
/** Each visit makes three checks: fewer than the limit of an address. */
const MOST_VISITS = FIRST_CHECKS_PER_MINUTE / 4;

const BOTS_ADDRESS = '203.0.113.66';
const VISITORS_ADDRESS = '198.51.100.7';

let dataDir: string;
let server: ServerProcess;
beforeAll(async () => {
  dataDir = await preparedDataDir('funnel flood ');
  server = await startServerProcess(dataDir, {
    TRUSTED_PROXIES: 'loopback',
    LEADS_PER_ADDRESS_PER_HOUR: String(LEADS_PER_HOUR),
    CHECKS_PER_ADDRESS_PER_MINUTE: String(CHECKS_PER_MINUTE),
    EMAIL_MX_LOOKUP: 'off',
    PAGES: 'off',
  });
});
afterAll(async () => {
  await server?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

test(`${BOTS} bots with forged addresses beside one visitor`, async () => {
  const random = seededRandom('flood');
  const agent = new Agent({ connections: BOTS_AT_ONCE + 4 });
  let answered = 0;
  /** Sends a request as the proxy forwards it: the client's claimed addresses, then its real one. */
  async function ask(
    path: string,
    body: unknown,
    from: { forged?: string; real: string; secret: string },
  ) {
    const forwarded = [from.forged, from.real].filter(Boolean).join(', ');
    const startedAtMs = performance.now();
    const answeredBefore = answered;
    const answer = await request(server.url + path, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': forwarded,
        [leadSecretHeader]: from.secret,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.body.text();
    const { statusCode: status, headers } = answer;
    const ms = performance.now() - startedAtMs;
    const overtakenBy = answered - answeredBefore;
    answered += 1;
    return { status, headers, body: JSON.parse(text), ms, overtakenBy };
  }

  const newSecret = () => randomUUID().replaceAll('-', '');
  const lead = (serial: number) => leadBody(randomUUID(), serial);
  const forged = () =>
    [
      `${random.integer(1, 224)}.${random.integer(0, 256)}.${random.integer(0, 256)}.9`,
      '127.0.0.1',
      VISITORS_ADDRESS,
      'unknown',
      `2001:db8::${random.integer(1, 9_999)}`,
    ][random.integer(0, 5)] as string;

  // All bots share one real address, whatever they claim. (Bots with a thousand addresses count as a thousand
  // visitors, each with its own limits.)
  const bots = { leads: 0, refusedRubbish: 0, refusedChecks: 0, serial: 0 };
  async function bot(): Promise<void> {
    bots.serial += 1;
    const from = { forged: forged(), real: BOTS_ADDRESS, secret: newSecret() };
    const posted = await ask('/post-lead', lead(bots.serial), from);
    expect(posted.status).toBe(200);
    bots.leads += 1;
    const rubbish = await ask('/post-lead', '{"lead_id":', from);
    expect([400, 429]).toContain(rubbish.status);
    const check = await ask('/api/check/phone', { phone: '2125550123' }, from);
    expect([200, 429]).toContain(check.status);
    for (const answer of [rubbish, check]) {
      if (answer.status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    if (rubbish.status === 429) bots.refusedRubbish += 1;
    if (check.status === 429) bots.refusedChecks += 1;
  }
  // In sequence up to the limit, because simultaneous posts may not see each other yet.
  while (bots.serial < LEADS_PER_HOUR) await bot();
  let isFlooding = true;
  const flood = Promise.all(
    Array.from({ length: BOTS_AT_ONCE }, async () => {
      while (bots.serial < BOTS) await bot();
    }),
  ).finally(() => {
    isFlooding = false;
  });

  // The visitor completes the survey again and again during the flood, while one bot forges the visitor's
  // address.
  const visits: string[] = [];
  let slowestMs = 0;
  let mostOvertakenBy = 0;
  async function visit(): Promise<void> {
    const body = lead(5_000 + visits.length);
    const id = String(body.lead_id);
    const calls: [path: string, body: unknown][] = [
      ['/api/save-data', freshProgress(id)],
      ['/api/check/phone', { phone: body.phone, survey: body.survey }],
      ['/api/check/email', { email: body.email, lead_id: id }],
      ['/api/check/text', { text: body.case_description }],
      ['/post-lead', body],
    ];
    const from = { real: VISITORS_ADDRESS, secret: newSecret() };
    for (const [path, given] of calls) {
      const { status, ms, overtakenBy } = await ask(path, given, from);
      expect(status, path).toBe(200);
      slowestMs = Math.max(slowestMs, ms);
      mostOvertakenBy = Math.max(mostOvertakenBy, overtakenBy);
    }
    visits.push(id);
  }
  while (isFlooding && visits.length < MOST_VISITS) await visit();
  await flood;
  await agent.close();
  console.log(
    `${bots.leads} bots, ${bots.refusedRubbish} pieces of rubbish and ${bots.refusedChecks} checks ` +
      `refused; ${visits.length} visits meanwhile, the slowest call ${Math.round(slowestMs)} ms, ` +
      `behind ${mostOvertakenBy} of theirs`,
  );
  expect(visits.length).toBeGreaterThan(0);
  // The visitor waits in line with the bots' current requests, not behind the whole flood.
  expect(mostOvertakenBy).toBeLessThan(5 * BOTS_AT_ONCE);
  // The flood may reach into a second and a third minute.
  expect(bots.refusedChecks).toBeGreaterThanOrEqual(
    BOTS - 3 * (FIRST_CHECKS_PER_MINUTE + CHECKS_PER_MINUTE),
  );
  expect(bots.refusedRubbish).toBeGreaterThan(0);

  const running = await findRunningEmbeddedPostgres(dataDir);
  const client = new pg.Client({ connectionString: running?.connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; ip: string; state: string }>(
      'select id, ip, state from leads',
    );
    const ofBots = rows.filter(({ ip }) => ip === BOTS_ADDRESS);
    expect(ofBots).toHaveLength(BOTS);
    const accepted = ofBots.filter(({ state }) => state === 'accepted').length;
    expect(accepted).toBe(LEADS_PER_HOUR);
    expect(ofBots.filter(({ state }) => state === 'held')).toHaveLength(BOTS - accepted);
    const ofVisitor = rows.filter(({ ip }) => ip === VISITORS_ADDRESS);
    expect(ofVisitor.map(({ id }) => id).sort()).toEqual([...visits].sort());
    expect(new Set(ofVisitor.map(({ state }) => state))).toEqual(new Set(['accepted']));
  } finally {
    await client.end();
  }
}, 120_000);
