import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import { expect, test } from 'vitest';
import { clearLedger } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { testLog } from '../../../tests/support/postgres.ts';
import { createLeadChecks } from './lead-checks.ts';

const { pool } = await databaseForTests(clearLedger);

test('a check that a page asked before its first save arrived is recorded with the visit', async () => {
  const leadId = uuid();
  let queries = 0;
  // The save arrives right after the first try.
  const late = {
    async query(statement: pg.QueryConfig) {
      const result = await pool.query(statement);
      queries += 1;
      const SAVE = `insert into visits (lead_id, secret_sha256, survey) values ($1, 'secret', '')
        on conflict do nothing`;
      await pool.query(SAVE, [leadId]);
      return result;
    },
  } as pg.Pool;
  const checks = createLeadChecks({
    pool: late,
    log: testLog,
    waiting: [],
    wake: () => undefined,
    againMs: 1,
  });
  const check = { leadId, service: 'mapping', at: new Date(), durationMs: 1 } as const;
  checks.record({ ...check, asked: 'hash', outcome: 'answered' }, 'secret');
  const recorded = async () =>
    (await pool.query('select service from lead_checks where lead_id = $1', [leadId])).rows;
  await expect.poll(recorded).toEqual([{ service: 'mapping' }]);
  expect(queries).toBe(2);
});
