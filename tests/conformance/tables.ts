/**
 * The tables of the brief, and of the decisions that fill its gaps, typed in by hand from its text. They
 * import nothing from the code: the tests beside this file compare the code with them.
 * An anchor such as #flows is a rule of docs/specification.md; quotations are the brief's own words.
 */

export * from './tables/constants.ts';
export * from './tables/one-to-one.ts';
export * from './tables/paths-and-ids.ts';
export * from './tables/scripts.ts';
export * from './tables/steps.ts';
export * from './tables/submit.ts';
export * from './tables/transitions.ts';
export * from './tables/ways.ts';
