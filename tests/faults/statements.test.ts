/**
 * Tests that no statement of the server reads all rows of a growing table. If this test fails, add
 * an index or a limit to the statement in the message.
 */
import pg from 'pg';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { builtSiteForTests } from '../support/built-site.ts';
import { consoleForTests } from '../support/console.ts';
import { createJobClock, purgeOnce } from '../support/job-clock.ts';
import { freshLead, freshProgress } from '../support/server.ts';

/** The tables that grow with the number of visits, leads or requests. */
const growing =
  'visits clicks progress leads lead_revisions consents deliveries delivery_attempts lead_events lead_checks ' +
  'check_answers phone_codes opt_out_requests suppressions revocations audit_log plan_items visit_summaries hourly_counts ' +
  'hourly_steps hourly_attempts evidence_tiles evidence_heads';
/** Statements that may read a whole table, each with the reason. */
const exceptions: readonly (readonly [text: RegExp, why: string])[] = [
  [/tablesample/, 'the share of the leads that a night checks'],
  [/from json_to_recordset.*leads l/, 'its leads are looked up by the id; here there are only two'],
];
const JOBS = 10;
const MINUTE_MS = 60_000;

type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Plans?: readonly Node[];
};

/** Returns the tables of which a query plan reads every row. */
function scannedBy(node: Node, isLimited = false): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', Plans: plans = [] } = node;
  const isWhole =
    type === 'Seq Scan' ||
    // An index scan without a condition reads the whole index unless a limit stops the scan.
    (/^Index/.test(type) && node['Index Cond'] === undefined && !isLimited);
  const isLimit = type === 'Limit' || isLimited;
  const within = plans.flatMap((plan) => scannedBy(plan, isLimit && type !== 'Sort'));
  return isWhole && growing.split(' ').includes(table) ? [table, ...within] : within;
}

/** Maps the text of each statement to the statement's plan. */
const plans = new Map<string, Node>();
/** Records the plans of all statements on connections that the server opens later. */
function listen(): void {
  const { connect } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'connect').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    this.on('notice', ({ message = '' }) => {
      const [, json] = /^duration: .*? plan:\n(.*)$/s.exec(message) ?? [];
      if (json === undefined) return;
      const { 'Query Text': text, Plan: plan } = JSON.parse(json);
      plans.set(text.replaceAll(/\s+/g, ' ').trim(), plan);
    });
    return Reflect.apply(connect, this, given);
  } as typeof connect);
}
afterAll(() => vi.restoreAllMocks());

const sandbox = await startSandbox();
afterAll(() => sandbox.close());
const time = createJobClock();
const site = builtSiteForTests(
  async (database) => {
    const admin = new pg.Client({ connectionString: inject('testCluster').adminUrl });
    await admin.connect();
    for (const setting of [
      "session_preload_libraries = 'auto_explain'",
      'auto_explain.log_min_duration = 0',
      "auto_explain.log_format = 'json'",
      "auto_explain.log_level = 'notice'",
      'auto_explain.log_nested_statements = on',
      // Without these settings, the planner would read small tables as a whole.
      ...['seqscan', 'hashjoin', 'mergejoin'].map((way) => `enable_${way} = off`),
    ]) {
      const name = new URL(database.connectionString).pathname.slice(1);
      await admin.query(`alter database ${name} set ${setting}`);
    }
    await admin.end();
    listen();
    return { ...sandboxEnvironment(sandbox.url), DELIVERY_CONCURRENCY: '5', CONSOLE_PORT: 'auto' };
  },
  { jobClock: time.clock },
);

test('no SQL statement of the server reads all rows of a growing table', async () => {
  const { database, server, settings } = site;
  const lead = freshLead();
  await site.post('/api/save-data', freshProgress(lead.lead_id));
  for (const path of ['/post-lead', '/api/mapping', '/api/buyers', '/post-lead']) {
    await site.post(path, { ...lead, case_description: `About ${path}.` });
  }
  await site.post('/post-lead', freshLead(), 'b'.repeat(32));
  const person = { name: 'Ana', email: 'ana@example.com', state: 'NY' };
  const contact = {
    firstName: 'Ana',
    lastName: 'Diaz',
    phoneNumber: '2125550123',
    message: 'Who?',
  };
  for (const [path, fields, status] of [
    ['/survey/v4nv', { step: 'StartPath', accident_type: 'Car Accident' }, 303],
    ['/contact/', { ...contact, typeOfAccident: 'Car Accident', email: person.email }, 303],
    ['/do-not-sell-my-information/', person, 200],
  ] as const) {
    const body = new URLSearchParams(fields);
    const answer = await fetch(server.url + path, { method: 'POST', body, redirect: 'manual' });
    expect([path, answer.status]).toEqual([path, status]);
  }
  await time.advance(3 * MINUTE_MS, JOBS);
  await purgeOnce(database.pool, settings.keep, new Date());

  const console = await consoleForTests(database);
  const id = lead.lead_id;
  const [from, to] = [new Date(Date.now() - 7 * 86_400_000), new Date()].map((at) =>
    at.toISOString().slice(0, 10),
  );
  const period = `from=${from}&to=${to}`;
  for (const path of [
    ...[`leads/${id}`, 'leads', 'leads/count', 'leads/newer?since=x'],
    ...['leads?q=diaz', 'leads?q=ana%40example.com', 'leads/count?hold=any', 'leads?state=held'],
    ...['lead-values?key=source', 'now', `overview?${period}`],
    ...[`funnels?survey=/survey/v4nv&${period}`, `deliveries?${period}`],
    ...[`breakdown?dimension=source&${period}`, 'opt-outs', 'suppressions', 'plans', 'people'],
    'revocations',
    ...[
      'sessions',
      'surveys',
      `surveys/experiments?survey=/survey/v4nv&${period}`,
      'system',
      'system/audit',
    ],
  ]) {
    const { statusCode, body } = await console.get(`/api/${path}`);
    expect([statusCode, path], body).toEqual([200, path]);
  }
  const request = { person: String(lead.email), reason: 'The visitor asked' };
  for (const path of ['suppressions/look-up', 'erasures/plan']) {
    const { statusCode, body } = await console.post(`/api/${path}`, request);
    expect([statusCode, path], body).toEqual([200, path]);
  }
  await console.app.close();

  expect(plans.size).toBeGreaterThan(100);
  const found = [...plans].flatMap(([text, plan]) =>
    exceptions.some(([exception]) => exception.test(text))
      ? []
      : scannedBy(plan).map((table) => `${table}: ${text.slice(0, 500)}`),
  );
  expect(found).toEqual([]);
});
