/** The HTTP client for all outgoing calls. */
import type { LookupAddress } from 'node:dns';
import { lookup as dnsLookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';
import type { Agent } from 'undici';

/** After this many bytes of an answer, the client closes the connection. */
export const MAX_ANSWER_BYTES = 64 * 1024;
/** Identifies us to vendors. Some firewalls refuse calls without a user agent. */
export const USER_AGENT = 'injury-claim-funnel/1 (server)';
const MAX_CONNECTIONS_PER_HOST = 64;
/** Maximum time for connecting. */
const CONNECT_TIMEOUT_MS = 10_000;

export type OutgoingRequest = {
  method: 'GET' | 'POST' | 'PATCH';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Maximum time of the whole call, including the answer's body. */
  timeoutMs: number;
  /** Aborts the request, which then fails with `aborted`. */
  signal?: AbortSignal;
};

export type OutgoingAnswer = {
  status: number;
  /** Names are in lower case. */
  headers: Record<string, string>;
  /** The first MAX_ANSWER_BYTES of the body, as UTF-8. */
  text: string;
  truncated: boolean;
  durationMs: number;
};

type OutgoingFailure =
  | 'private_address'
  | 'no_connection'
  | 'connection_lost'
  | 'timeout'
  | 'aborted'
  | 'invalid_address';

/** Thrown if a call got no complete answer. The message has no path, query or body. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly failure: OutgoingFailure;
  /** False if certainly no byte of the request was sent. */
  readonly mayHaveArrived: boolean;
  readonly durationMs: number;

  constructor(
    message: string,
    facts: Pick<OutgoingError, 'failure' | 'mayHaveArrived' | 'durationMs'>,
  ) {
    super(message);
    this.failure = facts.failure;
    this.mayHaveArrived = facts.mayHaveArrived;
    this.durationMs = facts.durationMs;
  }
}

export type OutgoingHttp = {
  /** Makes a call and returns the answer, with any status. @throws OutgoingError */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /** Waits for running calls, then closes the connections. */
  close(): Promise<void>;
};

type Lookup = (hostname: string) => Promise<LookupAddress[]>;
const systemLookup: Lookup = (hostname) => dnsLookup(hostname, { all: true });

class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/** Creates the client. A process should create only one, so that connections are reused. */
export function createOutgoingHttp(options: { allowPrivateNetworks: boolean; lookup?: Lookup }) {
  const { allowPrivateNetworks, lookup = systemLookup } = options;
  const isAllowed = (address: string) => allowPrivateNetworks || isPublicAddress(address);
  const agent = openAgent(checkedLookup(lookup, isAllowed));
  return {
    request: async (request) => send(await agent, request, isAllowed),
    close: async () => (await agent).close(),
  } satisfies OutgoingHttp;
}

/** Imports undici only for the first call, because many commands make no call. */
async function openAgent(lookup: LookupFunction): Promise<Agent> {
  const undici = await import('undici');
  return new undici.Agent({
    // With `autoSelectFamily`, Node asks `lookup` for all IP addresses of a host.
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup, autoSelectFamily: true },
    allowH2: false,
    connections: MAX_CONNECTIONS_PER_HOST,
    pipelining: 1,
    keepAliveTimeout: 10_000,
  });
}

/** Returns a DNS lookup that fails for IP addresses that are not allowed. */
function checkedLookup(lookup: Lookup, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, _options, callback) => {
    lookup(hostname).then(
      (found) => {
        const allowed = found.filter(({ address }) => isAllowed(address));
        callback(allowed.length === 0 ? new PrivateAddressError() : null, allowed);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

async function send(
  agent: Agent,
  request: OutgoingRequest,
  isAllowed: (address: string) => boolean,
): Promise<OutgoingAnswer> {
  const { method, url, headers = {}, body = null, timeoutMs, signal } = request;
  const startedAtMs = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAtMs);
  // True once the request is passed to a connection, because the request may then have arrived.
  let started = false;
  const failed = (failure: OutgoingFailure, message: string) =>
    new OutgoingError(message, { failure, mayHaveArrived: started, durationMs: durationMs() });
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined || !/^https?:$/.test(target.protocol)) {
    throw failed('invalid_address', 'The address is not an http or https address');
  }
  const { host } = target;
  const privateAddress = () => {
    const message = `${host} is not a public address; OUTGOING_PRIVATE_NETWORKS does not allow it`;
    return failed('private_address', message);
  };
  // If the URL contains an IP address, `lookup` is not called, so this code checks the IP address.
  const address = target.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 && !isAllowed(address)) throw privateAddress();
  const dispatcher = agent.compose((dispatch) => (dispatchOptions, handler) => {
    const onRequestStart = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (...args) => {
      started = true;
      onRequestStart?.(...args);
    };
    return dispatch(dispatchOptions, handler);
  });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await dispatcher.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method,
      headers: { 'user-agent': USER_AGENT, ...headers },
      body,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      headersTimeout: 0, // `timeout` covers the whole call.
      bodyTimeout: 0,
    });
    const bytes = await readCapped(answer.body);
    const flat = Object.entries(answer.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]);
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(flat),
      text: bytes.toString('utf8', 0, MAX_ANSWER_BYTES),
      truncated: bytes.length > MAX_ANSWER_BYTES,
      durationMs: durationMs(),
    };
  } catch (error) {
    if (signal?.aborted) throw failed('aborted', `The call to ${host} was given up`);
    if (timeout.aborted) throw failed('timeout', `No answer from ${host} within ${timeoutMs} ms`);
    if (error instanceof PrivateAddressError) throw privateAddress();
    const reason = errorCode(error);
    if (!started) throw failed('no_connection', `No connection to ${host} (${reason})`);
    const lost = `The connection to ${host} was lost before the answer (${reason})`;
    throw failed('connection_lost', lost);
  }
}

async function readCapped(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  // A `break` out of this loop destroys the body and closes the connection.
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/** Returns an error's code or name, which never contains a URL. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name;
}

/** Ranges outside the public internet, from IANA's special-purpose address registries. */
const NOT_PUBLIC = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24',
  '192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
  '2001::/23 2001:db8::/32 2002::/16 3fff::/20',
];
const notPublic = new BlockList();
for (const network of NOT_PUBLIC.join(' ').split(' ')) {
  const [address = '', bits] = network.split('/');
  notPublic.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Matches 2000::/3, the only public range of IPv6 addresses. */
const GLOBAL_UNICAST = /^[23][0-9a-f]{3}:/i;

/** Returns whether an IP address is on the public internet; false if invalid. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address);
  return isIPv6(address) && GLOBAL_UNICAST.test(address) && !notPublic.check(address, 'ipv6');
}
