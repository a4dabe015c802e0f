/** `/.well-known/evidence/`: the public part of the log of evidence (docs/evidence.md). */
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { perMinute } from './limits.ts';
import { sendProblem } from './problem.ts';

/** The log as everybody may read it. */
export type EvidenceLog = {
  keys(): Promise<object>;
  heads(before?: Date): Promise<object>;
  newestHead(): Promise<string | undefined>;
  consistency(from: number, to: number): Promise<object | undefined>;
  proof(index: number, size: number): Promise<object | undefined>;
};

const REQUESTS_PER_MINUTE = 120;
const whole = { type: 'string', pattern: '^(0|[1-9]\\d{0,14})$' } as const;
const time = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$',
};
const query = (required: readonly string[], properties: Readonly<Record<string, object>>) => ({
  schema: { querystring: { type: 'object', required, properties } },
});

export const evidenceRoutes: FastifyPluginAsync<{ log: EvidenceLog }> = async (app, { log }) => {
  const config = { rateLimit: perMinute(REQUESTS_PER_MINUTE) };
  app.addHook('onRequest', async (_request, reply) => {
    // A verifier may be a file on somebody's disk.
    reply.headers({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });
  const orNotFound = (reply: FastifyReply, found: object | string | undefined) =>
    found ?? sendProblem(reply, 404, 'not_found', 'The log has nothing of that.');
  const at = (name: string) => `/.well-known/evidence/${name}`;

  app.get(at('keys.json'), { config }, () => log.keys());
  app.get(at('head.jws'), { config }, async (_request, reply) => {
    const head = await log.newestHead();
    if (head) reply.type('application/jose');
    return orNotFound(reply, head);
  });
  app.get<{ Querystring: { before?: string } }>(
    at('heads'),
    { config, ...query([], { before: time }) },
    async ({ query: { before } }, reply) => {
      const end = before === undefined ? undefined : new Date(before);
      // The pattern also fits a month 99.
      if (Number.isNaN(end?.getTime())) return sendProblem(reply, 400, 'invalid_request');
      return log.heads(end);
    },
  );
  app.get<{ Querystring: { from: string; to: string } }>(
    at('consistency'),
    { config, ...query(['from', 'to'], { from: whole, to: whole }) },
    async ({ query: { from, to } }, reply) =>
      orNotFound(reply, await log.consistency(Number(from), Number(to))),
  );
  app.get<{ Querystring: { index: string; size: string } }>(
    at('proof'),
    { config, ...query(['index', 'size'], { index: whole, size: whole }) },
    async ({ query: { index, size } }, reply) =>
      orNotFound(reply, await log.proof(Number(index), Number(size))),
  );
};
