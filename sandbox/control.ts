import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Failures, failureSchema } from './failures.ts';
import type { Journal } from './journal.ts';
import { check, mediaType } from './requests.ts';

const isForm = (request: FastifyRequest) =>
  mediaType(request.headers) === 'application/x-www-form-urlencoded';

/** Returns a JSON body unchanged. In a form, converts numbers and omits empty fields. */
function readControlBody(request: FastifyRequest): unknown {
  const body = typeof request.body === 'string' ? request.body : '';
  if (isForm(request)) {
    const fields = [...new URLSearchParams(body)].filter(([, value]) => value !== '');
    const isNumber = (name: string) => name === 'times' || name === 'delay_ms';
    return Object.fromEntries(
      fields.map(([name, value]) => [name, isNumber(name) ? Number(value) : value]),
    );
  }
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Adds `/_sandbox/*`, the control API for tests and demos. Lists are JSON arrays, oldest first.
 *
 * - `POST /_sandbox/fail` `{service, mode, times?, delay_ms?, retry_after?}` turns a failure on. Mode `none` turns it
 * off, for service `all` every failure. `GET` lists the failures.
 * - `GET /_sandbox/received?service=&key=`, `GET /_sandbox/effects?service=&key=`
 * - `GET /_sandbox/violations`, `GET /_sandbox/codes` (SMS codes), `POST /_sandbox/reset` (everything)
 *
 * `key` identifies a request to its service; for `ingest` it is the lead's id. State-changing requests from pages of
 * another origin get 403.
 */
export function controlRoutes(
  app: FastifyInstance,
  state: { journal: Journal; failures: Failures; reset: () => void; names: readonly string[] },
): void {
  const { journal, failures, reset, names } = state;
  /** Answers a form with a redirect to the page, and all other requests with JSON. */
  const done = (request: FastifyRequest, reply: FastifyReply, body: unknown) =>
    isForm(request) ? reply.redirect('/', 303) : reply.send(body);

  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/_sandbox/') || request.method === 'GET') return;
    const { origin, host } = request.headers;
    if (origin !== undefined && origin !== `http://${host}`) {
      await reply.code(403).send({ error: 'not from this origin' });
    }
  });

  app.post('/_sandbox/fail', (request, reply) => {
    const body = readControlBody(request);
    const { service = '', mode } = (body ?? {}) as { service?: string; mode?: unknown };
    const isKnown = names.includes(service);
    if (mode === 'none' && (service === 'all' || isKnown)) {
      failures.clear(isKnown ? service : undefined);
      return done(request, reply, failures.list());
    }
    const failure = check(failureSchema, body);
    if (!failure.ok) return reply.code(400).send({ errors: failure.violations });
    if (!isKnown) return reply.code(400).send({ errors: ['service: not known'] });
    failures.set(failure.value);
    return done(request, reply, failures.list());
  });
  app.get('/_sandbox/fail', () => failures.list());

  type Filter = { service?: string; key?: string };
  app.get<{ Querystring: Filter }>('/_sandbox/received', ({ query: { service, key } }) =>
    journal.received(service, key),
  );
  app.get<{ Querystring: Filter }>('/_sandbox/effects', ({ query: { service, key } }) =>
    journal.effects(service, key),
  );
  app.get('/_sandbox/violations', () => journal.violations());
  app.get('/_sandbox/codes', () => journal.codes);
  app.post('/_sandbox/reset', (request, reply) => {
    reset();
    return done(request, reply, { reset: true });
  });
}
