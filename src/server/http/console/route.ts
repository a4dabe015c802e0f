/** Declares the console's routes with role, schema and handler. */
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { PersonKey } from '../../../model/lead/person-key.ts';
import type { Role } from '../../../model/messages/console/people.ts';
import { MOST_IMPORT_LENGTH } from '../../../model/messages/console/people-requests.ts';
import type { ServiceState } from '../../checks/index.ts';
import type { ConnectedDestination, ProbeResult } from '../../delivery/destinations/index.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import type { Settings } from '../../settings/settings.ts';
import type { RequestOf, Route, Schemas } from '../add-route.ts';
import { perMinute } from '../limits.ts';

/** The values and functions that the console's routes need. */
export type ConsoleContext = {
  readonly pool: pg.Pool;
  /** The database for lists and exports, which may be a standby with slightly older data. */
  readonly copy: { readonly pool: pg.Pool };
  readonly personKey: PersonKey;
  readonly settings: Settings;
  /** The configured destinations. The console only builds payloads for them. */
  readonly destinations: readonly ConnectedDestination[];
  readonly log: Logger;
  /** Returns the state of each service that this process has called, by name. */
  readonly services: () => ReadonlyMap<string, ServiceState>;
  /** Makes one test call to a third party. Returns undefined if the name is unknown. */
  readonly testParty: (name: string) => Promise<ProbeResult | undefined>;
  /** Runs the jobs for deliveries and bulk plans now instead of at their next interval. */
  readonly wake: () => void;
};

type Limits = { readonly rateLimit?: object; readonly bodyLimit?: number };

/** A route of the console with the role that may call the route. */
export type ConsoleRoute = Route & { readonly config: { readonly role: Role | 'none' } };

/** Declares the routes of one area by method and path, such as `GET /api/leads`. */
export type Area = (context: ConsoleContext) => Readonly<Record<string, ConsoleRoute>>;

const routeFor =
  (role: Role | 'none', usual: Limits = {}) =>
  <const Takes extends Schemas>(
    schema: Takes,
    handle: (request: RequestOf<Takes>, reply: FastifyReply) => unknown,
    { rateLimit, ...limits }: Limits = usual,
  ): ConsoleRoute => {
    const config = { role, ...(rateLimit && { rateLimit }) };
    return { schema, handler: handle as RouteHandlerMethod, config, ...limits };
  };

/** Declares a route that needs no session. */
export const anyone = routeFor('none', { rateLimit: perMinute(20) });
/** Declares a route for viewers, operators and admins. */
export const viewer = routeFor('viewer');
export const operator = routeFor('operator');
export const admin = routeFor('admin');

/** The limits of a route that takes a file. Most characters take at most two bytes. */
export const ofFile: Limits = { bodyLimit: 2 * MOST_IMPORT_LENGTH };

/** Limits each person to `max` requests per minute. */
export function perPerson(max: number): Limits {
  const message = `This can be done ${max} times a minute: wait a moment.`;
  return {
    rateLimit: {
      ...perMinute(max),
      keyGenerator: (request: FastifyRequest) => request.operator.id,
      errorResponseBuilder: () => new OperatorError('too_many', message),
    },
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The lowest role that may use the route. `none` means that no session is needed. */
    role?: Role | 'none';
  }
  interface FastifyInstance {
    /** The console's public URL, if set. */
    consoleUrl: string | undefined;
  }
  interface FastifyRequest {
    /** The signed-in operator, set unless the route's role is `none`. */
    operator: { readonly id: string; readonly email: string; readonly role: Role };
    /** The session with which `operator` is signed in. */
    session: { readonly id: string; readonly endsAt: Date };
    /** Adds an entry to the audit log. If this throws, the caller must not act. */
    audit(
      action: string,
      subject: string,
      detail?: Readonly<Record<string, unknown>>,
      reason?: string,
    ): Promise<void>;
  }
}
