import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Failures, failureSchema } from './failures.ts';
import type { Journal } from './journal.ts';
import { check } from './requests.ts';

function readJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}

/**
 * Adds the sandbox's control API. Tests and demos use the API to simulate failures and to read
 * received requests.
 */
export function controlRoutes(
  app: FastifyInstance,
  state: { journal: Journal; failures: Failures; reset: () => void; names: readonly string[] },
): void {
  const { journal, failures, reset, names } = state;

  app.post('/_sandbox/fail', ({ body }, reply: FastifyReply) => {
    const asked = readJson(body);
    const { service = '', mode } = (asked ?? {}) as { service?: string; mode?: unknown };
    const isKnown = names.includes(service);
    if (mode === 'none' && (service === 'all' || isKnown)) {
      failures.clear(isKnown ? service : undefined);
      return reply.send(failures.list());
    }
    const failure = check(failureSchema, asked);
    if (!failure.ok) return reply.code(400).send({ errors: failure.violations });
    if (!isKnown) return reply.code(400).send({ errors: ['service: not known'] });
    failures.set(failure.value);
    return reply.send(failures.list());
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
  app.post('/_sandbox/reset', () => {
    reset();
    return { reset: true };
  });
  const links = ['received', 'effects', 'violations', 'codes', 'fail'].map(
    (name) => `<p><a href="/_sandbox/${name}">${name}</a></p>`,
  );
  app.get('/', (_request, reply) => reply.type('text/html').send(links.join('')));
}
