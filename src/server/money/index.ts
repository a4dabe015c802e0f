export { type Charging, chargeVisits, readRates, saveRate } from './costs.ts';
export { addEntries, CURRENCY, type NewEntry } from './ledger.ts';
