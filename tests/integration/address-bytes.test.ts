/**
 * Tests the limit of bytes that one IP address may send in an hour
 * (docs/specification.md#address-limit).
 */

import { beforeEach, describe, expect, it } from 'vitest';
import { createAddressBytes, HOUR_MS } from '../../src/server/leads/post-limits.ts';
import type { Clock } from '../../src/server/platform/clock.ts';
import { createRequestCounts } from '../../src/server/platform/database/request-counts.ts';
import { testLog } from '../support/postgres.ts';
import { freshLead, freshProgress, serverForTests, withinAnHour } from '../support/server.ts';

const LIMIT = 28_000;
const site = serverForTests(() => ({
  BYTES_PER_ADDRESS_PER_HOUR: String(LIMIT),
  STEPS_PER_VISIT: '50',
  TRUSTED_PROXIES: 'loopback',
}));
withinAnHour();
beforeEach(() => site.database.pool.query('truncate request_counts'));

/** Returns the limiter of bytes per IP address in a new server process. */
function process(now: Clock = () => new Date('2026-11-20T15:30:00Z')) {
  const counts = createRequestCounts(now, { pool: site.database.pool, log: testLog }, HOUR_MS);
  return createAddressBytes({ counts, limit: 1_000, isOver: () => undefined, now });
}

describe('the limit of bytes that one IP address may send in an hour', () => {
  it('applies to all processes together', async () => {
    const [one, other] = [process(), process(() => new Date('2026-11-20T15:59:00Z'))];
    expect(await one.take('a', 600)).toBe(true);
    expect(await other.take('a', 300)).toBe(true);
    expect(await one.take('a', 60)).toBe(true);
    expect(await other.take('a', 150)).toBe(false);
    expect(await one.take('a', 60, { reserve: true })).toBe(true);
    expect(await one.take('a', 1_000, { reserve: true })).toBe(false);
    expect(await other.take('b', 1_000)).toBe(true);
  });
});

describe('an IP address that sends too much progress', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('gets 429 after the limit of bytes in an hour', async () => {
    const address = from('198.51.100.1');
    const large = () => freshLead({ sub_id5: 'x'.repeat(16_500) });
    await site.post('/post-lead', large(), undefined, address);
    const second = large();
    expect((await site.post('/post-lead', second, undefined, address)).status).toBe(200);
    const { lead, last, deliveries } = await site.leadOf(second.lead_id);
    expect(lead?.state).toBe('held');
    expect(last?.problems[0]).toEqual({ problem: 'held', reason: 'over_address_bytes' });
    expect(deliveries).toMatchObject([{ state: 'held' }]);

    const answer = await site.post('/post-lead', large(), undefined, address);
    expect(answer).toMatchObject({ status: 429, body: { reason: 'too_many_bytes' } });
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const save = freshProgress(second.lead_id, { params: { s1: 'y'.repeat(9_000) } });
    const saved = await site.post('/api/save-data', save, undefined, address);
    expect(saved).toMatchObject({ status: 429, body: { reason: 'too_many_bytes' } });
    const other = await site.post('/api/save-data', save, undefined, from('198.51.100.2'));
    expect(other.status).toBe(200);
  });

  it('gets 429 after fifty steps of one visit', async () => {
    const { lead_id } = freshLead();
    const { session, data } = freshProgress(lead_id);
    const steps = [49, 50, 51].map((seq) => ({ ...data[0], seq }));
    const body = { session, data: steps };
    const answer = await site.post('/api/save-data', body, undefined, from('198.51.100.3'));
    expect(answer).toMatchObject({ status: 429, body: { reason: 'too_many_steps' } });
    const kept = await site.database.pool.query(
      'select seq from progress where lead_id = $1 order by seq',
      [lead_id],
    );
    expect(kept.rows.map(({ seq }) => seq)).toEqual([49, 50]);
  });
});
