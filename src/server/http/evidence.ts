/** Serves the public part of the evidence log (docs/evidence.md). */
import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { RequestOf } from './add-route.ts';
import { perMinute } from './limits.ts';
import { sendProblem } from './problem.ts';

export type EvidenceLog = {
  keys(): Promise<object>;
  heads(before?: Date): Promise<object>;
  newestHead(): Promise<string | undefined>;
  consistency(from: number, to: number): Promise<object | undefined>;
  proof(index: number, size: number): Promise<object | undefined>;
};

const REQUESTS_PER_MINUTE = 120;
const whole = Type.String({ pattern: '^(0|[1-9]\\d{0,14})$' });
const time = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$',
});
const heads = { querystring: Type.Object({ before: Type.Optional(time) }) };
const consistency = { querystring: Type.Object({ from: whole, to: whole }) };
const proof = { querystring: Type.Object({ index: whole, size: whole }) };

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
  const orNotFound = (reply: FastifyReply, part: object | string | undefined) =>
    part ?? sendProblem(reply, 404, 'not_found', 'The log has nothing of that.');

  app.get('/keys.json', { config }, () => log.keys());
  app.get('/head.jws', { config }, async (_request, reply) => {
    const head = await log.newestHead();
    if (head) reply.type('application/jose');
    return orNotFound(reply, head);
  });
  app.get('/heads', { config, schema: heads }, async (request: RequestOf<typeof heads>, reply) => {
    const { before } = request.query;
    const end = before === undefined ? undefined : new Date(before);
    // The schema's pattern also accepts impossible dates, such as month 99.
    if (Number.isNaN(end?.getTime())) return sendProblem(reply, 400, 'invalid_request');
    return log.heads(end);
  });
  app.get(
    '/consistency',
    { config, schema: consistency },
    async ({ query }: RequestOf<typeof consistency>, reply) =>
      orNotFound(reply, await log.consistency(Number(query.from), Number(query.to))),
  );
  app.get('/proof', { config, schema: proof }, async (request: RequestOf<typeof proof>, reply) => {
    const { index, size } = request.query;
    return orNotFound(reply, await log.proof(Number(index), Number(size)));
  });
};
