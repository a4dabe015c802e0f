import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { cleanDatabaseError, isConnectionError, isSerializationError } from './database-error.ts';

function serverError(fields: Record<string, string>): Error {
  const error = new pg.DatabaseError(fields.message ?? 'failed', 1, 'error');
  return Object.assign(error, fields);
}

describe('cleanDatabaseError', () => {
  it('removes the visitor’s values from the error of a unique constraint', () => {
    const clean = cleanDatabaseError(
      serverError({
        code: '23505',
        severity: 'ERROR',
        message: 'duplicate key value violates unique constraint "leads_pkey"',
        detail: 'Key (email)=(jane@example.com) already exists.',
        table: 'leads',
        constraint: 'leads_pkey',
      }),
    );
    expect(clean.code).toBe('23505');
    expect(clean.message).toBe('duplicate key value violates unique constraint "leads_pkey"');
    expect(clean).not.toHaveProperty('detail');
  });

  it('removes visitors’ values from every field of an error', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 4 }).filter((value) => value.trim().length >= 4),
        fc.constantFrom('22P02', '22007', '22008', '42804'),
        (typed, code) => {
          const value = `canary${typed}`;
          const clean = cleanDatabaseError(
            serverError({
              code,
              message: `invalid input syntax for type uuid: "${value}"`,
              detail: `Failing row contains (${value}).`,
              where: `unnamed portal parameter $1 = '${value}'`,
              hint: value,
              internalQuery: value,
            }),
          );
          const seen = JSON.stringify([clean.message, clean.stack, { ...clean }]);
          expect(seen).not.toContain('canary');
        },
      ),
    );
  });
});

it.each([
  ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['a terminated backend', serverError({ code: '57P01' })],
  ['a connection exception', serverError({ code: '08006' })],
  ['a former primary', serverError({ code: '25006' })],
  ['a lost socket', new Error('Connection terminated unexpectedly')],
  ['a full pool', new Error('timeout exceeded when trying to connect')],
  [
    'a refusal by both IP addresses',
    new AggregateError([Object.assign(new Error(''), { code: 'ECONNREFUSED' })]),
  ],
])('isConnectionError recognises errors of lost connections', (_name, error) => {
  expect(isConnectionError(error)).toBe(true);
  expect(isSerializationError(error)).toBe(false);
});
