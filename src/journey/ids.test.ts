import { expect, test } from 'vitest';
import { uuidV7 } from './ids.ts';

test('a UUIDv7 has its time, version and variant, and sorts by time', () => {
  const now = Date.UTC(2026, 10, 20);
  const id = uuidV7(now);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(now);
  expect(uuidV7(now) < uuidV7(now + 1)).toBe(true);
  expect(new Set(Array.from({ length: 1000 }, () => uuidV7(now))).size).toBe(1000);
});
