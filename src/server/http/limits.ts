/** Limits on requests per IP address and minute, and on server load. */
import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestCounts } from '../platform/database/request-counts.ts';

/** Limits requests per IP address and minute. */
export function perMinute(max: number, counted?: string) {
  return { max, timeWindow: 60_000, counted };
}

/** Number of checks per minute of a visit that do not count for the limit of the IP address. */
const FIRST_CHECKS = 20;
/** The limit of all checks from one IP address, as a multiple of the usual limit `max`. */
const ADDRESS_SHARE = 20;

/** Limits checks per IP address and minute, except the first checks of each visit. */
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

/** Counts a request. Returns false if the request exceeds the limit. */
export async function isWithin(
  count: ReturnType<FastifyInstance['createRateLimit']>,
  request: FastifyRequest,
): Promise<boolean> {
  const counted = await count(request);
  return counted.isAllowed || !counted.isExceeded;
}

/** The options that `@fastify/rate-limit` passes to a store. */
type StoreOptions = {
  readonly counted?: string;
  readonly routeInfo?: { readonly method?: string | string[]; readonly url?: string };
};

/** Returns a store for `@fastify/rate-limit` that counts requests across all processes. */
export function rateLimitStore(counts: RequestCounts) {
  return class RateLimitStore {
    readonly counted: string;

    constructor(options: object) {
      const { counted, routeInfo } = options as StoreOptions;
      this.counted = counted ?? `${routeInfo?.method} ${routeInfo?.url}`;
    }

    incr: FastifyRateLimitStore['incr'] = async (key, done, _timeWindow, max) => {
      const { isWithin, endsInMs } = await counts.take(`${this.counted} ${key}`, max);
      // The plugin refuses a request if `current` is above `max`, so `max + 1` causes a refusal.
      done(null, { current: isWithin ? max : max + 1, ttl: endsInMs });
    };

    child(options: object) {
      return new RateLimitStore(options);
    }
  };
}

/** The server answers 503 to API calls while the event loop's delay exceeds this limit. */
export const loadLimit = { maxEventLoopDelay: 2_000, sampleInterval: 5_000 };
