import type { TObject } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { Role } from '../../src/model/messages/console/people.ts';
import {
  buildConsoleApp,
  type ConsoleAppOptions,
  everyArea,
} from '../../src/server/http/console/app.ts';
import type { Area, ConsoleContext } from '../../src/server/http/console/route.ts';
import { invite } from '../../src/server/people/people.ts';
import { signInByLink } from '../../src/server/people/sign-in.ts';
import { parseSettings, type Settings } from '../../src/server/settings/settings.ts';
import { personKey } from './person-keys.ts';
import type { TestDatabase } from './postgres.ts';

/** The headers that the console's page sends with every request. */
export const ownHeaders = { host: 'localhost:3001', 'x-console': '1' } as const;

type OperatorHeaders = typeof ownHeaders & { readonly cookie?: string };

/** Returns the e-mail address of the operator with this role. */
export const emailOf = (role: Role) => `${role}@example.com`;

/** Signs in an operator with this role, and returns the session's secret. */
export async function sessionOf({ pool }: Pick<TestDatabase, 'pool'>, role: Role): Promise<string> {
  const { secret } = await invite(pool, { email: emailOf(role), role, actor: 'test' });
  return signInByLink(pool, secret, { userAgent: 'TestBrowser/1.0', formerSecret: undefined });
}

/** Returns the header with a session's cookie. */
export function cookieOf(secret: string): { cookie: string } {
  return { cookie: `console-session-3001=${secret}` };
}

/** A route of the console. */
export type ConsoleRoute = ReturnType<typeof routesOf>[number];

function routesOf(areas: readonly Area[], context: ConsoleContext) {
  return areas
    .flatMap((area) => Object.entries(area(context)))
    .flatMap(([address, { config, schema }]) => {
      const [method = '', url = ''] = address.split(' ');
      const { properties = {}, required = [] } = (schema?.querystring ?? {}) as Partial<TObject>;
      const route = { method, url, role: config?.role, query: { properties, required } };
      return method === 'GET' ? [route, { ...route, method: 'HEAD' }] : [route];
    });
}

export type TestConsole = Awaited<ReturnType<typeof consoleForTests>>;

/** Builds a console. Each request comes from an operator with this role. */
export async function consoleForTests(
  database: Pick<TestDatabase, 'pool'>,
  options: {
    /** The read-only copy of the database. Default: the primary database. */
    readonly copy?: Pick<TestDatabase, 'pool'>;
    readonly env?: NodeJS.ProcessEnv;
    readonly destinations?: ConsoleAppOptions['context']['destinations'];
    readonly areas?: ConsoleAppOptions['areas'];
    readonly distDir?: string;
    /** The array to which log lines are added. */
    readonly lines?: string[];
  } = {},
) {
  const { env = {}, copy = database, destinations = [], lines, ...others } = options;
  const settings: Settings = parseSettings({
    PORT: '3000',
    // The limit is high, because other tests in the same process use memory, too.
    MEMORY_CEILING_MB: '1000000',
    ...env,
  });
  const woken = { count: 0 };
  const log = lines
    ? pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
    : pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const context: ConsoleContext = {
    pool: database.pool,
    copy,
    personKey,
    settings,
    destinations,
    log,
    services: () => new Map(),
    testParty: async () => ({ state: 'works', text: 'answered' }),
    wake: () => {
      woken.count += 1;
    },
  };
  const app: FastifyInstance = await buildConsoleApp({ context, ...others });
  await app.ready();
  const sessions = new Map<Role, string>();
  const headersOf = async (role: Role | null): Promise<OperatorHeaders> => {
    if (role === null) return ownHeaders;
    const secret = sessions.get(role) ?? (await sessionOf(database, role));
    sessions.set(role, secret);
    return { ...ownHeaders, ...cookieOf(secret) };
  };
  return {
    app,
    routes: routesOf(everyArea, context),
    woken,
    headersOf,
    /** Forgets the operators' sessions, which are invalid after a test has emptied the tables. */
    forgetSessions: () => sessions.clear(),
    get: async (url: string, role: Role | null = 'admin') =>
      app.inject({ url, headers: await headersOf(role) }),
    post: async (url: string, body: object = {}, role: Role | null = 'admin') =>
      app.inject({ method: 'POST', url, payload: body, headers: await headersOf(role) }),
  };
}
