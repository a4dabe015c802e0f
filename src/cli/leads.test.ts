import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { type CommandEnd, commandForTests } from '../../tests/support/command.ts';
import { preparedDataDir, testLog } from '../../tests/support/postgres.ts';
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts';
import { migrate } from '../server/storage/migrate.ts';

const ANA = '0198a000-0000-7000-8000-00000000000a';
const BEA = '0198b000-0000-7000-8000-00000000000b';
const command = commandForTests();
const { leads, query, seed } = command;

/** Writes two leads with what the list and the story show of them. */
async function seedTwo(): Promise<void> {
  const [anaDelivery, beaDelivery] = [randomUUID(), randomUUID()];
  const lead = `insert into leads (id, survey, flow, language, qualified, dq_reason, lead_is_qualified,
      do_not_send_to_dq, is_test, sec_gpc, created_at)
    values ($1, $2, 'v4', 'en', $3, $4, $3, 'no', $5, $5, $6)`;
  const revision = `insert into lead_revisions (lead_id, revision, received_at, body, body_sha256, change,
      fields, decisions, overrides, differences, problems, rules_version, flow_version)
    values ($1, 1, $2, '{}', 'hash-of-the-body', $3, $4, $5, $6, $7, $8, 'rules-1', 'flow-1')`;
  const fields = {
    first_name: 'Ana',
    last_name: 'Diaz',
    phone: '5125550123',
    email: 'ana@example.com',
  };
  await query(lead, [ANA, '/survey/v4nv', true, '', false, '2026-07-01T12:05:00Z']);
  await query(revision, [
    ANA,
    '2026-07-01T12:05:00Z',
    '{"answer":{"qualified":"yes"},"fields":[]}',
    JSON.stringify({ ...fields, case_description: '=cmd|calc, "hi"', zzz_new: 'x' }),
    JSON.stringify([
      { rule: 'qualification.at_Fault', inputs: { at_Fault: 'no' }, result: 'passes' },
    ]),
    JSON.stringify([{ field: 'doctor_treatment', answered: 'no', becomes: 'Yes', rule: 'forced' }]),
    JSON.stringify([{ field: 'bad_words', browser: 'yes', server: 'no' }]),
    JSON.stringify([{ problem: 'bad_value', field: 'zip_code', value: '1' }]),
  ]);
  await query(lead, [BEA, '/survey/v4', false, 'at_Fault|yes', true, '2026-07-02T12:00:00Z']);
  await query(revision, [
    BEA,
    '2026-07-02T12:00:00Z',
    '{"answer":{"qualified":"no","dq_reason":"at_Fault|yes"},"fields":[]}',
    JSON.stringify({ first_name: 'Bea' }),
    '[]',
    '[]',
    '[]',
    '[]',
  ]);
  await query(
    `insert into clicks (id, lead_id, landing_page, params, ip, created_at)
     values ($1, $2, 'https://example.com/survey/v4nv', '{"s1":"abc","gclid":"x"}', '203.0.113.9', '2026-07-01T12:00:02Z')`,
    ['c'.repeat(32), ANA],
  );
  await query(
    `insert into progress (lead_id, seq, survey, step, kind, answers, seconds, at, received_at) values
     ($1, 1, '/survey/v4nv', 'StartPath', 'viewed', '{}', null, '2026-07-01T12:00:00Z', '2026-07-01T12:00:02Z'),
     ($1, 2, '/survey/v4nv', 'StartPath', 'answered', '{"accident_type":"Car Accident"}', 4, '2026-07-01T12:00:04Z', '2026-07-01T12:00:05Z')`,
    [ANA],
  );
  await query(
    `insert into consents (lead_id, revision, text, text_sha256, version, language, page, shown_at, given_at, ip, user_agent)
     values ($1, 1, 'I agree to be called.', 'abc123', '2026-01-01', 'en', 'https://example.com/survey/v4nv', '2026-07-01T12:04:00Z', '2026-07-01T12:04:50Z', '203.0.113.9', 'Browser 1')`,
    [ANA],
  );
  await query(
    `insert into deliveries (id, lead_id, destination, state, attempts, finished_at, external_id, last_message)
     values ($1, $2, 'ingest', 'delivered', 2, '2026-07-01T12:05:10Z', 'ext-1', 'ACCEPTED 0'),
       ($3, $4, 'ingest', 'dead', 1, '2026-07-02T12:00:10Z', null, 'HTTP 410')`,
    [anaDelivery, ANA, beaDelivery, BEA],
  );
  await query(
    `insert into delivery_attempts (delivery_id, attempt, started_at, ended_at, outcome, http_status, response, error, duration_ms) values
     ($1, 1, '2026-07-01T12:05:01Z', '2026-07-01T12:05:02Z', 'server_error', 500, 'oops', 'HTTP 500', 900),
     ($1, 2, '2026-07-01T12:05:09Z', '2026-07-01T12:05:10Z', 'delivered', 200, '{"status":"ACCEPTED"}', null, 120),
     ($2, 1, '2026-07-02T12:00:09Z', '2026-07-02T12:00:10Z', 'failed', 410, 'gone', 'HTTP 410', 20)`,
    [anaDelivery, beaDelivery],
  );
  await command.count();
}

/** Expects the parts in this order. */
function expectInOrder(text: string, parts: readonly string[]): void {
  let at = -1;
  for (const part of parts) {
    const next = text.indexOf(part, at + 1);
    expect(next, `${part} in ${text}`).toBeGreaterThan(at);
    at = next;
  }
}

describe('list', () => {
  beforeEach(seedTwo);

  test('a table, newest first', async () => {
    const { code, out } = await leads('list');
    expect(code).toBe(0);
    const lines = out.trim().split('\n');
    expect(lines.slice(3)).toEqual(['Times are America/New_York (OPERATORS_TIME_ZONE).']);
    expect(lines[0]).toMatch(/^received +lead +survey +qualified +delivery$/);
    expect(lines[1]).toMatch(/^2026-07-02 08:00 .*no at_Fault +ingest dead \(test\)$/);
    expect(lines[2]).toMatch(/^2026-07-01 08:05 .*yes +ingest delivered ×2$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  });

  test('the leads of a selection', async () => {
    for (const [options, expected] of [
      [['--since', '2026-07-02'], [BEA]],
      [['--until', '2026-07-02'], [ANA]],
      [['--survey', 'v4nv'], [ANA]],
      [['--survey', '/survey/v4/'], [BEA]],
      [['--survey', '/none'], []],
      [['--state', 'dead'], [BEA]],
      [
        ['--state', 'accepted'],
        [BEA, ANA],
      ],
      [['--qualified', 'yes'], [ANA]],
      [['--qualified', 'no', '--state', 'delivered'], []],
      [['--limit', '1'], [BEA]],
    ] as const) {
      const { code, out } = await leads('list', '--json', ...options);
      expect(code).toBe(0);
      const found = JSON.parse(out) as { lead_id: string }[];
      expect(
        found.map((lead) => lead.lead_id),
        options.join(' '),
      ).toEqual(expected);
    }
    expect((await leads('list', '--survey', '/none')).out).toBe('No leads.\n');
  });
});

describe('show', () => {
  test('prints what the opened page of the lead shows, in order of time', async () => {
    await seedTwo();
    const { code, out } = await leads('show', '0198a');
    expect(code).toBe(0);
    expectInOrder(out, [
      'Lead 0198a000-0000-7000-8000-00000000000a (accepted)',
      'Ana Diaz · ana@example.com · (512) 555-0123',
      'Lead Prosper took it 10 seconds after it was posted, at attempt 2.',
      'Lead Prosper: delivered, attempts: 2',
      '2026-07-01 (EDT)',
      '08:00:00  Came to the survey',
      's1: abc',
      '08:00:04  Answered StartPath',
      'After 4 s.',
      'accident_type: Car Accident',
      'Consented to be called',
      '“I agree to be called.”',
      'language en, version 2026-01-01',
      'doctor_treatment: no → Yes (forced)',
      'rule qualification.at_Fault: passes (at_Fault no)',
      '08:05:01  Lead Prosper, attempt 1: server error',
      'answer: oops',
      'no hash of what was sent was kept',
      '08:05:09  Lead Prosper, attempt 2: delivered',
      'id there: ext-1',
    ]);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    expect(out).not.toContain('\u001b');
  });

  test('as JSON, whatever other settings are wrong, and without the key of an account', async () => {
    const id = await seed({
      deliveries: [{ state: 'delivered', revision: 1 }],
      account: { campaignId: 'c', supplierId: 's', key: 'very-secret' },
    });
    vi.stubEnv('PORT', 'none');
    vi.stubEnv('INGEST_URL', 'nowhere');
    const { out, err } = await leads('show', id.toUpperCase(), '--json');
    const answer = JSON.parse(out) as { story: { proof?: string }[] };
    expect(answer).toMatchObject({ lead: { id }, deliveries: [{ log: [{ attempt: 1 }] }] });
    expect(answer.story.map(({ proof }) => proof)).toContain(
      'what was sent cannot be made again: ingest is not configured here',
    );
    expect([err, out.includes('very-secret')]).toEqual(['', false]);
  });

  test('refuses a prefix that is ambiguous, unknown or malformed', async () => {
    await seedTwo();
    for (const [prefix, code, message] of [
      ['0198', 2, 'More than one lead'],
      ['ffff', 3, 'There is no lead ffff.'],
      ["x'; drop", 2, 'is not the beginning of a lead id'],
    ] as const) {
      expect(await leads('show', prefix)).toEqual({
        ...{ code, out: '', err: expect.stringContaining(message) },
      });
    }
  });
});

test('export writes a file that only its owner can read', async () => {
  await seedTwo();
  const dir = await mkdtemp(path.join(tmpdir(), 'funnel-export-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = path.join(dir, 'leads.csv');
  expect(await leads('export', '--format', 'csv', '--output', file)).toEqual({
    ...{ code: 0, out: '', err: '' },
  });
  const [, ana, bea, end] = (await readFile(file, 'utf8')).split('\r\n');
  expect(ana?.startsWith(`${ANA},2026-07-01T12:05:00.000Z`)).toBe(true);
  expect(bea?.startsWith(BEA)).toBe(true);
  expect(end).toBe('');
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const missing = path.join(dir, 'missing', 'leads.csv');
  expect(await leads('export', '--format', 'csv', '--output', missing)).toMatchObject({
    ...{ code: 1, err: expect.stringContaining('cannot be written (ENOENT)') },
  });
});

test('webhook-test shows the answer, or why nothing was sent', async () => {
  const off = await leads('webhook-test');
  expect(off.code).toBe(1);
  expect(off.err).toContain('they need WEBHOOK_URL and WEBHOOK_SECRETS');
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { WEBHOOK_URL, WEBHOOK_SECRETS } = sandboxEnvironment(sandbox.url, sandbox.credentials);
  vi.stubEnv('WEBHOOK_URL', WEBHOOK_URL);
  vi.stubEnv('WEBHOOK_SECRETS', WEBHOOK_SECRETS);
  const denied = await leads('webhook-test');
  expect(denied.code).toBe(1);
  expect(denied.err).toContain('OUTGOING_PRIVATE_NETWORKS does not allow it');
  vi.stubEnv('OUTGOING_PRIVATE_NETWORKS', 'allow');
  const { code, out } = await leads('webhook-test');
  expect(code).toBe(0);
  expect(out).toMatch(/^The test event [0-9a-f-]{36} was accepted: HTTP 204, \d+ ms\.$/m);
  expect(sandbox.effects('webhook')).toMatchObject([{ detail: { type: 'webhook.test' } }]);
});

describe('usage', () => {
  test.each([
    [['--help'], 0],
    [['show', '--help'], 0],
    [[], 2],
    [['lisst'], 2],
    [['list', '--state', 'gone'], 2],
    [['list', '--since', 'yesterday'], 2],
    [['list', '--limit', '0'], 2],
    [['export'], 2],
    [['show'], 2],
    [['release'], 2],
    [['release', '--hold', 'no_consent'], 2],
    [['release', '--hold', 'over_address_limit', '--revision', '1'], 2],
    [['release', ANA, '--hold', 'over_address_limit'], 2],
    [['erase'], 2],
    [['suppress', '@'], 2],
    [['resend', '--state', 'delivered'], 2],
  ])('%j ends with %i', async (argv, code) => {
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    expect((await leads(...argv)).code).toBe(code);
  });

  test('a bad setting and an unreachable database are one sentence each', async () => {
    const nowhere = 'postgres://nobody:secret-word@127.0.0.1:1/none';
    vi.stubEnv('OPERATORS_DATABASE_URL', nowhere);
    const why =
      'cannot be used: connect ECONNREFUSED 127.0.0.1:1. Start the database, or correct the';
    expect(await leads('list')).toMatchObject({
      ...{
        code: 1,
        err: `The database at OPERATORS_DATABASE_URL ${why} host and port in OPERATORS_DATABASE_URL.\n`,
      },
    });
    vi.stubEnv('OPERATORS_DATABASE_URL', undefined);
    const wrong = new URL(process.env.DATABASE_URL ?? '');
    wrong.pathname = '/none';
    vi.stubEnv('DATABASE_URL', wrong.href);
    expect((await leads('list')).err).toMatch(/^The database at DATABASE_URL cannot .+ Create the/);
    vi.stubEnv('DATABASE_URL', nowhere);
    expect((await leads('list')).err).toContain(`The database at DATABASE_URL ${why}`);
    vi.stubEnv('OPERATORS_TIME_ZONE', 'Nowhere/Land');
    const { code, err } = await leads('list');
    expect(code).toBe(2);
    expect(err).toContain('OPERATORS_TIME_ZONE');
    expect(err).not.toContain('secret-word');
  });
});

test('the embedded database works alone and beside a server, and has to exist', async () => {
  const dataDir = await preparedDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { DATABASE_URL: _url, ...environment } = process.env;
  const program = [path.join(import.meta.dirname, 'leads.ts'), 'list'];
  const options = { env: { ...environment, DATA_DIR: dataDir }, cwd: dataDir };
  const list = () =>
    new Promise<CommandEnd>((resolve) => {
      execFile(process.execPath, program, options, (error, out, err) => {
        resolve({ code: Number(error?.code ?? 0), out, err });
      });
    });
  const empty = {
    code: 0,
    out: 'No leads.\n',
    err: expect.stringContaining('not counted them yet'),
  };
  expect(await list()).toEqual(empty);
  const server = await startEmbeddedPostgres({ dataDir, log: testLog });
  try {
    const { connectionString } = server;
    await migrate({ connectionString, log: testLog });
    expect(await list()).toEqual(empty);
    // The command stops only a database that it started itself.
    await migrate({ connectionString, log: testLog });
  } finally {
    await server.stop();
  }
  await rm(path.join(dataDir, 'postgres'), { recursive: true });
  const missing = await list();
  expect(missing.code).toBe(1);
  expect(missing.err).toMatch(/^There is no database in .+\n$/);
});
