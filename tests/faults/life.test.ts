/** Tests how a server under load stops, and how a start fails. */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { openDatabase } from '../../src/server/platform/database/database.ts';
import { startEmbeddedPostgres } from '../../src/server/platform/postgres/embedded-postgres.ts';
import { preparedDataDir, testLog } from '../support/postgres.ts';
import { type Program, serverCommand, startProgram } from '../support/program.ts';
import { createVisitors } from '../support/server-process.ts';

const programs: Program[] = [];
const dataDirs: string[] = [];

function start(env: NodeJS.ProcessEnv): Program {
  const program = startProgram(serverCommand, {
    // The project folder may have the developer's `.env`, which the server would read.
    cwd: tmpdir(),
    env: { LOG_LEVEL: 'warn', HOST: '127.0.0.1', PORT: '0', PAGES: 'off', ...env },
  });
  programs.push(program);
  return program;
}

async function newDataDir(): Promise<string> {
  const dataDir = await preparedDataDir('funnel-life-');
  dataDirs.push(dataDir);
  return dataDir;
}

afterEach(async () => {
  for (const program of programs.splice(0)) await program.end();
  for (const dataDir of dataDirs.splice(0)) await rm(dataDir, { recursive: true, force: true });
});

test('a server under load loses no acknowledged lead when it gets SIGTERM', async () => {
  const dataDir = await newDataDir();
  const limits = { LEADS_PER_ADDRESS_PER_HOUR: '0', BYTES_PER_ADDRESS_PER_HOUR: '0' };
  const program = start({ DATA_DIR: dataDir, ...limits });
  const visitors = createVisitors(() => url);
  const url = await program.url;
  const posts = Array.from({ length: 16 }, async () => {
    while (program.child.exitCode === null) await visitors.post();
  });
  await vi.waitFor(() => expect(visitors.acknowledged.size).toBeGreaterThan(60));
  expect(await program.end()).toBe(0);
  visitors.stop();
  await Promise.all(posts);
  expect(program.output()).not.toMatch(/"level":[56]0/);

  const postgres = await startEmbeddedPostgres({ dataDir, log: testLog });
  const { connectionString } = postgres;
  const { pool, close } = openDatabase({ connectionString, poolMax: 1, log: testLog });
  const { rows } = await pool.query<{ id: string }>('select id from leads');
  const stored = new Set(rows.map((row) => row.id));
  expect([...visitors.acknowledged].filter((id) => !stored.has(id))).toEqual([]);
  await close();
  await postgres.stop();
});

describe('a starting server', () => {
  it('fails with a clear message if the port or the data directory is in use', async () => {
    const dataDir = await newDataDir();
    const first = start({ DATA_DIR: dataDir });
    const url = new URL(await first.url);

    const second = start({ DATA_DIR: dataDir });
    expect(await second.ended).toBe(1);
    const said = second
      .output()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('{'));
    expect(said).toEqual([expect.stringMatching(/^The server did not start: .+/)]);

    // Turns off the other ports, because their default numbers may be in use.
    const others = { CONSOLE_PORT: 'off', OPERATIONS_PORT: 'off' };
    const third = start({ DATA_DIR: await newDataDir(), PORT: url.port, ...others });
    expect(await third.ended).toBe(1);
    expect(third.output()).toMatch(
      new RegExp(`^The server did not start: Port ${url.port} is in use by another program`, 'm'),
    );
    expect((await fetch(`${url.origin}/healthz`)).status).toBe(200);
  });

  it('exits with code 0 if the server gets SIGTERM before the database is ready', async () => {
    const { end, output } = start({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' });
    await expect.poll(output).toContain('does not answer yet');
    expect(await end()).toBe(0);
    expect(output()).not.toContain('secret');
  });
});
