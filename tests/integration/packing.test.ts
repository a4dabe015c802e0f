/** What a killed process has packed stays, and another one goes on (docs/decisions/0073-packed-rows.md). */
import { expect, test } from 'vitest';
import { exportText } from '../../src/server/operators/export.ts';
import { clearLedger, packLedger, seedLead, untilBlocked } from '../support/ledger.ts';
import { databaseForTests } from '../support/own-database.ts';
import { startProgram } from '../support/program.ts';

const LEADS = 130;
const BUSY = 120;

const { pool, db, connectionString } = await databaseForTests(clearLedger);

async function exported(): Promise<string> {
  let text = '';
  for await (const part of exportText(db, {}, 'json')) text += part;
  return text;
}

test('packing goes on after a kill in the middle', async () => {
  const ids = await Promise.all(
    Array.from({ length: LEADS }, (_, number) =>
      seedLead(pool, { createdAt: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString() }),
    ),
  );
  const before = await exported();
  await pool.query(`update packing set begins_at = '-infinity', at = '-infinity'`);
  const busy = await pool.connect();
  await busy.query('begin');
  await busy.query('select 1 from consents where lead_id = $1 for update', [ids[BUSY]]);
  const packing = startProgram(['node', 'tests/support/pack-all.ts', connectionString]);
  packing.url.catch(() => undefined);
  await untilBlocked(pool);
  await packing.end('SIGKILL');
  await busy.query('rollback');
  busy.release();

  const packed = async () => {
    const { rows } = await pool.query<{ packed: string }>(
      `select count(packed) as packed from lead_revisions
       union all select count(packed) from consents order by 1`,
    );
    return rows.map((row) => Number(row.packed));
  };
  expect(await packed()).toEqual([100, 100]);
  expect(await exported()).toBe(before);
  // The server notices the end of a killed session by itself.
  await expect
    .poll(async () => {
      await packLedger(pool, 'on');
      return packed();
    })
    .toEqual([LEADS, LEADS]);
  expect(await exported()).toBe(before);
});
