import type pg from 'pg';
import type { BuyerTerms } from '../../src/model/rules/buyer-terms.ts';
import { saveBuyer } from '../../src/server/delivery/index.ts';

/** Terms that take every lead for $100. */
export const usualTerms: BuyerTerms = {
  name: 'Smith & Jones',
  isOn: true,
  priority: 1,
  weight: 1,
  sharedBy: 1,
  states: [],
  timeZone: 'America/Chicago',
  hours: [],
  caps: [],
  prices: [{ from: '2020-01-01', amount: 100, owedAt: 'delivery' }],
  returns: { days: 14, mostPercent: 10, reasons: [] },
};

/** Stores a buyer with the usual terms, except `changes`. */
export const setBuyer = (
  client: Pick<pg.Pool, 'query'>,
  destination: string,
  changes: Partial<BuyerTerms> = {},
) => saveBuyer(client, destination, { ...usualTerms, ...changes }, 'ops@example.com');
