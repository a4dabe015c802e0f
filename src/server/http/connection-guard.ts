/** Limits connections, pipelined requests, and memory (docs/specification.md#connections). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyServerFactory } from 'fastify';
import { sendUnavailable } from './problem.ts';
import { plainAddress } from './visitor.ts';

/** The reasons for which the guard closes a connection or refuses a request. */
export const refusals = ['pipelined', 'unread', 'address', 'memory'] as const;
export type Refusal = (typeof refusals)[number];

export type ConnectionLimits = {
  /** Proxies, whose connections are not limited because each proxy serves many visitors. */
  readonly trustedProxies: readonly string[];
  /** Maximum number of open connections per IP address; 0 means no limit. */
  readonly connectionsPerAddress: number;
  /** Above this resident memory, every request except `/healthz` gets 503. */
  readonly memoryCeilingBytes: number;
  readonly refused?: ((reason: Refusal) => void) | undefined;
  /** The guard closes a connection if the client reads no bytes for this time. Default: 20 s. */
  readonly unreadMs?: number | undefined;
};

const MAX_UNANSWERED = 32;
/** Maximum size of a chunk for Node's HTTP parser, which parses a whole chunk at once. */
const SLICE_BYTES = 1_024;
const UNREAD_MS = 20_000;
const MEMORY_SAMPLE_MS = 100;
const COLLECT_EVERY_MS = 1_000;
/** Interval at which Node checks whether a request has exceeded its timeout. */
const TIMEOUT_CHECKS_MS = 1_000;
/** Time until an idle connection is closed. Proxies must close idle connections earlier. */
const KEEP_ALIVE_MS = 72_000;

/** Returns Fastify's `serverFactory`, which handles the requests of a connection one by one. */
export function guardedServer(
  requestTimeoutMs: number,
  limits: ConnectionLimits,
): FastifyServerFactory {
  const { connectionsPerAddress, refused = () => undefined, unreadMs = UNREAD_MS } = limits;
  const isTrusted = proxyAddr.compile([...limits.trustedProxies]);
  const isFull = memoryGauge(limits.memoryCeilingBytes);
  const perAddress = new Map<string, number>();
  const unanswered = new WeakMap<Socket, (() => void)[]>();

  const close = (socket: Socket, reason: Refusal) => {
    socket.destroy();
    refused(reason);
  };

  const accept = (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress);
    if (address === undefined || connectionsPerAddress === 0 || isTrusted(address, 0)) return;
    const key = normalizeIP(address, 64);
    const open = perAddress.get(key) ?? 0;
    if (open >= connectionsPerAddress) return close(socket, 'address');
    perAddress.set(key, open + 1);
    socket.once('close', () => {
      const left = (perAddress.get(key) ?? 0) - 1;
      if (left > 0) perAddress.set(key, left);
      else perAddress.delete(key);
    });
  };

  const http = {
    connectionsCheckingInterval: TIMEOUT_CHECKS_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node applies the longer of `headersTimeout` and `requestTimeout`, so both get the same value.
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // Lets the app answer a missing `Host` header, because Node's answer is not problem+json.
    requireHostHeader: false,
  };
  return (handle) => {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/healthz' || !isFull()) return handle(request, response);
      refused('memory');
      sendUnavailable(response);
    };
    const server = createServer(http, (request, response) => {
      const { socket } = request;
      if (!socket.writable) return;
      const queue = unanswered.get(socket) ?? [];
      unanswered.set(socket, queue);
      if (queue.length === MAX_UNANSWERED) return close(socket, 'pipelined');
      queue.push(() => answer(request, response));
      response.once('close', () => {
        queue.shift();
        if (socket.writable) queue[0]?.();
      });
      if (queue.length === 1) answer(request, response);
    });
    server.on('connection', readInPieces).on('connection', accept);
    server.setTimeout(unreadMs, (socket) => {
      const isWorking = (unanswered.get(socket)?.length ?? 0) > 0;
      if (socket.writableLength > 0) close(socket, 'unread');
      else if (!isWorking) socket.destroy();
    });
    return server;
  };
}

/** Feeds the parser small chunks, so that parsing stops soon after the guard closes a connection. */
function readInPieces(socket: Socket): void {
  const [parse] = socket.listeners('data');
  socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length && !socket.destroyed; at += SLICE_BYTES) {
      if (socket.isPaused()) {
        socket.unshift(chunk.subarray(at));
        return;
      }
      parse?.(chunk.subarray(at, at + SLICE_BYTES));
    }
  });
}

/** Returns a function that reports whether memory exceeds the ceiling after a garbage collection. */
function memoryGauge(ceilingBytes: number): () => boolean {
  const isAbove = () => process.memoryUsage.rss() > ceilingBytes;
  let sampledAtMs = Number.NEGATIVE_INFINITY;
  let isFull = false;
  return () => {
    const nowMs = performance.now();
    if (nowMs - sampledAtMs < (isFull ? COLLECT_EVERY_MS : MEMORY_SAMPLE_MS)) return isFull;
    sampledAtMs = nowMs;
    if (isAbove()) globalThis.gc?.();
    isFull = isAbove();
    return isFull;
  };
}
