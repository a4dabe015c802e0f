/** Limits what one connection and one address can hold (docs/specification.md#connections). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyServerFactory } from 'fastify';
import { sendUnavailable } from './problem.ts';
import { plainAddress } from './visitor.ts';

/**
 * Why the guard closed a connection or refused its request: too many unanswered requests, an answer that is not
 * read, too many connections of the address, or too little memory.
 */
export const refusals = ['pipelined', 'unread', 'address', 'memory'] as const;
export type Refusal = (typeof refusals)[number];

export type ConnectionLimits = {
  /** Their connections are not limited, as they carry those of all visitors. */
  readonly trustedProxies: readonly string[];
  /** 0: no limit. */
  readonly connectionsPerAddress: number;
  /** Above this resident memory every request gets 503, except `/healthz`. */
  readonly memoryCeilingBytes: number;
  /** Called for each refusal. */
  readonly refused?: ((reason: Refusal) => void) | undefined;
  /** A connection is closed when its client reads nothing of an answer for so long. */
  readonly unreadMs?: number | undefined;
};

const MAX_UNANSWERED = 32;
/** The parser makes a request of each 18 bytes, and all of a piece before the connection can be closed. */
const PIECE_BYTES = 1_024;
const UNREAD_MS = 20_000;
const MEMORY_SAMPLE_MS = 100;
const COLLECT_EVERY_MS = 5_000;
/** How often Node checks for requests over their time-out. A slow request is cut at most this much later. */
const TIMEOUT_CHECKS_MS = 1_000;
/** Longer than proxies hold idle connections, so that none is closed just as a proxy sends a request. */
const KEEP_ALIVE_MS = 72_000;

/**
 * Returns Fastify's `serverFactory`. The server handles the requests of a connection one after the other, so
 * that a client that does not read holds one answer at most.
 *
 * @param requestTimeoutMs how long a client may take to send a request
 */
export function guardedServer(
  requestTimeoutMs: number,
  limits: ConnectionLimits,
): FastifyServerFactory {
  const { connectionsPerAddress, refused = () => undefined, unreadMs = UNREAD_MS } = limits;
  const isTrusted = proxyAddr.compile([...limits.trustedProxies]);
  const isFull = memoryGauge(limits.memoryCeilingBytes);
  const perAddress = new Map<string, number>();
  /** The requests of each connection that are not answered yet, oldest first. */
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
    // Node uses the longer of the two time-outs, and its default for headers is longer.
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // `checkRequestHead` refuses a missing Host with our own error format.
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
      // The rest of a piece whose connection was closed.
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

/** Gives the parser small pieces, so that it stops soon after the connection was closed or paused. */
function readInPieces(socket: Socket): void {
  const [parse] = socket.listeners('data');
  socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length && !socket.destroyed; at += PIECE_BYTES) {
      if (socket.isPaused()) {
        socket.unshift(chunk.subarray(at));
        return;
      }
      parse?.(chunk.subarray(at, at + PIECE_BYTES));
    }
  });
}

/**
 * Returns a function that returns whether the process holds more memory than the ceiling. Above it the function first
 * collects garbage, which V8 does only long after a peak (`--expose-gc` in scripts/server.sh).
 */
function memoryGauge(ceilingBytes: number): () => boolean {
  const isAbove = () => process.memoryUsage.rss() > ceilingBytes;
  let sampledAtMs = Number.NEGATIVE_INFINITY;
  let collectedAtMs = Number.NEGATIVE_INFINITY;
  let isFull = false;
  return () => {
    const nowMs = performance.now();
    if (nowMs - sampledAtMs >= MEMORY_SAMPLE_MS) {
      sampledAtMs = nowMs;
      isFull = isAbove();
      if (isFull && nowMs - collectedAtMs >= COLLECT_EVERY_MS) {
        collectedAtMs = nowMs;
        globalThis.gc?.();
        isFull = isAbove();
      }
    }
    return isFull;
  };
}
