/** Starts the operators' console in the server's process, on a separate port. */
import { buildConsoleApp, type ConsoleAppOptions } from '../http/console/app.ts';
import type { ConsoleContext } from '../http/console/route.ts';
import { makeStartLink, signInLink } from '../people/index.ts';
import { openDatabase } from '../platform/database/database.ts';
import type { OutgoingHttp } from '../platform/outgoing-http.ts';
import { thirdPartyProbes } from '../settings/probes.ts';
import type { Settings } from '../settings/settings.ts';
import { listen } from './listen.ts';

/** Limits the console's use of the database, so that operators do not slow down visitors. */
const CONNECTIONS = {
  poolMax: 4,
  applicationName: 'funnel-console',
  timeouts: { connection: 3_000, statement: 5_000, query: 8_000 },
};

/** Starts the console. Returns undefined if the console is off. */
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
  await using cleanUp = new AsyncDisposableStack();
  const open = (address: string) => {
    const database = openDatabase({ ...CONNECTIONS, connectionString: address, log });
    cleanUp.defer(() => database.close());
    return database;
  };
  const { pool } = open(connectionString);
  const copyAddress = settings.operatorsDatabaseUrl;
  const probes = thirdPartyProbes(settings, http);
  const app = await buildConsoleApp({
    refused,
    context: {
      ...parts,
      pool,
      copy: copyAddress ? open(copyAddress) : { pool },
      destinations: connectDestinations(settings, http),
      testParty: async (name) => probes[name]?.(),
    },
  });
  cleanUp.defer(() => app.close());
  const listening = await listen(app, settings.console, 'CONSOLE_');
  const url = settings.console.url ?? listening;
  const stops = cleanUp.move();
  return {
    /** The console's address in the operators' browsers. */
    url,
    close: () => stops.disposeAsync(),
    /** Returns a sign-in link for the first admin; undefined if that admin's access was revoked. */
    async makeStartLink() {
      const secret = await makeStartLink(pool);
      return secret === undefined ? undefined : signInLink(url, secret);
    },
  };
}

/** Returns the configured destinations. */
export function connectDestinations({ destinations }: Settings, http: OutgoingHttp) {
  return destinations.flatMap(({ definition, values }) =>
    values ? [definition.connect(values, http)] : [],
  );
}
