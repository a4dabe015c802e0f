import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CommandEnd, commandForTests } from '../../tests/support/command.ts';
import { ana } from '../../tests/support/ledger.ts';
import { preparedDataDir, testLog } from '../../tests/support/postgres.ts';
import { migrate } from '../server/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';

const ANA = '0198a000-0000-7000-8000-00000000000a';
const BEA = '0198b000-0000-7000-8000-00000000000b';
const command = commandForTests();
const { leads, seed } = command;

const delivered = { state: 'delivered', revision: 1 } as const;

describe('leads list', () => {
  test.each([
    [['--since', '1d'], 1],
    [['--until', '2026-07-02'], 0],
    [['--survey', 'v4nv'], 1],
    [['--survey', '/none'], 0],
    [['--state', 'delivered'], 1],
    [['--state', 'held'], 0],
    [['--limit', '1'], 1],
  ])('prints only the leads that the options select', async (options, expected) => {
    const id = await seed({ deliveries: [delivered] });
    await command.count();
    const { out } = await leads('list', ...options);
    expect(out.split(id)).toHaveLength(expected + 1);
  });

  test('prints a table of at most 100 characters per line', async () => {
    await seed({ deliveries: [delivered] });
    await command.count();
    const lines = (await leads('list')).out.trim().split('\n');
    expect(lines[1]).toMatch(/^20.*yes +ingest delivered$/);
    expect(lines[2]).toBe('Times are America/New_York (OPERATORS_TIME_ZONE).');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
    expect((await leads('list', '--survey', '/none')).out).toBe('No leads.\n');
  });
});

describe('leads show', () => {
  test('prints all values of a lead', async () => {
    const passedOver = { destination: 'ingest/smith', state: 'passed_over' };
    const id = await seed({ deliveries: [delivered, passedOver] });
    const { code, out } = await leads('show', id.slice(0, 8));
    expect(code).toBe(0);
    for (const part of [
      `Lead ${id} (accepted)`,
      `Anastasia Diazcarrera · ${ana.email} · (512) 555-0123`,
      'Lead Prosper: delivered, attempts: 1',
      'Smith (Lead Prosper): passed over, attempts: 0. Smith (Lead Prosper) does not get it: another',
      'Answered Contact',
      '“I, Anastasia, agree.”',
      'Lead Prosper: delivered\n',
      `answer: answered about ${ana.email}`,
    ]) {
      expect(out).toContain(part);
    }
    expect(out).not.toContain('\u001b');
  });

  test('refuses the beginning of a lead id if it does not identify one lead', async () => {
    for (const id of [ANA, BEA]) await seed({ id });
    for (const [prefix, code, message] of [
      ['0198', 2, 'More than one lead'],
      ['ffff', 3, 'There is no lead ffff.'],
      ["x'; drop", 2, 'is not the beginning of a lead id'],
    ] as const) {
      expect(await leads('show', prefix)).toEqual({
        code,
        out: '',
        err: expect.stringContaining(message),
      });
    }
  });
});

test('leads export writes a file that only the file’s owner can read', async () => {
  const id = await seed({});
  await command.count();
  const dir = await mkdtemp(path.join(tmpdir(), 'funnel-export-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = path.join(dir, 'leads.csv');
  expect(await leads('export', '--format', 'csv', '--output', file)).toEqual({
    code: 0,
    out: '',
    err: '',
  });
  expect((await readFile(file, 'utf8')).split('\r\n')[1]).toContain(id);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const missing = path.join(dir, 'missing', 'leads.csv');
  expect(await leads('export', '--format', 'csv', '--output', missing)).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be written (ENOENT)'),
  });
});

describe('the command "leads"', () => {
  test.each([
    [['--help'], 0],
    [[], 2],
    [['list', '--state', 'gone'], 2],
    [['list', '--since', 'yesterday'], 2],
    [['export'], 2],
    [['show'], 2],
    [['release'], 2],
    [['erase'], 2],
    [['suppress'], 2],
    [['suppress', '@'], 2],
    [['suppress', '--since', '1h'], 2],
    [['suppress', ana.email, '--since', '1h', '--undo'], 2],
    [['resend'], 2],
  ])('exits with code 2 if the arguments are invalid', async (argv, code) => {
    expect((await leads(...argv)).code).toBe(code);
  });

  test('reports an unreachable database or an invalid setting without the password', async () => {
    const nowhere = 'postgres://nobody:secret-word@127.0.0.1:1/none';
    vi.stubEnv('OPERATORS_DATABASE_URL', nowhere);
    expect(await leads('list')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^The database at OPERATORS_DATABASE_URL cannot .+ECONNREFUSED.+\n$/,
      ),
    });
    vi.stubEnv('OPERATORS_DATABASE_URL', undefined);
    vi.stubEnv('DATABASE_URL', nowhere);
    expect((await leads('list')).err).toMatch(/^The database at DATABASE_URL cannot/);
    vi.stubEnv('OPERATORS_TIME_ZONE', 'Nowhere/Land');
    const { code, err } = await leads('list');
    expect(code).toBe(2);
    expect(err).toContain('OPERATORS_TIME_ZONE');
    expect(err).not.toContain('secret-word');
  });
});

test('leads list reads the embedded database even if no server is running', async () => {
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
    await migrate({ connectionString, log: testLog });
  } finally {
    await server.stop();
  }
  await rm(path.join(dataDir, 'postgres'), { recursive: true });
  const missing = await list();
  expect(missing.code).toBe(1);
  expect(missing.err).toMatch(/^There is no database in .+\n$/);
});
