/** Starts the operators' console in the server's process, on its own port. */
import { buildConsoleApp, type ConsoleAppOptions } from '../http/console/app.ts';
import type { ConsoleContext } from '../http/console/route.ts';
import { openSite } from '../http/site.ts';
import { makeStartLink, signInLink } from '../people/index.ts';
import { openDatabase } from '../platform/database/database.ts';
import type { OutgoingHttp } from '../platform/outgoing-http.ts';
import { thirdPartyProbes } from '../settings/probes.ts';
import type { Settings } from '../settings/settings.ts';
import { listen } from './listen.ts';

/** Few connections and short time-outs, so that operators do not slow down visitors on the same database. */
const CONNECTIONS = {
  poolMax: 4,
  applicationName: 'funnel-console',
  timeouts: { connection: 3_000, statement: 5_000, query: 8_000 },
};

export type RunningConsole = NonNullable<Awaited<ReturnType<typeof startConsole>>>;

/** Starts the console. Returns undefined if the console is off. @throws with one clear sentence if it cannot start */
export async function startConsole({
  connectionString,
  http,
  refused,
  ...parts
}: Pick<ConsoleContext, 'settings' | 'personKey' | 'log' | 'wake' | 'services'> & {
  readonly connectionString: string;
  readonly http: OutgoingHttp;
  readonly refused: ConsoleAppOptions['refused'];
}) {
  const { settings, log } = parts;
  if (settings.console === undefined) return undefined;
  const database = openDatabase({ ...CONNECTIONS, connectionString, log });
  const { pool } = database;
  const copyAddress = settings.operatorsDatabaseUrl;
  const copy = copyAddress
    ? openDatabase({ ...CONNECTIONS, connectionString: copyAddress, log })
    : database;
  const probes = thirdPartyProbes(settings, http);
  const destinations = connectDestinations(settings);
  // A separate process renders the surveys' screens, so that the console never delays a visitor's
  // page.
  const pages = settings.servesPages ? openSite(settings) : undefined;
  const app = await buildConsoleApp({
    refused,
    context: {
      ...parts,
      pool,
      copy,
      destinations,
      pages,
      testParty: async (name) => probes[name]?.(),
    },
  });
  const close = async () => {
    await app.close();
    pages?.close();
    await Promise.all([database.close(), copy.close()]);
  };
  try {
    const listening = await listen(app, settings.console, 'CONSOLE_');
    const url = settings.console.url ?? listening;
    return {
      /** The console's address for operators. */
      url,
      close,
      /** Returns a sign-in link for the first admin; undefined if that person's access was removed. */
      async makeStartLink() {
        const secret = await makeStartLink(pool);
        return secret === undefined ? undefined : signInLink(url, secret);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The client of destinations that only show what they would send. Only the delivery worker sends. */
const cannotSend: OutgoingHttp = {
  async request() {
    throw new Error('This part of the server sends nothing to destinations');
  },
  async close() {},
};

/** Returns the configured destinations. By default they cannot send. */
export function connectDestinations({ destinations }: Settings, http = cannotSend) {
  return destinations.flatMap(({ definition, values }) =>
    values ? [definition.connect(values, http)] : [],
  );
}
