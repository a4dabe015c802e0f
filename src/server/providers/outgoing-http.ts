/**
 * The one client for all outgoing calls.
 *
 * It follows no redirect (a 3xx is an answer, and the caller decides), connects to no private,
 * loopback or link-local address unless the setting allows it, ends at its own time-out, and reads at
 * most 64 KiB of an answer. Its errors name the host and nothing else of the address: paths and
 * queries can be secrets. Source: docs/architecture.md; design notes "Security".
 */
import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isPublicAddress } from './outgoing-address.ts';

/** The most bytes of an answer's body that are read; the rest is dropped with the connection. */
export const MAX_ANSWER_BYTES = 64 * 1024;
/** The most characters of an answer that are kept. */
export const MAX_EXCERPT_LENGTH = 2 * 1024;
/** Says who calls: vendors ask for it when a call is looked into, and some firewalls refuse calls without it. */
export const USER_AGENT = 'injury-claim-funnel/1 (server)';
/** A connection has to stand within this, or within the request's own time-out if that is shorter. */
export const CONNECT_TIMEOUT_MS = 10_000;

export type OutgoingRequest = {
  method: 'GET' | 'POST';
  /** http or https. */
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** From the call to the end of the answer's body. */
  timeoutMs: number;
  /** Ends the request early; it then fails with `aborted`. */
  signal?: AbortSignal;
};

export type OutgoingAnswer = {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** At most MAX_ANSWER_BYTES of it, read as UTF-8. */
  text: string;
  /** The body was longer than what was read. */
  truncated: boolean;
  durationMs: number;
};

export type OutgoingFailure =
  /** The setting does not allow the address that the host stands for. */
  | 'private_address'
  /** No connection: name unknown, refused, unreachable, TLS refused, too slow. */
  | 'no_connection'
  /** The connection ended or broke before the answer was whole. */
  | 'connection_lost'
  | 'timeout'
  /** The caller's signal ended it. */
  | 'aborted'
  | 'invalid_address';

/** A call that got no whole answer. The message is one sentence without path, query or body. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly failure: OutgoingFailure;
  /** False only when it is sure that nothing of the request was sent. */
  readonly mayHaveArrived: boolean;
  readonly durationMs: number;

  constructor(
    message: string,
    parts: { failure: OutgoingFailure; mayHaveArrived: boolean; durationMs: number },
  ) {
    super(message);
    this.failure = parts.failure;
    this.mayHaveArrived = parts.mayHaveArrived;
    this.durationMs = parts.durationMs;
  }
}

export type OutgoingHttp = {
  /** @throws OutgoingError when no whole answer came; any status is an answer. */
  request(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /** Waits for the calls under way, then closes the connections. */
  close(): Promise<void>;
};

export type OutgoingHttpOptions = {
  /** Setting OUTGOING_PRIVATE_NETWORKS: for a sandbox on loopback or a service in the own network. */
  allowPrivateNetworks: boolean;
  /** Most connections to one host. */
  maxConnectionsPerHost?: number;
  /** Name look-up, for tests; default: the system's. */
  lookup?: (hostname: string) => Promise<LookupAddress[]>;
};

class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/** Opens the client. One for the whole process: it keeps connections open between calls. */
export function createOutgoingHttp(options: OutgoingHttpOptions): OutgoingHttp {
  const { allowPrivateNetworks, maxConnectionsPerHost = 64, lookup = systemLookup } = options;
  const agent = new Agent({
    connect: checkedConnector({ allowPrivateNetworks, lookup }),
    connections: maxConnectionsPerHost,
    pipelining: 1,
    keepAliveTimeout: 10_000,
  });
  return {
    request: (request) => send(agent, request),
    close: () => agent.close(),
  };
}

function systemLookup(hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    dnsLookup(hostname, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });
}

/**
 * A connector that checks what it connects to: an address given as such before the connection, a
 * name by handing only allowed addresses to the socket, so that no second look-up can change them.
 */
function checkedConnector(options: {
  allowPrivateNetworks: boolean;
  lookup: (hostname: string) => Promise<LookupAddress[]>;
}): buildConnector.connector {
  const { allowPrivateNetworks, lookup } = options;
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    lookup(
      hostname: string,
      lookupOptions: LookupOptions,
      callback: (
        error: NodeJS.ErrnoException | null,
        address: string | LookupAddress[],
        family?: number,
      ) => void,
    ) {
      lookup(hostname).then(
        (found) => {
          const family = lookupOptions.family === 4 || lookupOptions.family === 6;
          const wanted = family
            ? found.filter((one) => one.family === lookupOptions.family)
            : found;
          const allowed = allowPrivateNetworks
            ? wanted
            : wanted.filter((one) => isPublicAddress(one.address));
          const [first] = allowed;
          if (first === undefined) callback(new PrivateAddressError(), '');
          else if (lookupOptions.all) callback(null, allowed);
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ''),
      );
    },
  } as buildConnector.BuildOptions);
  return (target, callback) => {
    const address = target.hostname.replace(/^\[(.*)\]$/, '$1');
    if (!allowPrivateNetworks && isIP(address) !== 0 && !isPublicAddress(address)) {
      callback(new PrivateAddressError(), null);
      return;
    }
    connect(target, callback);
  };
}

async function send(agent: Agent, request: OutgoingRequest): Promise<OutgoingAnswer> {
  const { method, url, headers = {}, body, timeoutMs, signal } = request;
  const startedAtMs = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAtMs);
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined || !/^https?:$/.test(target.protocol)) {
    throw new OutgoingError('The address is not one of http or https', {
      failure: 'invalid_address',
      mayHaveArrived: false,
      durationMs: 0,
    });
  }
  // The request counts as sent from the moment that it is handed to a connection.
  let started = false;
  const dispatcher = agent.compose((dispatch) => (dispatchOptions, handler) => {
    return dispatch(
      dispatchOptions,
      new StartNotice(handler, () => {
        started = true;
      }),
    );
  });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await dispatcher.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method,
      headers: { 'user-agent': USER_AGENT, ...headers },
      body: body ?? null,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      headersTimeout: 0, // Both are covered by our own, which counts the whole call.
      bodyTimeout: 0,
    });
    const { text, truncated } = await readCapped(answer.body);
    return {
      status: answer.statusCode,
      headers: flatHeaders(answer.headers),
      text,
      truncated,
      durationMs: durationMs(),
    };
  } catch (error) {
    const ended = signal?.aborted ? 'aborted' : timeout.aborted ? 'timeout' : undefined;
    throw outgoingError(error, {
      host: target.host,
      ended,
      started,
      timeoutMs,
      durationMs: durationMs(),
    });
  }
}

/** Passes everything on and says when the request is handed to a connection. */
class StartNotice implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #onStart: () => void;

  constructor(handler: Dispatcher.DispatchHandler, onStart: () => void) {
    this.#handler = handler;
    this.#onStart = onStart;
  }

  onRequestStart(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>) {
    this.#onStart();
    this.#handler.onRequestStart?.(...args);
  }

  onRequestUpgrade(
    ...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestUpgrade']>>
  ) {
    this.#handler.onRequestUpgrade?.(...args);
  }

  onResponseStart(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>) {
    this.#handler.onResponseStart?.(...args);
  }

  onResponseData(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseData']>>) {
    this.#handler.onResponseData?.(...args);
  }

  onResponseEnd(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>) {
    this.#handler.onResponseEnd?.(...args);
  }

  onResponseError(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseError']>>) {
    this.#handler.onResponseError?.(...args);
  }
}

async function readCapped(
  body: Dispatcher.ResponseData['body'],
): Promise<{ text: string; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  let truncated = false;
  // Leaving the loop early destroys the body, and with it the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) {
      truncated = true;
      break;
    }
  }
  const bytes = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES);
  return { text: bytes.toString('utf8'), truncated };
}

function flatHeaders(headers: Record<string, string | string[] | undefined>) {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined)
      flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

function outgoingError(
  error: unknown,
  call: {
    host: string;
    ended: 'aborted' | 'timeout' | undefined;
    started: boolean;
    timeoutMs: number;
    durationMs: number;
  },
): OutgoingError {
  const { host, ended, started, timeoutMs, durationMs } = call;
  const parts = { mayHaveArrived: started, durationMs };
  const reason = errorCode(error);
  if (ended === 'timeout') {
    const message = `No answer from ${host} within ${timeoutMs} ms`;
    return new OutgoingError(message, { failure: 'timeout', ...parts });
  }
  if (ended === 'aborted') {
    const message = `The call to ${host} was given up`;
    return new OutgoingError(message, { failure: 'aborted', ...parts });
  }
  if (hasPrivateAddress(error)) {
    const message = `${host} is no public address, and OUTGOING_PRIVATE_NETWORKS does not allow it`;
    return new OutgoingError(message, { failure: 'private_address', ...parts });
  }
  if (!started) {
    const message = `No connection to ${host} (${reason})`;
    return new OutgoingError(message, { failure: 'no_connection', ...parts });
  }
  const message = `The connection to ${host} was lost before the answer (${reason})`;
  return new OutgoingError(message, { failure: 'connection_lost', ...parts });
}

function hasPrivateAddress(error: unknown): boolean {
  if (error instanceof PrivateAddressError) return true;
  if (error instanceof AggregateError) return error.errors.some(hasPrivateAddress);
  return error instanceof Error && error.cause !== undefined && hasPrivateAddress(error.cause);
}

/** The code of an error, or its name: never its message, which can hold an address. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  return error.name;
}

/**
 * How long the other side asks to wait (`Retry-After`, RFC 9110 section 10.2.3: seconds or a date),
 * in milliseconds from `now`; undefined without one or with one that cannot be read.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const value = header.trim();
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // An HTTP date names its day; Date.parse alone would take much that is none.
  if (!/^[A-Za-z]{3,9},? /.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** The beginning of an answer on one line, for people to read, without the given secrets. */
export function excerpt(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret !== '') clean = clean.replaceAll(secret, '[secret]');
  }
  // PostgreSQL takes no NUL, and terminals obey escapes.
  clean = clean.replace(/\p{Cc}+/gu, ' ').trim();
  return clean.length <= MAX_EXCERPT_LENGTH
    ? clean
    : `${clean.slice(0, MAX_EXCERPT_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
