import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { personKey } from '../../../../tests/support/person-keys.ts';
import { startPlanRunner } from './runner.ts';

test('waiting for a busy database is one line, without a warning or a stack', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) });
  const pool = new pg.Pool();
  pool.query = () => Promise.reject(new Error('timeout exceeded when trying to connect'));
  const runner = startPlanRunner({
    ...{ pool, log, personKey, timeZone: 'UTC', destinationNames: [], wake: () => undefined },
    db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
  });
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  await runner.stop();
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    ...{ level: 30, reason: 'timeout exceeded when trying to connect' },
    msg: 'Plans wait for the database, and are tried again',
  });
  expect(lines[0]).not.toContain('stack');
});
