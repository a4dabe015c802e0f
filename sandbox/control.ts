import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { type Failures, failureModes, failureSchema } from './failures.ts';
import type { Journal } from './journal.ts';
import { check } from './requests.ts';

/**
 * Adds the sandbox's control API. Tests and demos use the API to simulate failures and to read
 * received requests.
 */
export function controlRoutes(
  app: FastifyInstance,
  state: { journal: Journal; failures: Failures; reset: () => void; names: readonly string[] },
): void {
  const { journal, failures, reset, names } = state;

  const schema = v.pipe(
    v.string(),
    v.parseJson(),
    v.strictObject({
      ...failureSchema.entries,
      service: v.picklist(names),
      mode: v.picklist([...failureModes, 'none']),
    }),
  );
  app.post('/_sandbox/fail', ({ body }, reply) => {
    const asked = check(schema, body);
    if (!asked.ok) return reply.code(400).send({ errors: asked.violations });
    const { mode } = asked.value;
    if (mode === 'none') failures.clear(asked.value.service);
    else failures.set({ ...asked.value, mode });
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
