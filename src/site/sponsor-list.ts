import type { Sponsor } from '../../content/sponsors.ts';
import type { Buyer } from '../domain/buyer-choice.ts';
import { fallbackExcludedStates } from '../domain/buyers.ts';
import { limitationTable } from '../domain/limitation.ts';
import type { Survey } from '../flows/surveys.ts';

const allStates: readonly string[] = limitationTable
  .toSorted((a, b) => a.name.localeCompare(b.name))
  .map(({ code }) => code);
const fallbackStates = allStates.filter((code) => !fallbackExcludedStates.includes(code));

/**
 * Returns every firm that takes part, once, with its states: the sponsors of `content/sponsors.ts`, then the buyers
 * that surveys name (in every state), then the fallback buyers (where they may stand in,
 * docs/specification.md#buyers). A firm that stands in two of these is taken from the first.
 */
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
  const byName = new Map<string, Sponsor>();
  for (const sponsor of all) if (!byName.has(sponsor.name)) byName.set(sponsor.name, sponsor);
  return [...byName.values()];
}

/** Returns the states of a firm in the order of their English names; undefined: every state. */
export function statesOf({ states }: Pick<Sponsor, 'states'>): readonly string[] | undefined {
  if (states === 'all') return undefined;
  const listed = allStates.filter((code) => states.includes(code));
  return listed.length === allStates.length ? undefined : listed;
}

/** Tells whether a firm has a name that comes with the project until an operator gives a real one. */
export function isPlaceholder({ name }: Pick<Sponsor, 'name'>): boolean {
  return /^Partner Law Firm \w$/.test(name);
}
