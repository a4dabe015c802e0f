import { sponsors as ownSponsors, type Sponsor } from '../../../content/sponsors.ts';
import type { Survey } from '../../model/flows/surveys.ts';
import type { PageLocals } from '../../model/messages/site-settings.ts';
import barAssociations from '../../model/rules/bar-associations.json' with { type: 'json' };
import type { Buyer } from '../../model/rules/buyer-choice.ts';
import { fallbackExcludedStates } from '../../model/rules/buyers.ts';
import { limitationTable } from '../../model/rules/limitation.ts';

const allStates: readonly string[] = limitationTable
  .toSorted((a, b) => a.name.localeCompare(b.name))
  .map(({ code }) => code);
/** The largest number of firms that one authorization names. */
const MOST_AUTHORIZED = 5;
const fallbackStates = allStates.filter((code) => !fallbackExcludedStates.includes(code));

/** Returns every law firm that the site names, without duplicates, with its US states. */
export function listedSponsors(
  sponsors: readonly Sponsor[],
  surveys: readonly Pick<Survey, 'buyers'>[],
  fallbackBuyers: readonly Buyer[],
): readonly Sponsor[] {
  const fixed = surveys.flatMap(({ buyers }) => (buyers && buyers !== 'fetched' ? buyers : []));
  const all: readonly Sponsor[] = [
    ...sponsors,
    ...fixed.map(({ name }) => ({ name, office: '', states: 'all' as const })),
    ...fallbackBuyers.map(({ name }) => ({ name, office: '', states: fallbackStates })),
  ];
  const names = all.map(({ name }) => name);
  return all.filter(({ name }, index) => names.indexOf(name) === index);
}

/** Returns the firms that the page lists. A live site omits firms with a placeholder name. */
export function shownSponsors({
  surveys,
  fallbackBuyers,
  showsExamples,
}: PageLocals): readonly Sponsor[] {
  const listed = listedSponsors(ownSponsors, surveys, fallbackBuyers);
  return showsExamples ? listed : listed.filter((sponsor) => !hasPlaceholderName(sponsor));
}

/** Returns the firms that visitors in Washington authorize. `given` are the setting's firms. */
export function washingtonFirms(
  given: readonly string[] = [],
  sponsors: readonly Sponsor[] = ownSponsors,
): readonly string[] {
  if (given.length > 0) return given;
  return sponsors
    .filter(({ states }) => states === 'all' || states.includes('WA'))
    .map(({ name, office, website }) => [name, office, website].filter(Boolean).join(', '))
    .slice(0, MOST_AUTHORIZED);
}

/** Returns a firm's US states, sorted by English name. Undefined means every US state. */
export function statesOf({ states }: Pick<Sponsor, 'states'>): readonly string[] | undefined {
  if (states === 'all') return undefined;
  const listed = allStates.filter((code) => states.includes(code));
  return listed.length === allStates.length ? undefined : listed;
}

/** Returns the bar of the state in which a firm has its office, with the firm's record if known. */
export function barOf({ office, barRecord }: Pick<Sponsor, 'office' | 'barRecord'>) {
  const named = office.split(',').at(-1)?.trim();
  const state = limitationTable.find(({ code, name }) => code === named || name === named)?.code;
  const url = barRecord ?? Object.entries(barAssociations).find(([code]) => code === state)?.[1];
  return url === undefined ? undefined : { url, state: state ?? '' };
}

/** Returns true if a firm has a placeholder name that the operator must replace. */
export function hasPlaceholderName({ name }: Pick<Sponsor, 'name'>): boolean {
  return /^Partner Law Firm \w$/.test(name);
}
