import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trafficSourcePool } from './traffic-source.ts';

const none = { gclid: '', fbclid: '' };

test('assigns 15 of 20 visits to google and 5 to facebook', () => {
  const pools = Array.from({ length: 20 }, (_, index) => trafficSourcePool(none, index / 20));
  expect(pools.filter((pool) => pool === 'google')).toHaveLength(15);
  expect(pools.filter((pool) => pool === 'facebook')).toHaveLength(5);
});

test('uses the click’s own source', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), (chance) => {
      expect(trafficSourcePool({ gclid: 'g', fbclid: '' }, chance)).toBe('google');
      expect(trafficSourcePool({ gclid: '', fbclid: 'f' }, chance)).toBe('facebook');
    }),
  );
});
