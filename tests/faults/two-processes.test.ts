/**
 * Two servers behind HAProxy on one PostgreSQL behind PgBouncer: each request of a visit goes to another process
 * (docs/decisions/0071-several-processes.md). `npm test -- pages two-processes` builds the pages first, and makes more kills.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { calendarDate } from '../../src/domain/dates.ts';
import { surveyFacts } from '../../src/flows/surveys.ts';
import { surveyRows } from '../conformance/survey-rows.ts';
import { flowsWithoutLead } from '../conformance/tables.ts';
import { freePort } from '../support/free-port.ts';
import { haproxy, startHaproxy } from '../support/haproxy.ts';
import { databaseForTests } from '../support/own-database.ts';
import { testPersonSecret } from '../support/person-keys.ts';
import { pgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { PlainBrowser } from '../support/plain-browser.ts';
import { walkByForms } from '../support/plain-walk.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { freshLead, freshProgress, postAsBrowser } from '../support/server.ts';
import { answeredSteps, disqualifiedWay, qualifiedWay } from '../support/ways.ts';
import { KILLS, type ServerProcess, sendingTo, startServerProcess } from './crash-server.ts';
import { createVisitors } from './crash-visitors.ts';
import { until } from './delivery-fixture.ts';

const LEADS_PER_KILL = 20;
const SAVES = 40;
const CHECKS = 30;
const POSTS_OF_A_LEAD = 30;
const rows = surveyRows.filter(({ flow }) => !flowsWithoutLead.includes(flow));
/** Each survey's way of a visitor who qualifies, and each flow's of one who does not. */
const walks = rows.flatMap((row, at) => {
  const isFirst = rows.findIndex(({ survey }) => survey.flow === row.survey.flow) === at;
  return [{ ...row, isQualified: true }, ...(isFirst ? [{ ...row, isQualified: false }] : [])];
});

describe.skipIf(!haproxy || !pgbouncer)('two processes', async () => {
  const { pool, connectionString } = await databaseForTests();
  const ports = [await freePort(), await freePort()];
  const servers: ServerProcess[] = [];
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
  let balancer: Awaited<ReturnType<typeof startHaproxy>>;
  const dataDirs: string[] = [];

  const start = async (at: number) => {
    const { PAGES: _, ...sending } = sendingTo(sandbox);
    servers[at] = await startServerProcess(dataDirs[at] as string, {
      ...sending,
      DATABASE_URL: pooler.connectionString,
      PERSON_KEY_SECRET: testPersonSecret,
      PORT: String(ports[at]),
      TRUSTED_PROXIES: 'loopback',
      SAVES_PER_ADDRESS_PER_MINUTE: String(SAVES),
      CHECKS_PER_ADDRESS_PER_MINUTE: String(CHECKS),
      SURVEY_OVERRIDES: JSON.stringify({ '/survey/short-b': { asksTimeframe: false } }),
      ...{ CONSOLE_PORT: 'off', OPERATIONS_PORT: 'off', EMAIL_MX_LOOKUP: 'off' },
    });
  };
  /** Resolves when the balancer sends requests to both. */
  const areBothUsed = () =>
    until(async () => {
      const answers = await Promise.all([1, 2, 3, 4].map(() => fetch(`${balancer.url}/healthz`)));
      return new Set(answers.map(({ headers }) => headers.get('x-process'))).size === 2;
    });

  beforeAll(async () => {
    // As on two machines: they share nothing but the database and the settings.
    for (const _ of ports) dataDirs.push(await mkdtemp(path.join(tmpdir(), 'funnel-two-')));
    sandbox = await startSandbox();
    pooler = await startPgbouncer(connectionString, 10);
    balancer = await startHaproxy(ports);
    await Promise.all([start(0), start(1)]);
    await areBothUsed();
  }, 600_000);
  afterAll(async () => {
    for (const server of servers) await server.stop();
    await balancer?.stop();
    await pooler?.stop();
    await sandbox?.close();
    for (const dir of dataDirs) await rm(dir, { recursive: true, force: true });
  });

  test.each(
    walks.map((walk, at) => ({
      ...walk,
      at,
      kind: walk.isQualified ? 'qualified' : 'disqualified',
    })),
  )('$path by its forms: $kind', async ({ path: address, survey, data, isQualified, at }) => {
    const today = calendarDate(new Date(), 'America/New_York');
    const settings = { dateOfBirthStates: ['AL', 'NE'] };
    const context = { today, survey: surveyFacts(survey), settings };
    const found = isQualified ? qualifiedWay(data, context) : disqualifiedWay(data, context)?.way;
    if (!found) throw new Error(`${address} asks nothing that disqualifies`);
    // Each visitor has an address of their own, which HAProxy passes on.
    const browser = new PlainBrowser({ 'x-forwarded-for': `203.0.113.${at + 1}` });
    await browser.get(`${balancer.url}${address}?s1=walk`);
    const way = answeredSteps(data, found);
    const pages = new Set<string | null | undefined>();
    for (const step of way.steps) {
      await walkByForms(browser, data, { ...way, steps: [step] });
      pages.add(browser.last?.headers.get('x-process'));
      // Else one process would take every form and the other answer with every page.
      await fetch(`${balancer.url}/healthz`);
    }
    expect(pages.size).toBe(Math.min(2, way.steps.length));
    const { rows: leads } = await pool.query('select state, revision from leads where id = $1', [
      browser.leadId,
    ]);
    expect(leads).toEqual([{ state: 'accepted', revision: 1 }]);
  });

  const lead = freshLead();
  test.each([
    ['saves', SAVES, '/api/save-data', () => freshProgress(freshLead().lead_id)],
    ['look-ups', CHECKS, '/api/check/email', () => ({ email: lead.email, lead_id: lead.lead_id })],
    ['posts of a lead', POSTS_OF_A_LEAD, '/post-lead', () => lead],
  ])('%s have one limit', async (_, limit, address, body) => {
    const from = { 'x-forwarded-for': '198.51.100.9' };
    const statuses = [];
    for (let turn = 0; turn < 2 * limit; turn += 1) {
      const { status } = await postAsBrowser(balancer.url + address, body(), undefined, from);
      statuses.push(status);
    }
    const taken = statuses.filter((status) => status === 200).length;
    const refused = statuses.filter((status) => status === 429).length;
    expect(taken + refused).toBe(2 * limit);
    expect(taken).toBeGreaterThanOrEqual(limit);
    expect(taken).toBeLessThanOrEqual(limit * 1.1);
  });

  test(`${KILLS} kills lose and double nothing`, async () => {
    const random = seededRandom('two processes');
    const before = sandbox.effects().length;
    const visitors = createVisitors(() => balancer.url);
    try {
      const posts: Promise<void>[] = [];
      for (let kill = 0; kill < KILLS; kill += 1) {
        for (let lead = 0; lead < LEADS_PER_KILL; lead += 1) {
          posts.push(sleep(random.integer(0, 800)).then(() => visitors.post()));
        }
        await sleep(random.integer(50, 900));
        const victim = servers[kill % 2] as ServerProcess;
        await victim.killTree();
        await pool.query(
          `update deliveries set due_at = now() where state = 'sending' and lease_owner like $1`,
          [`${victim.pid}-%`],
        );
        await start(kill % 2);
        await areBothUsed();
      }
      await Promise.all(posts);
    } finally {
      visitors.stop();
    }
    const total = KILLS * LEADS_PER_KILL;
    expect(visitors.acknowledged.size).toBe(total);
    await until(async () => sandbox.effects().length === before + total);
    expect(sandbox.effects().every(({ count }) => count === 1)).toBe(true);
    const { rows: stored } = await pool.query(
      'select count(*)::int as leads from leads where id = any($1)',
      [[...visitors.acknowledged]],
    );
    expect(stored).toEqual([{ leads: total }]);
  }, 600_000);
});
