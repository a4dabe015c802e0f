/** Tests the limits of paid checks, which all processes share. */

import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { createBlockedEmails } from '../../src/server/checks/check-answers.ts';
import { createCountPaidCheck } from '../../src/server/checks/paid-checks.ts';
import { readHistory } from '../../src/server/leads/lead-history.ts';
import {
  type KeyedDigest,
  openDigest,
} from '../../src/server/platform/database/database-secret.ts';
import type { LeadCheckRow } from '../../src/server/platform/database/schema.ts';
import { purgeOnce } from '../support/job-clock.ts';
import { timelineOf } from '../support/lead-history.ts';
import { keepDays } from '../support/ledger.ts';
import { databaseForTests } from '../support/own-database.ts';
import { freshLead, serverForTests } from '../support/server.ts';

const { pool } = await databaseForTests();
const sandbox = await startSandbox();
afterAll(() => sandbox.close());
afterEach(() => sandbox.recover());

/** Waits until the lead has a skipped check. Returns all checks of the lead. */
async function told(web: ReturnType<typeof serverForTests>, leadId: unknown) {
  const { pool } = web.database;
  const checks = 'select * from lead_checks where lead_id = $1';
  const find = async () => (await pool.query<LeadCheckRow>(checks, [leadId])).rows;
  await vi.waitFor(async () =>
    expect((await find()).map(({ outcome }) => outcome)).toContain('over_limit'),
  );
  return {
    checks: await find(),
    text: timelineOf(await readHistory(pool, String(leadId))),
  };
}

/** Calls `create` for two server processes that start at the same time. */
const processes = <Part>(create: (digest: KeyedDigest) => Part) =>
  Promise.all([1, 2].map(async () => create(await openDigest(pool))));

it('all processes share one count of paid checks', async () => {
  const [one, other] = await processes((digest) => createCountPaidCheck(pool, digest));
  const limits = { perAddress: 3, overall: 5 };
  const count = async (address: string, most: number) => {
    const all = Array.from({ length: most }, (_, index) =>
      (index % 2 ? one : other)?.(address, limits),
    );
    return (await Promise.all(all)).toSorted();
  };
  expect(await count('203.0.113.7', 5)).toEqual([
    ...['address', 'address', 'counted', 'counted', 'counted'],
  ]);
  expect(await count('203.0.113.8', 3)).toEqual(['counted', 'counted', 'overall']);
  expect(await count('203.0.113.9', 1)).toEqual(['overall']);
  const { rows } = await pool.query('select key, checks from paid_checks');
  expect(JSON.stringify(rows)).not.toContain('203.0.113');

  await pool.query(`update paid_checks set hour = hour - interval '1 hour'`);
  expect(await count('203.0.113.7', 1)).toEqual(['counted']);
  await pool.query(`update paid_checks set hour = hour - interval '2 days'`);
  await purgeOnce(pool, keepDays, new Date());
  const left = await pool.query('select 1 from paid_checks');
  expect(left.rowCount).toBe(0);

  const blocked = await processes((digest) => createBlockedEmails(pool, digest));
  const times = await Promise.all(blocked.map((counts) => counts('lead secret a@b.com')));
  expect(times.toSorted()).toEqual([1, 2]);
  expect(await blocked[0]?.('lead secret a@b.com')).toBe(3);
  expect(await blocked[1]?.('lead secret c@b.com')).toBe(1);
});

describe('a phone check over the limit of paid checks', () => {
  const web = serverForTests(() => ({
    ...sandboxEnvironment(sandbox.url),
    PAID_CHECKS_PER_ADDRESS_PER_HOUR: '2',
  }));

  it('is skipped', async () => {
    const lead = freshLead();
    const check = (phone: string) =>
      web.post('/api/check/phone', { phone, survey: '', lead_id: lead.lead_id });
    expect((await check('2125551086')).body).toEqual({ valid: true, active: true });
    expect((await check('2125550086')).body).toMatchObject({ valid: false });
    // The service would refuse this phone number, but the server skips a check over the limit.
    expect((await check('2125550090')).body).toEqual({ valid: true, active: true });
    expect(sandbox.received('phone')).toHaveLength(2);
    expect((await web.post('/post-lead', lead)).status).toBe(200);

    await check('2125550090');
    const { checks, text } = await told(web, lead.lead_id);
    const reason = 'PAID_CHECKS_PER_ADDRESS_PER_HOUR (2) was reached';
    expect(checks).toContainEqual(
      expect.objectContaining({ service: 'phone', outcome: 'over_limit', reason }),
    );
    expect(text).toContain('Phone check: not checked');
    expect(text).toContain(reason);
    await vi.waitFor(() =>
      expect(JSON.stringify(sandbox.received('slack'))).toContain(
        'An address has reached PAID_CHECKS_PER_ADDRESS_PER_HOUR (2)',
      ),
    );
    expect(sandbox.violations()).toEqual([]);
  });
});
