/** Which variant of a survey's page a visitor gets: decided before the page is sent, and remembered. */
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

/** First-party, and out of every script's reach: no page needs to know it. */
const COOKIE = 'variants';
const DAYS = 90;
const LONGEST = 400;

/** What the browser's cookie says, as it is kept; '' without one, or of what is none of ours. */
export function variantsOf(request: FastifyRequest): string {
  const value = siteCookie(request, COOKIE);
  return value.length <= LONGEST && /^[\w.~-]+$/.test(value) ? value : '';
}

/**
 * The variants that this visitor sees on a survey's page; '' where no experiment runs. Whoever is new to one
 * gets a cookie.
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
