export { type Charging, chargeVisits, readRates, saveRate } from './costs.ts';
export { type CostImportOptions, importCosts } from './import-costs.ts';
export { adjust } from './ledger.ts';
export {
  importOutcomes,
  type NewOutcome,
  readOutcome,
  startOutcomes,
  type TakenOutcomes,
  takeOutcomes,
} from './outcomes.ts';
export { decideReturn, listOutcomes } from './returns.ts';
export {
  addStatement,
  decideDifferences,
  listStatements,
  readDifferences,
  SHOWN,
} from './statements.ts';
