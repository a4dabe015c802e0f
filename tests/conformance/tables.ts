/**
 * The tables of the brief, and of what fills its gaps, typed in by hand from its text. Nothing here is
 * taken from the code, and nothing here imports it: the tests beside this file hold the code against
 * it.
 *
 * An anchor such as #variant-a is a rule of docs/specification.md; quotations are the brief's own
 * words.
 */

export * from './tables/constants.ts';
export * from './tables/one-to-one.ts';
export * from './tables/paths-and-ids.ts';
export * from './tables/scripts.ts';
export * from './tables/steps.ts';
export * from './tables/submit.ts';
export * from './tables/transitions.ts';
export * from './tables/ways.ts';
