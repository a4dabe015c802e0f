import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { clearLedger, seedLead } from '../../tests/support/ledger.ts';
import { testPersonSecret } from '../../tests/support/person-keys.ts';
import {
  preparedDataDir,
  type TestDatabase,
  testLog,
  withDatabase,
} from '../../tests/support/postgres.ts';
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts';
import { migrate } from '../server/storage/migrate.ts';
import { run } from './leads.ts';

const ANA = '0198a000-0000-7000-8000-00000000000a';
const BEA = '0198b000-0000-7000-8000-00000000000b';
const root = path.join(import.meta.dirname, '..', '..');
let database: TestDatabase;
let out = '';
let err = '';
const anaDelivery = randomUUID();
const beaDelivery = randomUUID();

beforeAll(async () => {
  database = await withDatabase();
}, 60_000);
afterAll(async () => {
  await database.drop();
});

beforeEach(async () => {
  vi.stubEnv('DATABASE_URL', database.connectionString);
  vi.stubEnv('PERSON_KEY_SECRET', testPersonSecret);
  vi.stubEnv('OPERATORS_TIME_ZONE', 'America/New_York');
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
  await clearLedger(pool);
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
  await pool.query(lead, [ANA, '/survey/v4nv', true, '', false, '2026-07-01T12:05:00Z']);
  await pool.query(revision, [
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
  await pool.query(lead, [BEA, '/survey/v4', false, 'at_Fault|yes', true, '2026-07-02T12:00:00Z']);
  await pool.query(revision, [
    BEA,
    '2026-07-02T12:00:00Z',
    '{"answer":{"qualified":"no","dq_reason":"at_Fault|yes"},"fields":[]}',
    JSON.stringify({ first_name: 'Bea' }),
    '[]',
    '[]',
    '[]',
    '[]',
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

describe('list', () => {
  test('a table, newest first', async () => {
    expect(await run(['list'])).toBe(0);
    const lines = out.trim().split('\n');
    expect(lines.slice(3)).toEqual(['Times are America/New_York (OPERATORS_TIME_ZONE).']);
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

  test('an empty list is not an error', async () => {
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
      'SHA-256 of the body hash-of-the-body',
      'rules     qualified',
      'versions: rules rules-1, flow flow-1',
      'rule qualification.at_Fault: passes (at_Fault no)',
      'override doctor_treatment: answered no, becomes Yes (forced)',
      'difference bad_words: the browser said yes, the server no',
      'problem bad_value: zip_code = 1',
      '08:05:01  delivery  ingest attempt 1: server error, HTTP 500, 900 ms',
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

  test('shows the fields set by page scripts, and the buyers shown', async () => {
    await database.pool.query(
      `update lead_revisions set body = (body::jsonb || '{"call_tracking_number":"2125550142","came_by":"form"}')::json,
         fields = (fields::jsonb || '{"sms_verified":"yes","leadid_token":""}')::json where lead_id = $1`,
      [ANA],
    );
    await database.pool.query('update consents set buyers = $2 where lead_id = $1', [
      ANA,
      '[{"name":"First Law","ids":["1"],"chosen":false},{"name":"Next Law","ids":["2","3"],"chosen":true}]',
    ]);
    await run(['show', ANA]);
    expect(out).toContain('buyers shown: First Law (1), Next Law (2, 3), chosen\n');
    expect(out).toMatch(
      /post +received\n +call_tracking_number = 2125550142\n +sms_verified = yes\n +came_by = form\n/,
    );
    expect(out).not.toContain('leadid_token');
  });

  test('shows each revision with its own decisions, and which one the buyer got', async () => {
    const id = await seedLead(database.pool, {
      revisions: [{ first_name: 'Cy' }, { first_name: 'Cyd' }],
      deliveries: [{ state: 'delivered', revision: 1 }],
      account: { campaignId: 'c', supplierId: 's', key: 'very-secret' },
    });
    await seedLead(database.pool, { claimsId: id, state: 'held' });
    // Bad settings of the server or of a destination do not stop it.
    vi.stubEnv('PORT', 'none');
    vi.stubEnv('INGEST_URL', 'nowhere');
    expect(await run(['show', id])).toBe(0);
    const order = [
      'disputed posts under this id, without its secret: ',
      'came with the opt-out signal (Sec-GPC)',
      'account by the mapping service: c/s',
      'ingest: delivered, attempts: 1, got revision 1',
      'revision 1 · account c/s · payload version 1',
      'SHA-256 hash-of-what-was-sent',
      'what was sent cannot be made again: ingest is not configured here',
      'revision 2 received',
      'changed: zip_code',
      'versions: rules rules-versio, flow flow-version',
    ];
    let at = -1;
    for (const part of order) {
      const next = out.indexOf(part, at + 1);
      expect(next, `${part} in ${out}`).toBeGreaterThan(at);
      at = next;
    }
    out = '';
    expect(await run(['show', id, '--json'])).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ proofs: [{ attempt: 1, is_proven: false }] });
    expect(out).not.toContain('very-secret');
  });

  test('--json is one object', async () => {
    expect(await run(['show', ANA.toUpperCase(), '--json'])).toBe(0);
    const story = JSON.parse(out) as { lead: { id: string }; deliveries: { log: unknown[] }[] };
    expect(story.lead.id).toBe(ANA);
    expect(story.deliveries[0]?.log).toHaveLength(2);
  });

  test('refuses a prefix that is ambiguous, unknown or malformed', async () => {
    expect(await run(['show', '0198'])).toBe(2);
    expect(err).toContain('More than one lead');
    expect(await run(['show', 'ffff'])).toBe(3);
    expect(err).toContain('There is no lead ffff.');
    expect(await run(['show', "x'; drop"])).toBe(2);
    expect(out).toBe('');
  });
});

describe('export', () => {
  test('csv to a file that only its owner can read', async () => {
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
  test('a dead letter starts a new round, which is recorded', async () => {
    expect(await run(['resend', BEA])).toBe(0);
    expect(out).toContain('was dead and is sent to ingest again');
    expect(await delivery(beaDelivery)).toMatchObject({
      state: 'waiting',
      attempts: 1,
      attempts_before_round: 1,
      due_at: expect.any(Date),
      finished_at: null,
    });
    out = '';
    await run(['show', BEA]);
    expect(out).toMatch(/event +Sent again by .+; it was dead/);
    expect(out).toContain('ingest: waiting, attempts: 1, next attempt');
  });

  test('a delivered lead needs --force, which warns', async () => {
    expect(await run(['resend', ANA])).toBe(1);
    expect(err).toContain('ingest took this lead on 2026-07-01T12:05:10.000Z as ext-1.');
    expect(await delivery(anaDelivery)).toMatchObject({ state: 'delivered', attempts: 2 });
    err = '';
    expect(await run(['resend', ANA, '--force'])).toBe(0);
    expect(err).toContain('A second send can make it a duplicate there');
    expect(await delivery(anaDelivery)).toMatchObject({ state: 'waiting', external_id: 'ext-1' });
  });

  test.each(['held', 'uncertain'])('a delivery that is %s needs --force', async (state) => {
    await database.pool.query('update deliveries set state = $2 where id = $1', [
      beaDelivery,
      state,
    ]);
    expect(await run(['resend', BEA])).toBe(1);
    expect(await delivery(beaDelivery)).toMatchObject({ state });
    expect(await run(['resend', BEA, '--force'])).toBe(0);
    expect(await delivery(beaDelivery)).toMatchObject({ state: 'waiting' });
  });

  test.each(['sending', 'suppressed'])(
    'a delivery that is %s and may have arrived needs --force',
    async (state) => {
      await database.pool.query(
        `update deliveries set state = $2, may_have_arrived = $2 = 'suppressed',
           due_at = now() - interval '1 s' where id = $1`,
        [beaDelivery, state],
      );
      expect(await run(['resend', BEA])).toBe(1);
      expect(err).toContain('ingest may have taken this lead.');
      expect(await delivery(beaDelivery)).toMatchObject({ state });
      expect(await run(['resend', BEA, '--force'])).toBe(0);
      expect(await delivery(beaDelivery)).toMatchObject({ state: 'waiting' });
    },
  );

  test.each(['held', 'no_destination'])('--force releases a held lead (%s)', async (state) => {
    const { pool } = database;
    await pool.query(`update leads set state = 'held' where id = $1`, [BEA]);
    await pool.query(
      `update lead_revisions set problems = '[{"problem":"held","reason":"no_consent"}]'
       where lead_id = $1`,
      [BEA],
    );
    await pool.query('update deliveries set state = $2 where id = $1', [beaDelivery, state]);
    await run(['list', '--state', 'held']);
    expect(out).toContain(`ingest ${state} (test) (no_consent)`);
    expect(await run(['resend', BEA])).toBe(1);
    expect(err).toMatch(/The lead is held for review\.[\s\S]*"release" lets it go/);
    expect(await run(['resend', BEA, '--force'])).toBe(0);
    const { rows } = await pool.query('select state from leads where id = $1', [BEA]);
    expect(rows).toEqual([{ state: 'accepted' }]);
    await run(['show', BEA]);
    expect(out).toMatch(/, forced; it was .*; covers revision 1, held for\s+no_consent/);
  });

  test('refused while it is being sent', async () => {
    await database.pool.query(
      `update deliveries set state = 'sending', lease_owner = 'x', due_at = now() + interval '10 s' where id = $1`,
      [beaDelivery],
    );
    expect(await run(['resend', BEA, '--force'])).toBe(1);
    expect(err).toContain('being sent right now');
  });

  test('unknown destination, unknown lead, too few or too many arguments', async () => {
    expect(await run(['resend', BEA, '--destination', 'webhook'])).toBe(1);
    expect(err).toContain('it has: ingest');
    expect(await run(['resend', 'ffff'])).toBe(3);
    expect(await run(['resend'])).toBe(2);
    expect(await run(['resend', BEA, '--state', 'dead'])).toBe(2);
  });

  test('a thousand at once, as docs/operations.md says', async () => {
    const { pool } = database;
    const guide = await readFile(path.join(root, 'docs', 'operations.md'), 'utf8');
    const recipe = /Many at once[\s\S]*?```sh\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
    expect(recipe).toContain('npm run');
    await pool.query(
      `with new_leads as (
         insert into leads (id, survey, flow, language, qualified, lead_is_qualified, do_not_send_to_dq,
           email_key)
         select gen_random_uuid(), '/survey/v4', 'v4', 'en', true, true, 'no', 'key' || number
         from generate_series(1, 1001) as number
         returning id
       ), revisions as (
         insert into lead_revisions (lead_id, revision, body) select id, 1, '{}' from new_leads
       )
       insert into deliveries (id, lead_id, destination, state)
       select gen_random_uuid(), id, 'ingest', 'no_destination' from new_leads`,
    );
    await pool.query(`insert into suppressions (key, kind, actor) values ('key7', 'email', 'x')`);
    const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', recipe], { cwd: root });
    expect(stdout).toContain(
      '1000 deliveries were no_destination, now sent by the running server.',
    );
    expect(stderr).toContain('1 skipped');
    const { rows } = await pool.query(
      `select d.state, count(*)::int as deliveries, count(due_at)::int as due,
         count(e.id)::int as events
       from deliveries d left join lead_events e on e.delivery_id = d.id
       where d.id not in ($1, $2) group by d.state order by d.state`,
      [anaDelivery, beaDelivery],
    );
    expect(rows).toEqual([
      { state: 'no_destination', deliveries: 1, due: 0, events: 0 },
      { state: 'waiting', deliveries: 1_000, due: 1_000, events: 1_000 },
    ]);
  });

  test('a lead that was delivered before its resend failed needs --force', async () => {
    await database.pool.query(`update deliveries set state = 'dead' where id = $1`, [anaDelivery]);
    expect(await run(['resend', '--state', 'dead'])).toBe(0);
    expect(out).toContain('1 delivery was dead');
    expect(err).toContain('1 skipped');
    expect(await run(['resend', ANA])).toBe(1);
    expect(err).toContain('ingest took this lead as ext-1.');
    expect(await delivery(anaDelivery)).toMatchObject({ state: 'dead' });
    expect(await run(['resend', ANA, '--force'])).toBe(0);
    expect(await delivery(anaDelivery)).toMatchObject({ state: 'waiting' });
  });

  test('many, selected by survey and time', async () => {
    expect(await run(['resend', '--state', 'dead', '--survey', 'v4nv'])).toBe(0);
    expect(out).toContain('There is nothing to resend.');
    expect(await run(['resend', '--state', 'dead', '--since', '2026-07-02'])).toBe(0);
    expect(out).toContain('1 delivery was dead');
    expect(await delivery(beaDelivery)).toMatchObject({ state: 'waiting' });
  });
});

describe('an event delivery', () => {
  const failed = 'webhook delivery.failed x 1';
  beforeEach(async () => {
    await database.pool.query(
      `insert into deliveries (id, lead_id, destination, state, attempts, event_key, event, revision)
       values ($1, $3, 'webhook', 'delivered', 1, 'lead.accepted', '{"type":"lead.accepted"}', 1),
         ($2, $3, 'webhook', 'dead', 20, 'delivery.failed x 1', '{"type":"delivery.failed","destination":"ingest"}', 1)`,
      [randomUUID(), randomUUID(), BEA],
    );
  });
  const stateOf = async (key: string) => {
    const { rows } = await database.pool.query<{ state: string }>(
      'select state from deliveries where lead_id = $1 and event_key = $2',
      [BEA, key],
    );
    return rows[0]?.state;
  };

  test('is listed only after a failure, but always shown', async () => {
    await run(['list', '--json', '--survey', 'v4']);
    const [lead] = JSON.parse(out) as { deliveries: { destination: string; state: string }[] }[];
    expect(lead?.deliveries.map(({ destination, state }) => `${destination}: ${state}`)).toEqual([
      'ingest: dead',
      `${failed}: dead`,
    ]);
    out = '';
    await run(['show', BEA]);
    expect(out).toContain('webhook lead.accepted: delivered, attempts: 1');
    expect(out).toContain('webhook delivery.failed of ingest: dead, attempts: 20');
    expect(out).toContain('delivery  webhook delivery.failed of ingest: dead');
  });

  test('does not count as a second destination of a resend', async () => {
    expect(await run(['resend', BEA])).toBe(0);
    expect(out).toContain('is sent to ingest again');
    expect(await stateOf('delivery.failed x 1')).toBe('dead');
  });

  test('can be resent by its name', async () => {
    expect(await run(['resend', BEA, '--destination', 'webhook'])).toBe(1);
    expect(err).toContain(`${failed}, webhook lead.accepted`);
    expect(await run(['resend', BEA, '--destination', failed])).toBe(0);
    expect(out).toContain(`was dead and is sent to ${failed} again`);
    expect(await stateOf('delivery.failed x 1')).toBe('waiting');
    expect(await stateOf('')).toBe('dead');
  });

  test('about a lead counts as personal data in an erasure, one about a delivery does not', async () => {
    await database.pool.query('update deliveries set may_have_arrived = true where lead_id = $1', [
      BEA,
    ]);
    expect(await run(['erase', BEA, '--yes'])).toBe(0);
    expect(out.match(/webhook (got|may have got) lead/g)).toHaveLength(1);
  });
});

describe('webhook-test', () => {
  test('shows the answer, or why nothing was sent', async () => {
    expect(await run(['webhook-test'])).toBe(1);
    expect(err).toContain('they need WEBHOOK_URL and WEBHOOK_SECRETS');
    const sandbox = await startSandbox();
    const { WEBHOOK_URL, WEBHOOK_SECRETS } = sandboxEnvironment(sandbox.url, sandbox.credentials);
    vi.stubEnv('WEBHOOK_URL', WEBHOOK_URL);
    vi.stubEnv('WEBHOOK_SECRETS', WEBHOOK_SECRETS);
    expect(await run(['webhook-test'])).toBe(1);
    expect(err).toContain('OUTGOING_PRIVATE_NETWORKS does not allow it');
    vi.stubEnv('OUTGOING_PRIVATE_NETWORKS', 'allow');
    expect(await run(['webhook-test'])).toBe(0);
    expect(out).toMatch(/^The test event [0-9a-f-]{36} was accepted: HTTP 204, \d+ ms\.$/m);
    expect(sandbox.effects('webhook')).toMatchObject([{ detail: { type: 'webhook.test' } }]);
    await sandbox.close();
  });
});

describe('release, suppress, erase', () => {
  const seeded = (state: 'accepted' | 'held', delivery: string, revision?: number) =>
    seedLead(database.pool, {
      state,
      deliveries: [{ state: delivery, externalId: 'LP-9', ...(revision && { revision }) }],
    });

  test('a held lead is released', async () => {
    const id = await seeded('held', 'held');
    await database.pool.query('update lead_revisions set problems = $1 where lead_id = $2', [
      '[{"problem":"held","reason":"no_usable_phone"}]',
      id,
    ]);
    expect(await run(['release', id, '--revision', '2'])).toBe(1);
    expect(err).toContain('The newest revision of the lead is 1');
    expect(await run(['release', id, '--revision', '1'])).toBe(0);
    expect(out).toBe(
      `Released lead ${id} (revision 1, held for no_usable_phone); 1 delivery queued.\n`,
    );
    expect(await run(['release', id])).toBe(1);
    expect(err).toContain('not held');
    out = '';
    await run(['show', id]);
    expect(out).toMatch(/event +released by .*; covers revision 1, held for\s+no_usable_phone/);
  });

  test('one command releases every lead that is held for the same reason', async () => {
    const ids = [await seeded('held', 'held'), await seeded('held', 'held')];
    const others = await seeded('held', 'held');
    await database.pool.query(
      'update lead_revisions set problems = $1 where lead_id = any($2::uuid[])',
      ['[{"problem":"held","reason":"over_address_limit"}]', ids],
    );
    expect(await run(['release', '--hold', 'over_address_limit', '--since', '1h'])).toBe(0);
    expect(out).toBe('Released 2 leads; 2 deliveries queued.\n');
    expect(err).toBe('');
    const { rows } = await database.pool.query(
      `select id from leads where state = 'held' and survey = '/survey/v4nv'`,
    );
    expect(rows).toEqual([{ id: others }]);
  });

  test('a person is put on the list and taken off', async () => {
    const id = await seeded('accepted', 'delivered', 1);
    const open = await seeded('accepted', 'waiting');
    expect(await run(['suppress', ' ANA.diaz@mail.example'])).toBe(0);
    expect(out).toContain(
      'The person is now on the suppression list: 2 leads, 1 delivery stopped.',
    );
    expect(out).toContain(`ingest got lead ${id} on `);
    expect(out).toContain(' as LP-9');
    expect(out.toLowerCase()).not.toContain('mail.example');
    out = '';
    await run(['show', open]);
    expect(out).toContain('(not to be contacted)');
    expect(out).toMatch(/event +put on the suppression list by .+; stopped: ingest/);
    out = '';
    expect(await run(['suppress', 'ana.diaz@mail.example', '--undo'])).toBe(0);
    expect(out).toContain('off the list');
    expect(await run(['resend', open])).toBe(0);
  });

  test('a person is erased, and the story shows when', async () => {
    const id = await seeded('accepted', 'delivered', 1);
    vi.spyOn(process, 'stdin', 'get').mockReturnValue({ isTTY: false } as typeof process.stdin);
    expect(await run(['erase', '5125550123'])).toBe(2);
    expect(err).toContain('--yes');
    expect(await run(['erase', '5125550123', '--yes'])).toBe(0);
    expect(out).toContain(`Erased: 1 lead, 0 visits without a lead.\n  lead ${id}\n`);
    expect(out).toContain(`personal data, and have to be told:\n  ingest got lead ${id} on `);
    out = '';
    expect(await run(['erase', id, '--yes'])).toBe(0);
    expect(out).toBe('The person was erased already.\n');
    out = '';
    await run(['show', id]);
    expect(out).toMatch(/\nerased on \d{4}-\d\d-\d\d /);
    expect(out).toMatch(/event +erased by .+; revision 1 was /);
    expect(out).toContain('the lead was erased');
    expect(out).toContain('; its text was erased');
    expect(out).not.toContain('“”');
    expect(await run(['resend', id, '--force'])).toBe(1);
    expect(await run(['release', id])).toBe(1);
    expect(await run(['erase', 'nobody@mail.example', '--yes'])).toBe(3);
    await run(['list', '--state', 'erased']);
    expect(out).toContain('(erased)');
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
    [['release'], 2],
    [['release', '--hold', 'no_consent'], 2],
    [['release', '--hold', 'over_address_limit', '--revision', '1'], 2],
    [['release', ANA, '--hold', 'over_address_limit'], 2],
    [['erase'], 2],
    [['suppress', '@'], 2],
    [['resend', '--state', 'delivered'], 2],
  ])('%j ends with %i', async (argv, code) => {
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    expect(await run(argv)).toBe(code);
  });

  test('a bad setting and an unreachable database are one sentence each', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://nobody:secret-word@127.0.0.1:1/none');
    expect(await run(['list'])).toBe(1);
    expect(err).toBe('The database does not answer.\n');
    err = '';
    vi.stubEnv('OPERATORS_TIME_ZONE', 'Nowhere/Land');
    expect(await run(['list'])).toBe(2);
    expect(err).toContain('OPERATORS_TIME_ZONE');
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

  test('works alone and beside a server, and fails without a database', async () => {
    const dataDir = await preparedDataDir();
    try {
      const alone = await leads(dataDir, 'list');
      expect(alone).toEqual({ code: 0, out: 'No leads.\n', err: '' });

      const server = await startEmbeddedPostgres({ dataDir, log: testLog });
      try {
        await migrate({ connectionString: server.connectionString, log: testLog });
        expect(await leads(dataDir, 'list')).toEqual({ code: 0, out: 'No leads.\n', err: '' });
        // The command stops only a database that it started itself.
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
