import * as v from 'valibot';
import type {
  ConnectedDestination,
  DestinationDefinition,
  PreparedSend,
  SendRequest,
} from '../../src/server/delivery/destinations/destination.ts';

/** Returns a send request for a destination, with the test's changes. */
export function sendRequest(changes: Partial<SendRequest> = {}): SendRequest {
  return {
    deliveryId: '0193aaaa-2222-7222-8222-222222222222',
    leadId: '01939999-1111-7111-8111-111111111111',
    isTest: false,
    fields: {},
    payloadVersion: 1,
    account: null,
    mappedAccount: undefined,
    event: null,
    ...changes,
  };
}

/** Returns the request that the destination would send. Throws if there is nothing to send. */
export function prepared(
  destination: Pick<ConnectedDestination, 'prepare'>,
  changes: Partial<SendRequest> = {},
): PreparedSend {
  const made = destination.prepare(sendRequest(changes));
  if (!('send' in made)) throw new Error(`Nothing to send: ${made.error}`);
  return made;
}

/** Returns the values of a destination's settings. Without an entry in `environment`: the default. */
export function valuesOf(
  { variables }: Pick<DestinationDefinition, 'variables'>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, { read, fallback }]) => {
      const given = environment[name] ?? fallback;
      return [name, given === undefined ? undefined : v.parse(read, given)];
    }),
  );
}
