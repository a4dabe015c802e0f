import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EffectStore } from './effects.ts';
import { type Failures, failureSchema } from './failures.ts';
import type { Journal } from './journal.ts';
import type { SentCode } from './service.ts';
import { check, mediaType } from './strict-body.ts';

/** The state that the control API and the page show. */
export interface SandboxState {
  journal: Journal;
  effects: EffectStore;
  failures: Failures;
  codes: () => SentCode[];
}

const isForm = (request: FastifyRequest) =>
  mediaType(request.headers) === 'application/x-www-form-urlencoded';

/** Returns a JSON body as it is, and a form with numbers converted and empty fields omitted. */
function readControlBody(request: FastifyRequest): unknown {
  const body = typeof request.body === 'string' ? request.body : '';
  if (!isForm(request)) {
    try {
      return JSON.parse(body) as unknown;
    } catch {
      return undefined;
    }
  }
  const numbers = new Set(['times', 'delay_ms', 'retry_after']);
  return Object.fromEntries(
    [...new URLSearchParams(body)]
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, numbers.has(name) ? Number(value) : value]),
  );
}

/** Redirects a form back to the page, and answers everyone else with JSON. */
function done(request: FastifyRequest, reply: FastifyReply, body: unknown) {
  return isForm(request) ? reply.redirect('/', 303) : reply.send(body);
}

/**
 * Adds `/_sandbox/*`, the control API for tests and demos. Lists are JSON arrays, oldest first.
 *
 * - `POST /_sandbox/fail` `{service, mode, times?, delay_ms?, retry_after?, location?}`; mode `none` turns
 * the service's failure off, or every failure with service `all`; `GET` lists the failures, `DELETE`
 * (`?service=`) turns them off
 * - `GET /_sandbox/received?service=&key=`, `DELETE /_sandbox/received` (and the violations with it)
 * - `GET /_sandbox/effects?service=&key=` (default `ingest`, `all` for every service)
 * - `GET /_sandbox/violations`, `GET /_sandbox/codes` (SMS codes), `POST /_sandbox/reset` (everything)
 *
 * `key` identifies a request to its service: for `ingest` it is the lead's id. A state-changing request from
 * a page of another origin gets 403.
 */
export function controlRoutes(
  app: FastifyInstance,
  state: SandboxState & { forget: () => void; names: readonly string[] },
): void {
  const { journal, effects, failures, codes, forget, names } = state;

  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/_sandbox/') || request.method === 'GET') return;
    const { origin, host } = request.headers;
    if (origin !== undefined && origin !== `http://${host}`) {
      await reply.code(403).send({ error: 'not from this origin' });
    }
  });

  app.post('/_sandbox/fail', (request, reply) => {
    const body = readControlBody(request);
    const { service, mode } = (body ?? {}) as { service?: unknown; mode?: unknown };
    const known = typeof service === 'string' && names.includes(service) ? service : undefined;
    if (mode === 'none' && (service === 'all' || known)) {
      failures.clear(known);
      return done(request, reply, failures.list());
    }
    const failure = check(failureSchema, body);
    if (!failure.ok) return reply.code(400).send({ errors: failure.violations });
    if (!known) return reply.code(400).send({ errors: ['service: not known'] });
    failures.set(failure.value);
    return done(request, reply, failures.list());
  });
  app.get('/_sandbox/fail', () => failures.list());
  app.delete('/_sandbox/fail', (request, reply) => {
    const { service } = request.query as { service?: string };
    if (service !== undefined && !names.includes(service)) {
      return reply.code(400).send({ errors: ['service: not known'] });
    }
    failures.clear(service);
    return failures.list();
  });

  app.get('/_sandbox/received', (request) => {
    const { service, key } = request.query as { service?: string; key?: string };
    return journal.received(service, key);
  });
  app.delete('/_sandbox/received', (_request, reply) => {
    journal.clear();
    return reply.code(204).send();
  });
  app.get('/_sandbox/violations', () => journal.violations());
  app.get('/_sandbox/codes', () => codes());
  app.get('/_sandbox/effects', (request, reply) => {
    const { service = 'ingest', key } = request.query as { service?: string; key?: string };
    if (service !== 'all' && !names.includes(service)) {
      return reply.code(400).send({ errors: ['service: not known'] });
    }
    const all = service === 'all' ? effects.list() : effects.list(service);
    return key === undefined ? all : all.filter((effect) => effect.key === key);
  });
  app.post('/_sandbox/reset', (request, reply) => {
    forget();
    return done(request, reply, { reset: true });
  });
}
