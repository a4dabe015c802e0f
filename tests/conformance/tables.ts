/**
 * The rules of the brief, copied by hand. The tables import nothing from `src/`, because the tables
 * must find mistakes in `src/`.
 */

export * from './tables/constants.ts';
export * from './tables/one-to-one.ts';
export * from './tables/paths-and-ids.ts';
export * from './tables/scripts.ts';
export * from './tables/steps.ts';
export * from './tables/submit.ts';
export * from './tables/transitions.ts';
export * from './tables/ways.ts';
