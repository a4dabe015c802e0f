import Fastify, { type FastifyInstance } from 'fastify';
import { parse } from 'valibot';
import { controlRoutes } from './control.ts';
import { defaultCredentials, type SandboxCredentials } from './credentials.ts';
import { type Effect, EffectStore } from './effects.ts';
import { type Failure, Failures, failureSchema } from './failures.ts';
import { Journal, type ReceivedRequest, type Violation } from './journal.ts';
import { pageRoutes } from './page.ts';
import { play } from './play.ts';
import type {
  Exchange,
  Route,
  SandboxContext,
  SentCode,
  Service,
  ServiceName,
  StandIn,
} from './service.ts';
import { standIns } from './services/index.ts';

/** Settings of a sandbox; all have defaults. */
export interface SandboxOptions {
  /** Default 0: any free port. */
  port?: number;
  /** Loopback only: the sandbox has no authentication and shows personal data. */
  host?: '127.0.0.1';
  /** The clock for times in the journal and the life of SMS codes. */
  now?: () => Date;
  /** Credentials that differ from the defaults. */
  credentials?: Partial<SandboxCredentials>;
  /** Stand-ins beside those of the sandbox's folder. */
  more?: readonly StandIn[];
  /** Called with one line per request: method, path without query, status or failure. No values. */
  log?: (line: string) => void;
}

/** A running sandbox. The methods do the same as the control API over HTTP. */
export interface Sandbox {
  /** Base address, e.g. `http://127.0.0.1:4010`. */
  url: string;
  port: number;
  credentials: SandboxCredentials;
  close: () => Promise<void>;
  /** Oldest first. */
  received: (service?: ServiceName | 'unknown') => ReceivedRequest[];
  /** Returns each effect with its count; default: of the ingest service. */
  effects: (service?: ServiceName) => Effect[];
  violations: () => Violation[];
  /** Newest last. */
  codes: () => SentCode[];
  /** Turns a failure on; throws if it is malformed. */
  fail: (failure: Failure) => void;
  /** Turns off the failure of one service, or all of them. */
  recover: (service?: ServiceName) => void;
  /** Clears everything: requests, violations, effects, failures, codes, certificates. */
  reset: () => void;
}

/** Reports a referrer with a query, which could leak a visitor's name and phone number. */
function referrerBreach(exchange: Exchange): string[] {
  const { referer } = exchange.headers;
  return referer?.includes('?') ? ['referer: carries a query'] : [];
}

/** Reports a missing user agent: our server sends one, and so does every browser. */
function userAgentBreach({ headers }: Exchange): string[] {
  return headers['user-agent'] ? [] : ['user-agent: missing'];
}

/** Starts the sandbox on loopback and resolves once it listens. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const now = options.now ?? (() => new Date());
  const credentials = { ...defaultCredentials, ...options.credentials };
  const effects = new EffectStore();
  const failures = new Failures();
  const journal = new Journal();
  const sent: SentCode[] = [];
  const codes = () => structuredClone(sent);
  const context: SandboxContext = {
    now,
    credentials,
    effect: (request) => !effects.apply({ ...request, at: now().toISOString() }).duplicate,
    sent: (code) => sent.push(code),
  };
  const services = [...standIns, ...(options.more ?? [])].map((standIn) => standIn(context));
  const names = services.map(({ name }) => name);
  const log = options.log ?? (() => {});

  const app = Fastify({
    logger: false,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: false },
  });
  // Bodies stay text: each stand-in parses them as strictly as its vendor.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  const addRoute = (service: Service, route: Route) => {
    app.route({
      method: route.method,
      url: route.path,
      handler: async (request, reply) => {
        const url = new URL(request.url, 'http://sandbox');
        const exchange: Exchange = {
          method: request.method,
          path: url.pathname,
          params: request.params as Record<string, string>,
          query: url.searchParams,
          headers: request.headers,
          body: typeof request.body === 'string' ? request.body : '',
          ip: request.ip,
        };
        const verdict = await route.handle(exchange);
        const violations = [
          ...verdict.violations,
          ...referrerBreach(exchange),
          ...userAgentBreach(exchange),
        ];
        const entry = journal.record(service.name, now(), exchange, { ...verdict, violations });
        const finish = () => {
          journal.finish(entry, now());
          const end = entry.answer?.status ?? 'no answer';
          const why = entry.failure ? ` (${entry.failure})` : '';
          const refused = entry.violations.length > 0 ? ' VIOLATION' : '';
          log(`${entry.method} ${entry.path} ${end}${why}${refused}`);
        };
        // A killed caller may already be gone, and then no close event follows.
        if (reply.raw.closed || request.raw.socket.destroyed) finish();
        else reply.raw.once('close', finish);
        await play(service, verdict, failures, entry, request, reply);
        return reply;
      },
    });
  };
  for (const service of services) {
    for (const route of service.routes) addRoute(service, route);
  }

  const forget = () => {
    journal.clear();
    effects.clear();
    failures.clear();
    sent.length = 0;
    for (const service of services) service.reset?.();
  };
  controlRoutes(app, { journal, effects, failures, codes, forget, names });
  pageRoutes(app, { journal, effects, failures, codes, services });
  recordStrays(app, journal, now);

  await app.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
  const address = app.server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('the sandbox listens on no port');
  }

  return {
    url: `http://${address.address}:${address.port}`,
    port: address.port,
    credentials,
    close: () => app.close(),
    received: (service) => journal.received(service),
    effects: (service = 'ingest') => effects.list(service),
    violations: () => journal.violations(),
    codes,
    fail: (failure) => failures.set(parse(failureSchema, failure)),
    recover: (service) => failures.clear(service),
    reset: forget,
  };
}

/** Records a request to an unknown address, or with an unreadable body, as a violation. */
function recordStrays(app: FastifyInstance, journal: Journal, now: () => Date): void {
  app.get('/favicon.ico', (_request, reply) => reply.code(204).send());
  const stray = (url: string, method: string, problem: string, status: number) => {
    const { pathname: path, searchParams: query } = new URL(url, 'http://sandbox');
    const request = { method, path, query, headers: {}, body: '' };
    const entry = journal.record('unknown', now(), request, { violations: [problem] });
    entry.answer = { status, body: { error: problem } };
    return entry.answer;
  };
  app.setNotFoundHandler((request, reply) => {
    const answer = stray(request.url, request.method, 'no third party has this address', 404);
    reply.code(answer.status).send(answer.body);
  });
  app.setErrorHandler((error: { statusCode?: number; code?: string }, request, reply) => {
    const status = error.statusCode ?? 500;
    const problem = status < 500 ? `refused: ${error.code ?? status}` : 'the sandbox itself failed';
    if (status >= 500) console.error(error);
    const answer = stray(request.url, request.method, problem, status);
    reply.code(status).send(answer.body);
  });
}
