/** The limits that routes share: requests per address and minute, and load. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestCounts } from '../platform/database/request-counts.ts';

/** Limits a route to this many requests per address and minute; further ones get 429. */
export function perMinute(max: number) {
  return { max, timeWindow: 60_000 };
}

/**
 * Limits calls that share a route with others, per address and minute.
 * @param counted the name under which all processes count them
 */
export function perMinuteOf(counted: string, max: number) {
  return { ...perMinute(max), counted };
}

/** This many checks of a visit in a minute do not count for its address. */
const FIRST_CHECKS = 20;
/** An address may make this many times its limit together with its visits' checks. */
const ADDRESS_SHARE = 20;

/**
 * Limits checks per address and minute. A visit's first checks count for the visit instead, so that its neighbours
 * behind the same address cannot use up its share.
 *
 * @param visitOf returns a name of the request's visit; undefined: its checks count for the address
 */
export function checkLimit(
  app: FastifyInstance,
  max: number,
  visitOf: (request: FastifyRequest) => string | undefined,
) {
  const countOfVisit = app.createRateLimit({
    ...perMinuteOf('look-ups of a visit', FIRST_CHECKS),
    keyGenerator: (request) => visitOf(request) ?? '',
  });
  const countOfVisits = app.createRateLimit(perMinuteOf('look-ups of visits', max * ADDRESS_SHARE));
  const isWithin = async (count: typeof countOfVisit, request: FastifyRequest) => {
    const counted = await count(request);
    return counted.isAllowed || !counted.isExceeded;
  };
  return {
    ...perMinute(max),
    allowList: async (request: FastifyRequest) =>
      visitOf(request) !== undefined &&
      (await isWithin(countOfVisit, request)) &&
      (await isWithin(countOfVisits, request)),
  };
}

/** What the plugin passes on, whatever its types say. */
type StoreOptions = {
  readonly counted?: string;
  readonly routeInfo?: { readonly method?: string | string[]; readonly url?: string };
};

/** Returns the store of `@fastify/rate-limit`, which counts each route's minute in all processes. */
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
        // The plugin refuses a count above `max`.
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
 * Above this mean delay of the event loop, posts get 503 with Retry-After; the browser's queue sends them again. It is
 * measured over five seconds: in one second, a single pause of the process (its own start) would be an overload.
 */
export const loadLimit = { maxEventLoopDelay: 2_000, sampleInterval: 5_000 };
