import { expect, test, vi } from 'vitest';
import { type createCountPaidCheck, createPaidChecks } from './paid-checks.ts';

const limits = { perAddress: 60, overall: 2_000 };

function paidChecks(count: ReturnType<typeof createCountPaidCheck>) {
  const alert = vi.fn();
  let at = Date.parse('2026-01-15T12:00:00Z');
  const permit = createPaidChecks({ count, limits, alert, now: () => new Date(at) });
  const texts = () => alert.mock.calls.map(([text]) => text);
  const later = (ms: number) => {
    at += ms;
  };
  return { permit, texts, later };
}

test('a paid check beyond a limit is refused', async () => {
  let reached: 'address' | 'overall' = 'address';
  const { permit, texts, later } = paidChecks(async () => reached);
  expect(await permit('203.0.113.7')).toBe('PAID_CHECKS_PER_ADDRESS_PER_HOUR (60) was reached');
  await permit('203.0.113.8');
  reached = 'overall';
  expect(await permit('203.0.113.8')).toBe('PAID_CHECKS_PER_HOUR (2000) was reached');
  expect(texts()).toEqual([
    expect.stringContaining('An address has reached PAID_CHECKS_PER_ADDRESS_PER_HOUR (60)'),
    expect.stringContaining('The site has reached PAID_CHECKS_PER_HOUR (2000)'),
  ]);
  later(3_600_000);
  await permit('203.0.113.8');
  expect(texts()).toHaveLength(3);
});

test('a paid check is refused if the database cannot count paid checks', async () => {
  const { permit } = paidChecks(async () => {
    throw new Error('database away');
  });
  expect(await permit('203.0.113.7')).toBe('the database could not count paid checks');
});
