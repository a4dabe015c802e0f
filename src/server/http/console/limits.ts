/** Limits of what one person may ask for: further requests get 429 with Retry-After. */
import type { FastifyRequest } from 'fastify';
import { OperatorError } from '../../platform/operator-error.ts';
import { perMinute } from '../route-options.ts';

/** Limits a route to this many requests per person and minute. */
export function perPerson(max: number) {
  const message = `This can be done ${max} times a minute: wait a moment.`;
  return {
    rateLimit: {
      ...perMinute(max),
      keyGenerator: (request: FastifyRequest) => request.operator.id,
      errorResponseBuilder: () => new OperatorError('too_many', message),
    },
  };
}

/**
 * Gives each person a number of places, such as for exports that run.
 * @returns what takes a place and returns what gives it back. It throws an OperatorError when all are taken.
 */
export function createPlaces(most: number, message: string): (person: string) => () => void {
  const taken = new Map<string, number>();
  const change = (person: string, by: number) => taken.set(person, (taken.get(person) ?? 0) + by);
  return (person) => {
    if ((taken.get(person) ?? 0) >= most) throw new OperatorError('too_many', message);
    change(person, 1);
    return () => change(person, -1);
  };
}
