import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import { expect, it, test, vi } from 'vitest';
import { clearLedger } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { testLog } from '../../../tests/support/postgres.ts';
import {
  createLeadChecks,
  createVerifyLead,
  type LeadChecks,
  type VerificationFields,
} from './lead-checks.ts';

const { pool } = await databaseForTests(clearLedger);

test('a check is recorded even if its visit is not saved yet', async () => {
  const leadId = uuid();
  let queries = 0;
  // Saves the visit after the first query, so that the first attempt to record the check fails.
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

const fields = {
  zip_code: '10001',
  ip_address: '203.0.113.7',
  user_agent: 'Browser',
  trusted_form_cert_id: 'cert',
  leadid_token: 'token',
  email: 'ana@mail.example',
};
const lead = { id: 'lead', revision: 2, fields };

function verifying(store: Partial<LeadChecks> = {}, mayBeAsked = () => true) {
  const ask = vi.fn(async (_: VerificationFields) => ({
    outcome: 'answered' as const,
    said: { status: 'ok' },
    durationMs: 3,
  }));
  const save = vi.fn<LeadChecks['save']>(async () => undefined);
  const onError = vi.fn();
  const verify = createVerifyLead({
    ask,
    store: { mayBeShared: async () => true, save, ...store },
    now: () => new Date(0),
    mayBeAsked,
    onError,
  });
  return { verify, ask, save, onError };
}

it('the verification service receives only five fields of a lead', async () => {
  const { verify, ask, save } = verifying();
  const start = verify.prepare(lead);
  expect(ask).not.toHaveBeenCalled();
  start?.();
  await verify.drain();
  const { email: _, ...five } = fields;
  expect(ask).toHaveBeenCalledExactlyOnceWith(five);
  expect(save.mock.calls[0]?.[0]).toMatchObject({
    leadId: 'lead',
    revision: 2,
    service: 'verification',
    outcome: 'answered',
    said: { status: 'ok' },
  });
  expect(JSON.stringify(save.mock.calls)).not.toContain(fields.ip_address);
});

it('a lead without a zip code or an IP address is not verified', () => {
  for (const changed of [{ zip_code: 'none' }, { ip_address: '' }]) {
    const other = { ...lead, fields: { ...fields, ...changed } };
    expect(verifying().verify.prepare(other)).toBeUndefined();
  }
  expect(verifying({}, () => false).verify.prepare(lead)).toBeUndefined();
});

it('a lead is not verified if it may not be shared with third parties', async () => {
  const { verify, ask } = verifying({ mayBeShared: async () => false });
  verify.prepare(lead)?.();
  await verify.drain();
  expect(ask).not.toHaveBeenCalled();
});
