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
  const names = destinations.map(({ definition }) => definition.name);
  const { rows: buyers } = await client.query<{ destination: string; terms: BuyerTerms }>(
    'select destination, terms from buyers order by destination',
  );
  const withTerms = buyers.map(({ destination }) => destination);
  const priceless = buyers.filter(({ terms: { prices, timeZone } }) =>
    prices.every(({ from }) => from > localDay(now, timeZone)),
  );
  const findings = (of: string[], state: 'wrong' | 'unfinished', text: string, next: string) =>
    of.map((name) => ({ about: `buyer ${name}`, state, text, next }));
  return [
    ...findings(
      names.filter((name) => name.includes('/') && !withTerms.includes(name)),
      'unfinished',
      'it gets no leads: it has no terms',
      'add them in the console, page Buyers',
    ),
    ...findings(
      // Without settings, it gets none.
      destinations.flatMap(({ definition: { name }, values }) =>
        values && !withTerms.includes(name) && withTerms.some((each) => each.startsWith(`${name}/`))
          ? [name]
          : [],
      ),
      'wrong',
      'it has no terms, so it gets every lead, also those that another buyer has alone',
      'add its terms in the console, page Buyers',
    ),
    ...findings(
      withTerms.filter((name) => !names.includes(name)),
      'wrong',
      'it has terms, but there is no such destination',
      'add it to EXTRA_DESTINATIONS, or switch its terms off in the console',
    ),
    ...findings(
      priceless.map(({ destination }) => destination).filter((name) => names.includes(name)),
      'unfinished',
      'no price applies today: its leads count as sales only if its answers name one',
      'add a price in the console, page Buyers',
    ),
  ];
}
