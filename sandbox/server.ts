import { setTimeout } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { parse } from 'valibot';
import { controlRoutes } from './control.ts';
import { credentials } from './credentials.ts';
import { type Failure, Failures, failureAnswer, failureSchema } from './failures.ts';
import { Journal, type ReceivedRequest } from './journal.ts';
import type { Answer, Handler, StandIn, World } from './service.ts';
import { standIns } from './services/index.ts';

export interface SandboxOptions {
  /** Default: any free port. */
  port?: number;
  /** The clock for the journal and for the expiry of SMS codes. Default: the system's clock. */
  now?: () => Date;
}

/** A running sandbox. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** The sandbox shows personal data without a sign-in, so it listens only on loopback. */
const HOST = '127.0.0.1';
const DEFAULT_SLOW_MS = 2_000;

/** Starts the sandbox on loopback. */
export async function startSandbox(options: SandboxOptions = {}) {
  const { port = 0, now = () => new Date() } = options;
  const failures = new Failures();
  const journal = new Journal(now);
  const memories = new Map<string, Map<string, unknown>>();
  const memory = <Value>(name: string) => {
    const found = memories.get(name) ?? new Map();
    memories.set(name, found);
    return found as Map<string, Value>;
  };
  const worldOf = (service: string): World => ({
    now,
    effect: (request) => journal.effect(service, request),
    sent: (code) => void journal.codes.push(code),
    memory,
  });
  /** A world without effects, for a request that must fail. */
  const deafWorld: World = {
    now,
    effect: () => true,
    sent: () => undefined,
    memory: (name) => structuredClone(memory(name)),
  };

  const app = Fastify({ logger: false, forceCloseConnections: true, exposeHeadRoutes: false });
  // Leaves request bodies as text, because each stand-in parses bodies as strictly as its vendor.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  const answer = (standIn: StandIn, handle: Handler) => {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const parts = partsOf(request);
      const failure = failures.take(standIn.name);
      const isServed = !failure || failure.mode === 'slow' || failure.mode.startsWith('accept_');
      const world = isServed ? worldOf(standIn.name) : deafWorld;
      const { key, violations = [], ...served } = await handle({ ...parts, ...world });
      const { referer, 'user-agent': agent } = parts.headers;
      const entry = journal.record(standIn.name, parts, {
        key,
        violations: [
          ...violations,
          // A referrer with a query may disclose a visitor's name or phone number to a third party.
          ...(referer?.includes('?') ? ['referer: carries a query'] : []),
          ...(agent ? [] : ['user-agent: missing']),
        ],
      });
      const finish = () => journal.finish(entry);
      // Calls `finish` directly if the connection has already closed, because no close event
      // follows.
      if (reply.raw.closed || request.raw.socket.destroyed) finish();
      else reply.raw.once('close', finish);

      if (failure) {
        const { mode } = failure;
        entry.failure = mode;
        const delayMs = failure.delay_ms ?? (mode === 'slow' ? DEFAULT_SLOW_MS : 0);
        if (delayMs > 0) {
          const options = { signal: failures.cleared, ref: false };
          await setTimeout(delayMs, undefined, options).catch(() => undefined);
        }
        const { socket } = request.raw;
        if (socket.destroyed || /^timeout$|reset$|hang$/.test(mode)) {
          reply.hijack();
          if (mode.endsWith('reset')) socket.resetAndDestroy();
          return reply;
        }
      }
      send(entry, reply, isServed ? served : failureAnswer(standIn, failure));
      return reply;
    };
  };
  for (const standIn of standIns) {
    for (const [route, handle] of Object.entries(standIn.routes)) {
      const [method = '', url = ''] = route.split(' ');
      app.route({ method, url, handler: answer(standIn, handle) });
    }
  }

  const reset = () => {
    journal.clear();
    failures.clear();
    memories.clear();
  };
  controlRoutes(app, { journal, failures, reset, names: standIns.map(({ name }) => name) });
  recordStrays(app, journal);

  return {
    url: await app.listen({ port, host: HOST }),
    credentials,
    close: () => app.close(),
    received: (service?: string) => journal.received(service),
    effects: (service: string = 'ingest') => journal.effects(service),
    violations: () => journal.violations(),
    codes: () => [...journal.codes],
    /** Turns a failure on. Throws if the failure is malformed. */
    fail: (failure: Failure) => failures.set(parse(failureSchema, failure)),
    recover: (service?: string) => failures.clear(service),
    /** Deletes all requests, violations, effects, failures, SMS codes and TrustedForm certificates. */
    reset,
  };
}

function partsOf(request: FastifyRequest) {
  const url = new URL(request.url, 'http://sandbox');
  return {
    method: request.method,
    path: url.pathname,
    params: request.params as Record<string, string>,
    query: url.searchParams,
    headers: request.headers,
    body: typeof request.body === 'string' ? request.body : '',
  };
}

function send(entry: ReceivedRequest, reply: FastifyReply, answer: Answer): void {
  const { status, headers = {}, body } = answer;
  entry.answer = { status, body };
  reply.code(status);
  reply.header('access-control-allow-origin', '*');
  const isText = typeof body === 'string';
  reply.header('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json');
  reply.headers(headers).send(isText ? body : JSON.stringify(body));
}

/** Records a violation for each request with an unknown path or an unreadable body. */
function recordStrays(app: FastifyInstance, journal: Journal): void {
  app.get('/favicon.ico', (_request, reply) => reply.code(204).send());
  const stray = (request: FastifyRequest, reply: FastifyReply, error: string, status: number) => {
    const exchange = { ...partsOf(request), headers: {}, body: '' };
    const entry = journal.record('unknown', exchange, { violations: [error] });
    entry.answer = { status, body: { error } };
    journal.finish(entry);
    reply.code(status).send({ error });
  };
  app.setNotFoundHandler((request, reply) => {
    stray(request, reply, 'no third party has this address', 404);
  });
  app.setErrorHandler((error: { statusCode?: number; code?: string }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) console.error(error);
    const problem = status < 500 ? `refused: ${error.code ?? status}` : 'the sandbox itself failed';
    stray(request, reply, problem, status);
  });
}
