import type { Sponsor } from '../../content/sponsors.ts';
import type { Buyer } from '../domain/buyer-choice.ts';
import { fallbackExcludedStates } from '../domain/buyers.ts';
import { limitationTable } from '../domain/limitation.ts';
import type { Survey } from '../flows/surveys.ts';

/** A state with the names of those who may get leads from it. */
export type StateSponsors = {
  readonly code: string;
  readonly name: string;
  readonly sponsors: readonly Sponsor[];
};

/**
 * Who takes part, by state: the sponsors of `content/sponsors.ts`, the buyers that surveys name (everywhere),
 * and the fallback buyers (where they may stand in, docs/specification.md#buyers). Somebody who stands in
 * the first list is taken from there alone.
 */
export function sponsorsByState(
  sponsors: readonly Sponsor[],
  surveys: readonly Pick<Survey, 'buyers'>[],
  fallbackBuyers: readonly Buyer[],
): readonly StateSponsors[] {
  const named = new Set(sponsors.map(({ name }) => name));
  const fixed = surveys.flatMap(({ buyers }) => (buyers && buyers !== 'fetched' ? buyers : []));
  const others = (buyers: readonly Buyer[]): Sponsor[] =>
    [...new Set(buyers.map(({ name }) => name))]
      .filter((name) => !named.has(name))
      .map((name) => ({ name, office: '', states: 'all' }));
  return limitationTable
    .map(({ code, name }) => ({
      code,
      name,
      sponsors: [
        ...sponsors.filter(({ states }) => states === 'all' || states.includes(code)),
        ...others(fallbackExcludedStates.includes(code) ? fixed : [...fixed, ...fallbackBuyers]),
      ],
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** States with the very same sponsors, together: most have. */
export function grouped(
  states: readonly StateSponsors[],
): readonly { readonly states: readonly StateSponsors[]; readonly sponsors: readonly Sponsor[] }[] {
  const groups = new Map<string, StateSponsors[]>();
  for (const state of states) {
    const key = JSON.stringify(state.sponsors);
    groups.set(key, [...(groups.get(key) ?? []), state]);
  }
  return [...groups.values()].map((group) => ({
    states: group,
    sponsors: group[0]?.sponsors ?? [],
  }));
}

/** The names that come with the project until an operator gives real ones. */
export function isPlaceholder({ name }: Pick<Sponsor, 'name'>): boolean {
  return /^Partner Law Firm \w$/.test(name);
}
