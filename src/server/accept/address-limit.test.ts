import { expect, it } from 'vitest';
import { addressWindow } from './address-limit.ts';

const at = (time: string) => new Date(`2026-11-20T${time}Z`);

it('addressWindow differs by address and hour and does not contain the address', () => {
  const window = addressWindow('203.0.113.7', 120, at('15:00:00'));
  expect(window).toEqual({ key: expect.stringMatching(/^[0-9a-f]{32}$/), mostPersons: 120 });
  expect(addressWindow('203.0.113.7', 120, at('15:59:59.999'))).toEqual(window);
  const others = [
    addressWindow('203.0.113.7', 120, at('16:00:00')),
    addressWindow('203.0.113.8', 120, at('15:00:00')),
  ];
  expect(new Set([window, ...others].map((each) => each?.key)).size).toBe(3);
});

it('addressWindow is null without a limit', () => {
  expect(addressWindow('203.0.113.7', 0, at('15:00:00'))).toBeNull();
});
