export * from './costs.ts';
export * from './import-costs.ts';
export * from './ledger.ts';
export * from './outcomes.ts';
export * from './returns.ts';
export * from './statements.ts';
