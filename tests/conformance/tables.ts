/**
 * The tables of the two specification documents, and of the readings where the documents leave a
 * value open, typed in by hand from their text. Nothing here is taken from the code, and nothing here
 * imports it: the tests beside this file hold the code against it.
 *
 * D1 and D2 are the documents with their section, R the readings.
 */

export * from './tables/constants.ts';
export * from './tables/one-to-one.ts';
export * from './tables/paths-and-ids.ts';
export * from './tables/scripts.ts';
export * from './tables/steps.ts';
export * from './tables/submit.ts';
export * from './tables/transitions.ts';
export * from './tables/ways.ts';
