import { describe, expect, it } from 'vitest';
import { loadZipCheck } from './zip-and-text.ts';

const ask = await loadZipCheck();

describe('the embedded check of zip codes', () => {
  it.each([
    ['33101', 'Miami', 'FL', 'Florida', 'Miami-Dade'],
    ['00501', 'Holtsville', 'NY', 'New York', 'Suffolk'],
    ['20001', 'Washington', 'DC', 'District of Columbia', 'District of Columbia'],
  ])('%s is in %s, %s', (zip, city, state, state_long, county) => {
    expect(ask(zip)).toEqual({ zip, city, state, state_long, county });
  });

  it('reads names with non-ASCII letters', () => {
    expect(ask('87936')).toMatchObject({ city: 'Garfield', county: 'Doña Ana' });
  });

  it('accepts nine-digit zip codes', () => {
    expect(ask(' 33101-1234 ')).toMatchObject({ zip: '33101', city: 'Miami' });
  });

  it.each(['00000', '', 'abcde', '3310', '331011', "33101' or 1=1", '99999'])(
    'returns empty strings for %j',
    (zip) => {
      expect(ask(zip)).toEqual({ zip: '', city: '', state: '', state_long: '', county: '' });
    },
  );
});
