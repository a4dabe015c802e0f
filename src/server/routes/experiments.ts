/** Assigns visitors to variants of a survey's page, and remembers the assignment in a cookie. */
import { randomInt } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  assign,
  assignmentText,
  type Experiment,
  readAssignment,
  runningOn,
} from '../../flows/experiments.ts';
import { setSiteCookie, siteCookie } from './site-cookie.ts';

/** A first-party, HTTP-only cookie. */
const COOKIE = 'variants';
const DAYS = 90;
const LONGEST = 400;

/** Returns the value of the visitor's cookie, or '' if it is missing or invalid. */
export function variantsOf(request: FastifyRequest): string {
  const value = siteCookie(request, COOKIE);
  return value.length <= LONGEST && /^[\w.~-]+$/.test(value) ? value : '';
}

/**
 * Returns the variants that this visitor sees on a survey's page, or '' if no experiment runs there. Sets a
 * cookie if the assignment is new.
 */
export function decideVariants(
  path: string,
  experiments: readonly Experiment[],
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  if (runningOn(path, experiments).length === 0) return '';
  const cookie = variantsOf(request);
  const had = readAssignment(cookie, experiments);
  const seen = assign(path, had, experiments, () => randomInt(2 ** 32) / 2 ** 32);
  const kept = assignmentText({ ...had, ...seen });
  if (kept !== cookie) {
    setSiteCookie(request, reply, { name: COOKIE, value: kept, maxAgeSeconds: DAYS * 86_400 });
  }
  return assignmentText(seen);
}
