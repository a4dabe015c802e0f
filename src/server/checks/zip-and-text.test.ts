import { describe, expect, it } from 'vitest';
import { loadZipTable } from './zip-and-text.ts';

const { checkZip: ask, zipZone: zoneOf } = await loadZipTable();

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

describe('the time zone of a zip code', () => {
  it.each([
    ['80202', 'America/Denver', false],
    ['60601', 'America/Chicago', false],
    ['96813', 'Pacific/Honolulu', false],
    ['85004', 'America/Phoenix', false],
    // The zones of San Diego and Tijuana have the same times.
    ['92154', 'America/Los_Angeles', false],
    // The map wrongly has Mountain time for this town in Kansas, close to the border.
    ['67880', 'America/Denver', true],
  ])('%s is in %s', (zip, timeZone, isNearBorder) => {
    expect(zoneOf(zip)).toEqual({ timeZone, isNearBorder });
  });

  it('is found for every zip code of the table, and for no other', () => {
    const zips = Array.from({ length: 100_000 }, (_, zip) => String(zip).padStart(5, '0'));
    const known = zips.filter((zip) => ask(zip).zip !== '');
    expect(known.length).toBeGreaterThan(40_000);
    expect(zips.filter((zip) => zoneOf(zip) !== undefined)).toEqual(known);
  });
});
