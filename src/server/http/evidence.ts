/** Serves the public part of the evidence log (docs/evidence.md). */
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { createPublishedLog } from '../evidence/index.ts';
import { perMinute } from './limits.ts';
import { sendProblem } from './problem.ts';

export type EvidenceLog = ReturnType<typeof createPublishedLog>;

const REQUESTS_PER_MINUTE = 120;
const whole = Type.String({ pattern: '^(0|[1-9]\\d{0,14})$' });
const time = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$',
});

export const evidenceRoutes: FastifyPluginAsync<{ log: EvidenceLog }> = async (app, { log }) => {
  const config = { rateLimit: perMinute(REQUESTS_PER_MINUTE) };
  app.addHook('onRequest', async (_request, reply) => {
    // Allows all origins, because a verifier page opened from a local file has the origin `null`.
    reply.headers({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });
  /** Adds a route that answers with the result of `read`, or with 404 if there is none. */
  const get = <Query extends TProperties>(
    path: string,
    query: Query,
    read: (query: Static<TObject<Query>>, reply: FastifyReply) => Promise<unknown>,
  ) => {
    app.get(
      path,
      { config, schema: { querystring: Type.Object(query) } },
      async (request, reply) => {
        const part = await read(request.query as Static<TObject<Query>>, reply);
        return part ?? sendProblem(reply, 404, 'not_found', 'The log has nothing of that.');
      },
    );
  };

  get('/keys.json', {}, () => log.keys());
  get('/head.jws', {}, (_query, reply) => {
    reply.type('application/jose');
    return log.newestHead();
  });
  get('/heads', { before: Type.Optional(time) }, ({ before }) => {
    const end = before === undefined ? undefined : new Date(before);
    // The schema's pattern accepts impossible dates, such as month 99.
    if (!Number.isNaN(end?.getTime())) return log.heads(end);
    throw Object.assign(new Error('There is no such date'), { statusCode: 400 });
  });
  get('/consistency', { from: whole, to: whole }, ({ from, to }) =>
    log.consistency(Number(from), Number(to)),
  );
  get('/proof', { index: whole, size: whole }, ({ index, size }) =>
    log.proof(Number(index), Number(size)),
  );
};
