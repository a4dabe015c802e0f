/** Limits that several routes use: requests per address and minute, and server load. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestCounts } from '../platform/database/request-counts.ts';

/**
 * Limits requests per address and minute; further ones get 429.
 * @param counted the name under which all processes count these requests. Default: the route's.
 */
export function perMinute(max: number, counted?: string) {
  return { max, timeWindow: 60_000, counted };
}

/** This many checks of a visit per minute do not count for its address. */
const FIRST_CHECKS = 20;
/** The uncounted checks of all visits of an address are limited to its own limit times this. */
const ADDRESS_SHARE = 20;

/**
 * Limits checks per address and minute. A visit's first checks count for the visit instead, so that other visitors
 * behind the same address cannot use up its share.
 *
 * @param visitOf returns a key of the request's visit, or undefined to count the request for the address
 */
export function checkLimit(
  app: FastifyInstance,
  max: number,
  visitOf: (request: FastifyRequest) => string | undefined,
) {
  const countOfVisit = app.createRateLimit({
    ...perMinute(FIRST_CHECKS, 'checks of a visit'),
    keyGenerator: (request) => visitOf(request) ?? '',
  });
  const countOfVisits = app.createRateLimit(perMinute(max * ADDRESS_SHARE, 'checks of visits'));
  return {
    ...perMinute(max),
    allowList: async (request: FastifyRequest) =>
      visitOf(request) !== undefined &&
      (await isWithin(countOfVisit, request)) &&
      (await isWithin(countOfVisits, request)),
  };
}

/** Counts a request. Returns false if it exceeds the limit. */
export async function isWithin(
  count: ReturnType<FastifyInstance['createRateLimit']>,
  request: FastifyRequest,
): Promise<boolean> {
  const counted = await count(request);
  return counted.isAllowed || !counted.isExceeded;
}

/** The options that the plugin passes to a store. Its own types lack them. */
type StoreOptions = {
  readonly counted?: string;
  readonly routeInfo?: { readonly method?: string | string[]; readonly url?: string };
};

/** Returns a store for `@fastify/rate-limit` that counts the requests of each route across all processes. */
export function rateLimitStore(counts: RequestCounts) {
  return class RateLimitStore {
    readonly counted: string;

    constructor(options: object) {
      const { counted, routeInfo } = options as StoreOptions;
      this.counted = counted ?? `${routeInfo?.method} ${routeInfo?.url}`;
    }

    incr(
      key: string,
      done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      _timeWindow?: number,
      max = Number.POSITIVE_INFINITY,
    ): void {
      void counts
        .take(`${this.counted} ${key}`, max)
        // The plugin refuses a request if `current` is above `max`.
        .then(({ isWithin, endsInMs }) =>
          done(null, { current: isWithin ? max : max + 1, ttl: endsInMs }),
        );
    }

    child(options: object) {
      return new RateLimitStore(options);
    }
  };
}

/**
 * Above this mean delay of the event loop, posts get 503 with Retry-After, and the browser's queue retries them. The
 * mean is over five seconds, so that one pause of the process, such as its start, does not count as overload.
 */
export const loadLimit = { maxEventLoopDelay: 2_000, sampleInterval: 5_000 };
