/** Tests two servers with PgBouncer in transaction mode (docs/decisions/0071-several-processes.md). */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { waitForDatabase } from '../../src/server/platform/database/wait-for-database.ts';
import type { RunningServer } from '../../src/server/wiring/server.ts';
import { pgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { type TestDatabase, withDatabase } from '../support/postgres.ts';
import { freshProgress, postAsBrowser, startTestServer, testSettings } from '../support/server.ts';
import { leadBody, sendingTo } from '../support/server-process.ts';

const LEADS = 60;

describe.skipIf(pgbouncer === undefined)('with PgBouncer before the database', () => {
  let database: TestDatabase;
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
  beforeAll(async () => {
    database = await withDatabase({ migrated: false });
    pooler = await startPgbouncer(database.connectionString);
  });
  afterAll(async () => {
    await pooler?.stop();
    await database?.drop();
  });

  test('a server fails to start if the database is missing', async () => {
    const url = new URL(pooler.connectionString);
    url.pathname = '/none';
    url.password = 'tulip';
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line) => lines.push(line) });
    const started = waitForDatabase({
      connectionString: url.href,
      log,
      pause: async () => undefined,
    });
    await expect(started).rejects.toThrow(/database "none" does not exist/);
    expect(lines.join()).not.toContain('tulip');
  });

  test('two servers can accept and deliver leads', async () => {
    const sandbox = await startSandbox();
    const lines: { level: number; msg: string }[] = [];
    const log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) });
    const settings = testSettings({
      ...sendingTo(sandbox),
      DATABASE_URL: pooler.connectionString,
      DELIVERY_CONCURRENCY: undefined,
    });
    const started = await Promise.allSettled([1, 2].map(() => startTestServer(settings, { log })));
    const servers = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    try {
      expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      const urlOf = (turn: number, path: string) => (servers[turn % 2] as RunningServer).url + path;
      const visits = Array.from({ length: LEADS }, async (_, turn) => {
        const lead = leadBody(randomUUID(), turn);
        const answers = [
          await postAsBrowser(urlOf(turn, '/api/save-data'), freshProgress(lead.lead_id)),
          await postAsBrowser(urlOf(turn + 1, '/post-lead'), lead),
          // Posts a lead again with a changed answer, which creates a revision.
          await postAsBrowser(urlOf(turn, '/post-lead'), {
            ...lead,
            case_description: 'A car hit mine from behind.',
          }),
        ];
        return answers.map(({ status }) => status);
      });
      expect(await Promise.all(visits)).toEqual(visits.map(() => [200, 200, 200]));
      await expect.poll(() => sandbox.effects().length).toBe(LEADS);
      expect(sandbox.effects().every(({ count }) => count === 1)).toBe(true);
    } finally {
      for (const server of servers) await server.close();
      await sandbox.close();
    }
    const { rows } = await database.pool.query('select count(*)::int as leads from leads');
    expect(rows).toEqual([{ leads: LEADS }]);
    const warnings = new Set(lines.flatMap(({ level, msg }) => (level > 30 ? [msg] : [])));
    // Each server logs this warning, because the tests' PostgreSQL does not write safely to disk.
    const expected = /MAY LOSE ACKNOWLEDGED LEADS/;
    expect([...warnings].filter((warning) => !expected.test(warning))).toEqual([]);
  });
});
