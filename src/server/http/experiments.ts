/** Assigns visitors to variants of a survey's page, and remembers the assignment in a cookie. */
import { randomInt } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  assign,
  assignmentText,
  type Experiment,
  readAssignment,
  runningOn,
} from '../../model/flows/experiments.ts';
import { setSiteCookie, siteCookie } from '../platform/site-cookie.ts';

/** A first-party, HTTP-only cookie. */
const COOKIE = 'variants';
const DAYS = 90;

declare module 'fastify' {
  interface FastifyInstance {
    /** The configured experiments. */
    experiments?: readonly Experiment[];
  }
}

/** Returns the visitor's variants of the running experiments (`assignmentText`); '' if there are none. */
export function variantsOf(request: FastifyRequest): string {
  const running = (request.server.experiments ?? []).filter(({ surveys }) => surveys.length > 0);
  return assignmentText(readAssignment(siteCookie(request, COOKIE), running));
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
