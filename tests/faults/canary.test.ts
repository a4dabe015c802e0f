/**
 * Tests that personal data does not leak from the server. Each field, header and query of every
 * call contains a recognizable value, the canary.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { fieldsWhere } from '../../src/model/fields/lead-fields.ts';
import { leadSecretHeader } from '../../src/model/messages/lead.ts';
import { findRunningEmbeddedPostgres } from '../../src/server/platform/postgres/embedded-postgres.ts';
import { databaseProcesses } from '../../src/server/platform/postgres/postmaster.ts';
import { until } from '../support/delivery.ts';
import { preparedDataDir, query } from '../support/postgres.ts';
import { freshLead } from '../support/server.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

/** Matches every canary in all spellings, such as URL-encoded. */
const CANARY = /canary|kanarienvogel|5550147|203[.%]+0[.%]+113[.%]+147/i;
const address = '203.0.113.147';
const secret = 'ca4a47ca4a47ca4a47ca4a47ca4a47ca';

/** The canaries for fields with a fixed format. The canary of every other field is a text. */
const kinds: Readonly<Record<string, string>> = {
  email: 'canary@mail.example',
  phone: '2125550147',
  phoneNumber: '(212) 555-0147',
  law_firm_phone: '3125550147',
  date_of_birth_day: '12',
  date_of_birth_month: '04',
  date_of_birth_year: '1985',
  date_of_birth: '1985-04-12',
};
const personal: Record<string, string> = {
  ...Object.fromEntries(
    fieldsWhere(({ isPersonal }) => isPersonal === true).map((name) => [name, 'Kanarienvogel']),
  ),
  ...kinds,
  case_description: 'The canary sat in my car when a truck hit it from behind at a red light.',
};

let sandbox: Sandbox;
let dataDir: string;
let server: ServerProcess;
beforeAll(async () => {
  sandbox = await startSandbox();
  dataDir = await preparedDataDir('funnel bird ');
  server = await startServerProcess(dataDir, {
    ...sandboxEnvironment(sandbox.url),
    TRUSTED_PROXIES: 'loopback',
    LOG_LEVEL: 'trace',
    EMAIL_MX_LOOKUP: 'off',
  });
});
afterAll(async () => {
  await server?.stop();
  await sandbox?.close();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

const headers = {
  'content-type': 'application/json',
  'user-agent': 'CanaryBrowser/1.0',
  'x-forwarded-for': address,
  referer: 'https://claims.example.com/survey/v4nv?email=canary@mail.example',
  cookie: 'visitor=canary',
  [leadSecretHeader]: secret,
};

const lead = (changes: Record<string, unknown> = {}) =>
  freshLead({
    ...personal,
    landing_page: 'https://claims.example.com/survey/v4nv?name=canary',
    page_referer: 'https://search.example/?q=canary',
    ...changes,
  });

async function send(path: string, body?: unknown, method = 'POST'): Promise<number> {
  const answer = await fetch(server.url + path, {
    method,
    redirect: 'manual',
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const said = (await answer.text()) + JSON.stringify([...answer.headers]);
  // An error and a health check must not contain a value of the request.
  if (answer.status >= 400 || /readyz|healthz/.test(path)) expect(said).not.toMatch(CANARY);
  return answer.status;
}

const personalQuery = `?${new URLSearchParams({ ...kinds, first_name: 'Kanarienvogel' })}`;

/** Makes valid and invalid calls of every kind. */
async function everyCall(): Promise<number[]> {
  const id = randomUUID();
  const posted = lead();
  const steps = {
    session: {
      lead_id: id,
      survey: '/survey/v4nv',
      landing_page: `https://x.example/${personalQuery}`,
    },
    data: [{ seq: 1, kind: 'answered', step: 'NameAndEmail', answers: personal }],
  };
  const about = { lead_id: id, ...personal, zip_code: '10001', survey: '/survey/v6' };
  const statuses: number[] = [];
  for (const [path, body, method] of [
    ['/api/save-data', steps],
    ['/api/check/phone', about],
    ['/api/check/email', { ...about, email: 'canary@mailinator.com' }],
    ['/api/check/email', { ...about, email: 'canary@mailinator.com' }],
    ['/api/check/text', { text: personal.case_description, lead_id: id }],
    ['/us/10001', undefined, 'GET'],
    ['/api/estimate', about],
    ['/api/mapping', { ...about, affid: 1, oid: 81 }],
    ['/api/buyers', about],
    [`/api/prefill${personalQuery}&affid=1`, undefined, 'GET'],
    [`/readyz${personalQuery}`, undefined, 'GET'],
    [`/healthz${personalQuery}`, undefined, 'GET'],
    ['/post-lead', posted],
    ['/post-lead', posted],
    ['/post-lead', { ...posted, city: 'Canary Wharf' }],
    ['/post-lead', lead({ survey: '/canary', phone: 'canary', zip_code: 'Kanarienvogel' })],
    ['/post-lead', lead({ email: { canary: ['Kanarienvogel'] }, canary: 'canary' })],
    ['/post-lead', lead({ lead_id: 'canary' })],
    ['/post-lead', `{"email":"canary@mail.example",`],
    ['/post-lead', `canary${'.'.repeat(70_000)}`],
    ['/api/check/email', { email: ['canary'] }],
    ['/api/mapping', { ...about, affid: 'canary' }],
    [`/api/canary${personalQuery}`, about],
    [`/canary@mail.example${personalQuery}`, undefined, 'GET'],
    [`/us/Kanarienvogel${personalQuery}`, undefined, 'GET'],
    [`/post-lead${personalQuery}`, undefined, 'DELETE'],
    [`/%canary${personalQuery}`, undefined, 'GET'],
  ] as [path: string, body?: unknown, method?: string][]) {
    statuses.push(await send(path, body, method));
  }
  return statuses;
}

test('no log line contains a personal value from a field, header or query', async () => {
  const statuses = await everyCall();
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(10);
  expect(statuses.filter((status) => status >= 400).length).toBeGreaterThan(5);
  expect(Math.max(...statuses)).toBeLessThan(500);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.end('GET /canary HTTP/1.1\r\ncanary canary@mail.example\r\n\r\n');
  expect(await text(socket)).not.toMatch(CANARY);

  await until(async () => sandbox.effects().length > 0);
  sandbox.fail({ service: 'ingest', mode: 'reset', times: 2 });
  expect(await send('/post-lead', lead())).toBe(200);

  const running = await findRunningEmbeddedPostgres(dataDir);
  const alter = (change: string) =>
    query(running?.connectionString ?? '', `alter table lead_revisions ${change}`);
  await alter(`add constraint no_bird check (body::text !~ 'refuse this') not valid`);
  expect(await send('/post-lead', lead({ city: 'refuse this canary' }))).toBe(500);
  await alter('drop constraint no_bird');
  const [postmaster] = (await databaseProcesses(`${dataDir}/postgres`)).filter(
    ({ isPostmaster }) => isPostmaster,
  );
  // With pid 0, `kill` would end the tests' own process group.
  if (!postmaster) throw new Error('The database’s postmaster was not found');
  process.kill(postmaster.pid, 'SIGKILL');
  const whileAway = await Promise.all(Array.from({ length: 20 }, () => send('/post-lead', lead())));
  expect(whileAway.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  await until(async () => (await send('/readyz', undefined, 'GET')) === 200);

  const lines = server.output().split('\n');
  expect(lines.length).toBeGreaterThan(statuses.length);
  expect(server.output()).toContain('A request failed');
  expect(lines.filter((line) => CANARY.test(line) || line.includes(secret))).toEqual([]);
});

test('neither metrics nor health checks contain a personal value', async () => {
  const operationsUrl = /"operationsUrl":"(\S+?)"/.exec(server.output())?.[1];
  for (const path of ['/metrics', '/readyz', '/healthz', `/canary${personalQuery}`]) {
    const answer = await fetch(`${operationsUrl}${path}`);
    const said = await answer.text();
    expect(answer.status).toBe(path.startsWith('/canary') ? 404 : 200);
    expect(said).not.toMatch(CANARY);
    expect(said).not.toContain(secret);
    if (path === '/metrics') expect(said).toContain('funnel_leads_total{survey="/survey/v4nv"');
  }
});
