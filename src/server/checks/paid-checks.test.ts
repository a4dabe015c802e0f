import { expect, test, vi } from 'vitest';
import { type createCountPaidCheck, createPaidChecks } from './paid-checks.ts';

const limits = { perAddress: 60, overall: 2_000 };

function paidChecks(count: ReturnType<typeof createCountPaidCheck>) {
  const alert = vi.fn();
  const permit = createPaidChecks({ count, limits, alert });
  return { permit, texts: () => alert.mock.calls.map(([text]) => text) };
}

test('a paid check beyond a limit is refused', async () => {
  let reached: 'address' | 'overall' = 'address';
  const { permit, texts } = paidChecks(async () => reached);
  expect(await permit('203.0.113.7')).toBe('PAID_CHECKS_PER_ADDRESS_PER_HOUR (60) was reached');
  await permit('203.0.113.8');
  reached = 'overall';
  expect(await permit('203.0.113.8')).toBe('PAID_CHECKS_PER_HOUR (2000) was reached');
  expect(texts()).toEqual([
    expect.stringContaining('An address has reached PAID_CHECKS_PER_ADDRESS_PER_HOUR (60)'),
    expect.stringContaining('The site has reached PAID_CHECKS_PER_HOUR (2000)'),
  ]);
});

test('a paid check is refused if the database cannot count paid checks', async () => {
  const { permit } = paidChecks(async () => {
    throw new Error('database away');
  });
  expect(await permit('203.0.113.7')).toBe('the database could not count paid checks');
});
