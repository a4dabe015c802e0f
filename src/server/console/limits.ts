/** Limits of what one person may ask for: further requests get 429 with Retry-After. */
import type { FastifyRequest } from 'fastify';
import { OperatorError } from '../operators/operator-error.ts';
import { perMinute } from '../routes/route-options.ts';

/** Limits a route to this many requests per person and minute. */
export function perPerson(max: number) {
  return {
    ...perMinute(max),
    keyGenerator: (request: FastifyRequest) => request.operator.id,
    errorResponseBuilder: () =>
      new OperatorError('too_many', `This can be done ${max} times a minute: wait a moment.`),
  };
}

/** Gives each person a number of places, such as for exports that run. */
export function createPlaces(most: number, message: string) {
  const taken = new Map<string, number>();
  const change = (person: string, by: number) => {
    const now = (taken.get(person) ?? 0) + by;
    if (now > most) throw new OperatorError('too_many', message);
    if (now === 0) taken.delete(person);
    else taken.set(person, now);
  };
  return {
    /** Takes a place. @returns what gives it back, at the first call @throws OperatorError when all are taken */
    take(person: string): () => void {
      change(person, 1);
      let isHeld = true;
      return () => {
        if (isHeld) change(person, -1);
        isHeld = false;
      };
    },
  };
}
