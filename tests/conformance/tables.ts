/**
 * The rules of the brief, and our decisions where the brief has gaps, typed by hand from the text. The tables
 * import nothing from `src/`. Quotations are the brief's own words.
 */

export * from './tables/constants.ts';
export * from './tables/one-to-one.ts';
export * from './tables/paths-and-ids.ts';
export * from './tables/scripts.ts';
export * from './tables/steps.ts';
export * from './tables/submit.ts';
export * from './tables/transitions.ts';
export * from './tables/ways.ts';
