import type pg from 'pg';
import { expect } from 'vitest';
import { checkLog } from '../../src/server/operators/evidence/check.ts';
import {
  deliveryEntries,
  type EntryKey,
  revisionEntries,
} from '../../src/server/operators/evidence/entries.ts';
import { appendPending } from '../../src/server/operators/evidence/log.ts';
import { findLeaves } from '../../src/server/operators/evidence/tree.ts';

/** Expects the log of evidence to have every revision, consent and ended attempt of the database once, and no more. */
export async function expectAllLogged(pool: pg.Pool): Promise<void> {
  while ((await appendPending(pool)) !== 0);
  const revisions = await pool.query<EntryKey>(
    'select lead_id as ref, revision as number from lead_revisions',
  );
  const attempts = await pool.query<EntryKey>(
    `select delivery_id as ref, attempt as number from delivery_attempts
     join deliveries d on d.id = delivery_id where d.event_key = '' and ended_at is not null`,
  );
  const leaves = [
    ...(await revisionEntries(pool, revisions.rows)),
    ...(await deliveryEntries(pool, attempts.rows)),
  ].map(({ leaf }) => leaf);
  const { rows } = await pool.query('select size::integer as size from evidence_log');
  const found = await findLeaves(pool, leaves, new Date(0));
  expect([found.size, rows[0].size]).toEqual([leaves.length, leaves.length]);
  expect(await checkLog(pool)).toEqual([]);
}
