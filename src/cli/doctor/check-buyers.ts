/** Checks the terms of buyers (docs/specification.md#buyers-of-leads). */
import { localDay } from '../../model/rules/buyer-hours.ts';
import type { BuyerTerms } from '../../model/rules/buyer-terms.ts';
import type { Queryable } from '../../server/platform/database/database.ts';
import type { Settings } from '../../server/settings/settings.ts';

const EXTRA = 'EXTRA_DESTINATIONS';

/** Returns a finding for each buyer that gets no leads or pays nothing. */
export async function checkBuyers(
  client: Queryable,
  { destinations }: Pick<Settings, 'destinations'>,
  now = new Date(),
) {
  const names = destinations.map(({ definition }) => definition.name);
  const { rows } = await client.query<{ destination: string; terms: BuyerTerms }>(
    'select destination, terms from buyers order by destination',
  );
  const withTerms = rows.map(({ destination }) => destination);
  const finding = (
    destination: string,
    state: 'wrong' | 'unfinished',
    text: string,
    next: string,
  ) => ({
    about: `buyer ${destination}`,
    state,
    text,
    next,
  });
  return [
    ...names
      .filter((name) => name.includes('/') && !withTerms.includes(name))
      .map((name) =>
        finding(
          name,
          'unfinished',
          'it gets no leads: it has no terms',
          'add them in the console, page Buyers',
        ),
      ),
    ...rows.flatMap(({ destination, terms }) => {
      if (!names.includes(destination)) {
        const next = `add it to ${EXTRA}, or switch its terms off in the console`;
        return [
          finding(destination, 'wrong', 'it has terms, but there is no such destination', next),
        ];
      }
      const today = localDay(now, terms.timeZone);
      if (terms.prices.some(({ from }) => from <= today)) return [];
      const text = 'no price applies today: its leads count as sales only if its answers name one';
      return [finding(destination, 'unfinished', text, 'add a price in the console, page Buyers')];
    }),
  ];
}
