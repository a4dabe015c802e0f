export { addEntries, CURRENCY, type NewEntry } from './ledger.ts';
