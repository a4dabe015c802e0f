import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  preparedDataDir,
  stopTestPostgres,
  type TestDatabase,
  testLog,
  withDatabase,
} from '../../tests/support/postgres.ts';
import { startEmbeddedPostgres } from '../server/storage/embedded-postgres.ts';
import { migrate } from '../server/storage/migrate.ts';
import { createQueue } from '../server/storage/queue.ts';
import { run } from './leads.ts';

const ANA = '0198a000-0000-7000-8000-00000000000a';
const BEA = '0198b000-0000-7000-8000-00000000000b';
let database: TestDatabase;
let out = '';
let err = '';
const anaDelivery = randomUUID();
const beaDelivery = randomUUID();

beforeAll(async () => {
  database = await withDatabase();
  const queue = createQueue({ connectionString: database.connectionString, log: testLog });
  await queue.start();
  await queue.stop({ graceful: true, timeoutMs: 1_000 });
}, 60_000);
afterAll(async () => {
  await database.drop();
  await stopTestPostgres();
});

beforeEach(async () => {
  vi.stubEnv('DATABASE_URL', database.connectionString);
  vi.stubEnv('TIME_ZONE', 'America/New_York');
  out = '';
  err = '';
  vi.spyOn(console, 'log').mockImplementation((text: string) => {
    out += `${text}\n`;
  });
  vi.spyOn(console, 'error').mockImplementation((text: string) => {
    err += `${text}\n`;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text);
    return true;
  });
  await seed();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

async function seed(): Promise<void> {
  const { pool } = database;
  await pool.query(
    'truncate leads, lead_revisions, clicks, consents, progress, deliveries, delivery_attempts',
  );
  await pool.query('delete from pgboss.job');
  const lead = `insert into leads (id, survey, flow, language, qualified, dq_reason, lead_is_qualified,
      do_not_send_to_dq, is_test, answers, fields, decisions, overrides, differences, problems, click_id,
      created_at)
    values ($1, $2, 'v4', 'en', $3, $4, $3, 'no', $5, '{}', $6, $7, $8, $9, $10, $11, $12)`;
  const fields = {
    first_name: 'Ana',
    last_name: 'Diaz',
    phone: '5125550123',
    email: 'ana@example.com',
  };
  await pool.query(lead, [
    ANA,
    '/survey/v4nv',
    true,
    '',
    false,
    JSON.stringify({ ...fields, case_description: '=cmd|calc, "hi"', zzz_new: 'x' }),
    JSON.stringify([
      { rule: 'qualification.at_Fault', inputs: { at_Fault: 'no' }, result: 'passes' },
    ]),
    JSON.stringify([{ field: 'doctor_treatment', answered: 'no', becomes: 'Yes', rule: 'forced' }]),
    JSON.stringify([{ field: 'bad_words', browser: 'yes', server: 'no' }]),
    JSON.stringify([{ problem: 'bad_value', field: 'zip_code', value: '1' }]),
    'c'.repeat(32),
    '2026-07-01T12:05:00Z',
  ]);
  await pool.query(lead, [
    BEA,
    '/survey/v4',
    false,
    'at_Fault|yes',
    true,
    JSON.stringify({ first_name: 'Bea' }),
    '[]',
    '{}',
    '{}',
    '[]',
    null,
    '2026-07-02T12:00:00Z',
  ]);
  await pool.query(
    `insert into clicks (id, lead_id, landing_page, params, ip, created_at)
     values ($1, $2, 'https://example.com/survey/v4nv', '{"s1":"abc","gclid":"x"}', '203.0.113.9', '2026-07-01T12:00:02Z')`,
    ['c'.repeat(32), ANA],
  );
  await pool.query(
    `insert into progress (lead_id, seq, survey, step, kind, answers, seconds, at, received_at) values
     ($1, 1, '/survey/v4nv', 'StartPath', 'viewed', '{}', null, '2026-07-01T12:00:00Z', '2026-07-01T12:00:02Z'),
     ($1, 2, '/survey/v4nv', 'StartPath', 'answered', '{"accident_type":"Car Accident"}', 4, '2026-07-01T12:00:04Z', '2026-07-01T12:00:05Z')`,
    [ANA],
  );
  await pool.query(
    `insert into lead_revisions (lead_id, revision, received_at, body, change)
     values ($1, 1, '2026-07-01T12:05:00Z', '{"consent_version":"2026-01-01"}', '{"answer":{"qualified":"yes"},"fields":[]}')`,
    [ANA],
  );
  await pool.query(
    `insert into consents (lead_id, revision, text, text_sha256, version, language, page, shown_at, given_at, ip, user_agent)
     values ($1, 1, 'I agree to be called.', 'abc123', '2026-01-01', 'en', 'https://example.com/survey/v4nv', '2026-07-01T12:04:00Z', '2026-07-01T12:04:50Z', '203.0.113.9', 'Browser 1')`,
    [ANA],
  );
  await pool.query(
    `insert into deliveries (id, lead_id, destination, state, attempts, finished_at, external_id, last_message)
     values ($1, $2, 'ingest', 'delivered', 2, '2026-07-01T12:05:10Z', 'ext-1', 'ACCEPTED 0'),
       ($3, $4, 'ingest', 'dead', 1, '2026-07-02T12:00:10Z', null, 'HTTP 410')`,
    [anaDelivery, ANA, beaDelivery, BEA],
  );
  await pool.query(
    `insert into delivery_attempts (delivery_id, attempt, started_at, ended_at, outcome, http_status, response, error, duration_ms) values
     ($1, 1, '2026-07-01T12:05:01Z', '2026-07-01T12:05:02Z', 'unknown', 500, 'oops', 'HTTP 500', 900),
     ($1, 2, '2026-07-01T12:05:09Z', '2026-07-01T12:05:10Z', 'delivered', 200, '{"status":"ACCEPTED"}', null, 120),
     ($2, 1, '2026-07-02T12:00:09Z', '2026-07-02T12:00:10Z', 'failed', 410, 'gone', 'HTTP 410', 20)`,
    [anaDelivery, beaDelivery],
  );
}

async function delivery(id: string) {
  const { rows } = await database.pool.query('select * from deliveries where id = $1', [id]);
  return rows[0];
}
async function jobs(id: string): Promise<number> {
  const { rows } = await database.pool.query(
    `select 1 from pgboss.job where name = 'delivery' and state = 'created' and data->>'deliveryId' = $1`,
    [id],
  );
  return rows.length;
}

describe('list', () => {
  test('a table, newest first', async () => {
    expect(await run(['list'])).toBe(0);
    const lines = out.trim().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^received +lead +survey +qualified +delivery$/);
    expect(lines[1]).toMatch(/^2026-07-02 08:00 .*no at_Fault +ingest dead \(test\)$/);
    expect(lines[2]).toMatch(/^2026-07-01 08:05 .*yes +ingest delivered ×2$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  });

  test.each([
    [['--since', '2026-07-02'], [BEA]],
    [['--until', '2026-07-02'], [ANA]],
    [['--survey', 'v4nv'], [ANA]],
    [['--survey', '/survey/v4/'], [BEA]],
    [['--state', 'dead'], [BEA]],
    [
      ['--state', 'accepted'],
      [BEA, ANA],
    ],
    [['--qualified', 'yes'], [ANA]],
    [['--qualified', 'no', '--state', 'delivered'], []],
    [['--limit', '1'], [BEA]],
  ])('%j', async (options, expected) => {
    expect(await run(['list', '--json', ...options])).toBe(0);
    const leads = JSON.parse(out) as { lead_id: string }[];
    expect(leads.map((lead) => lead.lead_id)).toEqual(expected);
  });

  test('no leads is no error', async () => {
    expect(await run(['list', '--survey', '/none'])).toBe(0);
    expect(out).toBe('No leads.\n');
  });
});

describe('show', () => {
  test('tells the whole story in order of time', async () => {
    expect(await run(['show', '0198a'])).toBe(0);
    const order = [
      'Lead 0198a000-0000-7000-8000-00000000000a',
      'Ana Diaz · ana@example.com · (512) 555-0123',
      '2026-07-01 (EDT)',
      '08:00:00  click     https://example.com/survey/v4nv',
      's1 = abc',
      '08:00:00  step      StartPath viewed',
      '08:00:04  step      StartPath answered after 4 s',
      'accident_type = Car Accident',
      'consent   as seen on https://example.com/survey/v4nv, language en, version 2026-01-01',
      '“I agree to be called.”',
      'shown 2026-07-01 08:04:00, given 2026-07-01 08:04:50',
      'address 203.0.113.9 · Browser 1',
      'post      received',
      'rules     qualified',
      'rule qualification.at_Fault: passes (at_Fault no)',
      'override doctor_treatment: answered no, becomes Yes (forced)',
      'difference bad_words: the browser said yes, the server no',
      'problem bad_value: zip_code = 1',
      '08:05:01  delivery  ingest attempt 1: unknown, HTTP 500, 900 ms',
      'oops',
      '08:05:09  delivery  ingest attempt 2: delivered, HTTP 200, 120 ms',
      '{"status":"ACCEPTED"}',
      '08:05:10  delivery  ingest: delivered, id ext-1',
    ];
    let at = -1;
    for (const part of order) {
      const next = out.indexOf(part, at + 1);
      expect(next, part).toBeGreaterThan(at);
      at = next;
    }
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    expect(out).not.toContain('\u001b');
  });

  test('--json is one object', async () => {
    expect(await run(['show', ANA.toUpperCase(), '--json'])).toBe(0);
    const story = JSON.parse(out) as { lead: { id: string }; deliveries: { log: unknown[] }[] };
    expect(story.lead.id).toBe(ANA);
    expect(story.deliveries[0]?.log).toHaveLength(2);
  });

  test('a prefix that fits two leads, none, or no id', async () => {
    expect(await run(['show', '0198'])).toBe(2);
    expect(err).toContain('More than one lead');
    expect(await run(['show', 'ffff'])).toBe(3);
    expect(err).toContain('There is no lead ffff.');
    expect(await run(['show', "x'; drop"])).toBe(2);
    expect(out).toBe('');
  });
});

describe('export', () => {
  test('csv to a file of one’s own', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'funnel-export-'));
    try {
      const file = path.join(dir, 'leads.csv');
      expect(await run(['export', '--format', 'csv', '--output', file])).toBe(0);
      const text = await readFile(file, 'utf8');
      const [head, ana, bea, end] = text.split('\r\n');
      expect(head).toMatch(/^lead_id,received_at,.*case_description.*,zzz_new$/);
      expect(ana).toContain(`"'=cmd|calc, ""hi"""`);
      expect(ana?.startsWith(`${ANA},2026-07-01T12:05:00.000Z`)).toBe(true);
      expect(bea?.startsWith(BEA)).toBe(true);
      expect(end).toBe('');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(out).toBe('');
      const missing = path.join(dir, 'missing', 'leads.csv');
      expect(await run(['export', '--format', 'csv', '--output', missing])).toBe(1);
      expect(err).toContain('cannot be written (ENOENT)');
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  test('json is one array, empty or not', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'funnel-export-'));
    try {
      const file = path.join(dir, 'leads.json');
      const options = ['export', '--format', 'json', '--output', file];
      expect(await run(options)).toBe(0);
      const leads = JSON.parse(await readFile(file, 'utf8')) as { lead_id: string }[];
      expect(leads.map((lead) => lead.lead_id)).toEqual([ANA, BEA]);
      expect(await run([...options, '--survey', '/none'])).toBe(0);
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual([]);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});

describe('resend', () => {
  test('a dead letter starts a new round, written down', async () => {
    expect(await run(['resend', BEA])).toBe(0);
    expect(out).toContain('was dead and is sent to ingest again');
    expect(await delivery(beaDelivery)).toMatchObject({
      state: 'waiting',
      attempts: 2,
      finished_at: null,
    });
    expect(await jobs(beaDelivery)).toBe(1);
    out = '';
    await run(['show', BEA]);
    expect(out).toMatch(/ingest: Sent again by .+; it was dead/);
    // The note is no attempt.
    expect(out).toContain('ingest: waiting, attempts: 1');
  });

  test('a delivered lead only by force, with a warning', async () => {
    expect(await run(['resend', ANA])).toBe(1);
    expect(err).toContain('ingest took this lead on 2026-07-01T12:05:10.000Z as ext-1.');
    expect(await delivery(anaDelivery)).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(await jobs(anaDelivery)).toBe(0);
    err = '';
    expect(await run(['resend', ANA, '--force'])).toBe(0);
    expect(err).toContain('A second send can make it a duplicate there');
    expect(await delivery(anaDelivery)).toMatchObject({ state: 'waiting', external_id: 'ext-1' });
    expect(await jobs(anaDelivery)).toBe(1);
  });

  test.each(['held', 'uncertain'])('one that is %s only by force', async (state) => {
    await database.pool.query('update deliveries set state = $2 where id = $1', [
      beaDelivery,
      state,
    ]);
    expect(await run(['resend', BEA])).toBe(1);
    expect(await delivery(beaDelivery)).toMatchObject({ state });
    expect(await run(['resend', BEA, '--force'])).toBe(0);
    expect(await delivery(beaDelivery)).toMatchObject({ state: 'waiting' });
  });

  test.each(['held', 'no_destination'])('a held lead (%s) is released by force', async (state) => {
    const { pool } = database;
    await pool.query(
      `update leads set state = 'held', problems = '[{"problem":"held","reason":"no_consent"}]'
       where id = $1`,
      [BEA],
    );
    await pool.query('update deliveries set state = $2 where id = $1', [beaDelivery, state]);
    await run(['list', '--state', 'held']);
    expect(out).toContain(`ingest ${state} (test) (no_consent)`);
    expect(await run(['resend', BEA])).toBe(1);
    expect(err).toContain('The lead is held for review.');
    expect(await run(['resend', BEA, '--force'])).toBe(0);
    const { rows } = await pool.query('select state from leads where id = $1', [BEA]);
    expect(rows).toEqual([{ state: 'accepted' }]);
  });

  test('attempts after a resend are counted on, without its note', async () => {
    await run(['resend', ANA, '--force']);
    await database.pool.query(
      `insert into delivery_attempts (delivery_id, attempt, started_at, outcome)
       values ($1, 4, now() + interval '1 s', 'delivered')`,
      [anaDelivery],
    );
    out = '';
    await run(['show', ANA]);
    expect(out).toContain('ingest attempt 3: delivered');
  });

  test('not while it is being sent', async () => {
    await database.pool.query(
      `update deliveries set state = 'sending', lease_owner = 'x', lease_until = now() + interval '10 s' where id = $1`,
      [beaDelivery],
    );
    expect(await run(['resend', BEA, '--force'])).toBe(1);
    expect(err).toContain('being sent right now');
  });

  test('no such destination, no such lead', async () => {
    expect(await run(['resend', BEA, '--destination', 'webhook'])).toBe(1);
    expect(err).toContain('it has: ingest');
    expect(await run(['resend', 'ffff'])).toBe(3);
  });
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
  ])('%j ends with %i', async (argv, code) => {
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    expect(await run(argv)).toBe(code);
  });

  test('a bad setting and an unreachable database are one sentence each', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://nobody:secret-word@127.0.0.1:1/none');
    expect(await run(['list'])).toBe(1);
    expect(err).toBe('The database does not answer.\n');
    err = '';
    vi.stubEnv('TIME_ZONE', 'Nowhere/Land');
    expect(await run(['list'])).toBe(2);
    expect(err).toContain('TIME_ZONE');
    expect(err).not.toContain('secret-word');
  });
});

describe('the embedded database', () => {
  const program = path.join(import.meta.dirname, 'leads.ts');
  function leads(
    dataDir: string,
    ...argv: string[]
  ): Promise<{ code: number; out: string; err: string }> {
    const { DATABASE_URL: _url, ...environment } = process.env;
    const env = { ...environment, DATA_DIR: dataDir };
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [program, ...argv],
        { env, cwd: dataDir },
        (error, stdout, stderr) => {
          resolve({ code: Number(error?.code ?? 0), out: stdout, err: stderr });
        },
      );
    });
  }

  test('alone, beside a server, and none at all', async () => {
    const dataDir = await preparedDataDir();
    try {
      const alone = await leads(dataDir, 'list');
      expect(alone).toEqual({ code: 0, out: 'No leads.\n', err: '' });

      const server = await startEmbeddedPostgres({ dataDir, log: testLog });
      try {
        await migrate({ connectionString: server.connectionString, log: testLog });
        expect(await leads(dataDir, 'list')).toEqual({ code: 0, out: 'No leads.\n', err: '' });
        // It is still there: the command stops only what it started.
        await migrate({ connectionString: server.connectionString, log: testLog });
      } finally {
        await server.stop();
      }
      const none = await leads(dataDir, 'list', '--json');
      expect(none.out).toBe('[]\n');
      await rm(path.join(dataDir, 'postgres'), { recursive: true });
      const missing = await leads(dataDir, 'list');
      expect(missing.code).toBe(1);
      expect(missing.err).toMatch(/^There is no database in .+\n$/);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 60_000);
});
