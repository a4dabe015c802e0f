import type pg from 'pg';
import { createPersonKey } from '../../src/model/lead/person-key.ts';

export const testPersonSecret = 'the-secret-of-the-tests-of-32-or-more';
export const personKey = createPersonKey(testPersonSecret);

/** Who suppresses persons in tests. */
export const noted = { actor: 'tester', source: 'operator' } as const;

/** Returns a database with the hash function that all tests share, and without event listeners. */
export const people = (pool: pg.Pool) => ({
  pool,
  personKey,
  settings: { destinations: [], operatorsTimeZone: 'UTC' },
});
