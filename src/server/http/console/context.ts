/** What the console's routes are given, and how a route says who may use it. */
import type { Static, TSchema } from '@sinclair/typebox';
import type {
  FastifyPluginAsync,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { PersonKey } from '../../../model/lead/person-key.ts';
import type { Role } from '../../../model/messages/console/people.ts';
import type { ServiceState } from '../../checks/index.ts';
import type { ConnectedDestination, ProbeResult } from '../../delivery/destinations/index.ts';
import type { Settings } from '../../settings/settings.ts';

/** The parts of the server that the console uses. */
export type ConsoleContext = {
  readonly pool: pg.Pool;
  /**
   * A copy of the database, perhaps a standby that lags: for lists, numbers and exports. What shows an operator's own
   * change reads `pool`.
   */
  readonly copy: { readonly pool: pg.Pool };
  readonly personKey: PersonKey;
  readonly settings: Settings;
  /** The configured destinations. They build payloads but cannot send. */
  readonly destinations: readonly ConnectedDestination[];
  readonly log: Logger;
  readonly system: SystemParts;
  /** Renders the site's pages, for the screens of the surveys. Undefined: this process serves no pages. */
  readonly pages?: ScreenPages | undefined;
  /** Wakes the delivery worker after a change that made deliveries due. */
  wake(): void;
  /** Adds an entry to the audit log. Throws if it cannot be stored: then nothing else may happen. */
  audit(request: FastifyRequest, entry: NewAuditEntry): Promise<void>;
};

/** What the running process knows about itself and the third parties. */
export type SystemParts = {
  /** The version of the rules that decide now. */
  readonly rulesVersion: string;
  /** Returns the look-up services that this process has called, by name. */
  services(): ReadonlyMap<string, ServiceState>;
  /** Makes one test call. Returns undefined for an unknown name. */
  testParty(name: string): Promise<ProbeResult | undefined>;
};

/** Renders pages of the site. */
export type ScreenPages = {
  render(url: string): Promise<{ readonly status: number; readonly identity: Buffer }>;
  /** Absolute path of the folder with the site's files. */
  readonly clientDir: string;
};

export type NewAuditEntry = {
  /** A verb phrase such as `lead.opened`. */
  readonly action: string;
  readonly subject: string;
  readonly reason?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** Gives handlers the types of their schemas. */
interface SchemaTypes extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
}

/** One area's routes. Every route needs `config: { role }`; one without it stops the start. */
export type ConsoleRoutes = FastifyPluginAsync<
  { readonly context: ConsoleContext },
  RawServerDefault,
  SchemaTypes
>;
/** Adds routes to an area. */
export type ConsoleArea = Parameters<ConsoleRoutes>[0];

/** Returns the options of a route: who may use it, the schemas of what it takes, and its limits. */
const routeOf =
  (role: Role) =>
  <Schema extends FastifySchema>(
    schema: Schema = {} as Schema,
    limits: { readonly rateLimit?: object } = {},
  ) => ({ config: { role, ...limits }, schema });

/** A route for everybody who is signed in, for operators, or for admins. */
export const viewer = routeOf('viewer');
export const operator = routeOf('operator');
export const admin = routeOf('admin');

/** The signed-in operator of a request. */
export type RequestOperator = { readonly id: string; readonly email: string; readonly role: Role };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The least role that may use the route; `none`: no session is needed. */
    role?: Role | 'none';
  }
  interface FastifyRequest {
    /** Set before any handler of a route whose role is not `none`. */
    operator: RequestOperator;
  }
}
