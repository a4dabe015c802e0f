import { describe, expect, it } from 'vitest';
import { loadZipCheck } from './zip-and-text.ts';

const ask = await loadZipCheck();

describe('the embedded check of zip codes', () => {
  it.each([
    ['33101', 'Miami', 'FL', 'Florida', 'Miami-Dade'],
    ['00501', 'Holtsville', 'NY', 'New York', 'Suffolk'],
    ['87936', 'Garfield', 'NM', 'New Mexico', 'Doña Ana'],
  ])(
    'returns the city, US state and county of a zip code',
    (zip, city, state, state_long, county) => {
      expect(ask(zip)).toEqual({ zip, city, state, state_long, county });
    },
  );

  it('returns empty strings for an unknown zip code', () => {
    expect(ask(' 33101-1234 ')).toMatchObject({ zip: '33101', city: 'Miami' });
    for (const zip of ['00000', '', '3310', '331011', '99999']) {
      expect(ask(zip)).toEqual({ zip: '', city: '', state: '', state_long: '', county: '' });
    }
  });
});
