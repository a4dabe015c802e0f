import { expect, test, vi } from 'vitest';
import { createDevelopmentCodes } from './code-senders.ts';

const digits = '2125550123';

function development() {
  const clock = { now: new Date('2026-11-20T15:00:00Z') };
  const warn = vi.fn((_: Readonly<Record<string, unknown>>, __: string) => undefined);
  const codes = createDevelopmentCodes(warn, () => clock.now);
  const printed = () => String(warn.mock.lastCall?.[0].developmentCode);
  return { codes, clock, warn, printed };
}

const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('prints the code without the number', async () => {
  const { codes, warn, printed } = development();
  expect(await codes.send(digits, 'en')).toBe('sent');
  expect(printed()).toMatch(/^\d{6}$/);
  expect(warn.mock.lastCall?.[1]).toContain(
    `DEVELOPMENT ONLY: no SMS was sent. The code is ${printed()}`,
  );
  expect(JSON.stringify(warn.mock.calls)).not.toContain(digits);
  expect(await codes.check(digits, another(printed()))).toBe('wrong');
  expect(await codes.check('2125550124', printed())).toBe('expired');
  expect(await codes.check(digits, printed())).toBe('approved');
  expect(await codes.check(digits, printed())).toBe('expired');
});
