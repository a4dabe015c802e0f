/** Checks the terms of buyers (docs/specification.md#buyers-of-leads). */
import { localDay } from '../../model/rules/buyer-hours.ts';
import type { BuyerTerms } from '../../model/rules/buyer-terms.ts';
import type { Queryable } from '../../server/platform/database/database.ts';
import type { Settings } from '../../server/settings/settings.ts';

/** Returns a finding for each buyer that gets no leads, gets those of others, or pays nothing. */
export async function checkBuyers(
  client: Queryable,
  { destinations }: Pick<Settings, 'destinations'>,
  now = new Date(),
) {
  const { rows } = await client.query<{ destination: string; terms: BuyerTerms }>(
    'select destination, terms from buyers order by destination',
  );
  const known = new Map(destinations.map(({ definition, values }) => [definition.name, values]));
  const buyers = new Map(rows.map(({ destination, terms }) => [destination, terms]));
  const addTerms = 'add its terms in the console, page Buyers';
  return [...new Set([...known.keys(), ...buyers.keys()])].flatMap((name) => {
    const finding = (state: 'wrong' | 'unfinished', text: string, next: string) => [
      { about: `buyer ${name}`, state, text, next },
    ];
    const terms = buyers.get(name);
    if (terms === undefined && name.includes('/')) {
      return finding('unfinished', 'it gets no leads: it has no terms', addTerms);
    }
    if (terms === undefined) {
      // Without settings, it gets none.
      const isBeside =
        known.get(name) && rows.some((row) => row.destination.startsWith(`${name}/`));
      const text =
        'it has no terms, so it gets every lead, and buyers with terms get none of these leads';
      return isBeside ? finding('wrong', text, addTerms) : [];
    }
    if (!known.has(name)) {
      const next = 'add it to EXTRA_DESTINATIONS, or switch its terms off in the console';
      return finding('wrong', 'it has terms, but there is no such destination', next);
    }
    if (terms.prices.some(({ from }) => from <= localDay(now, terms.timeZone))) return [];
    const text = 'no price applies today: its leads count as sales only if its answers name one';
    return finding('unfinished', text, 'add a price in the console, page Buyers');
  });
}
