import type { SaleRules } from '../../src/server/delivery/index.ts';

/** The rules of states without changes by an operator. */
export const saleRules: SaleRules = {
  stateRules: { changes: {}, undecided: 'deliver' },
  timeZone: 'America/New_York',
};
