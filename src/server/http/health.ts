import type { FastifyPluginAsync } from 'fastify';
import { objectOf } from './limits.ts';
import { sendProblem } from './problem.ts';
import type { UseCases } from './use-cases.ts';

const ok = { response: { 200: objectOf({ status: { type: 'string' } }) } };

/** `GET /healthz`: the process runs. `GET /readyz`: the pages are rendered and leads can be stored. */
export const healthRoutes: FastifyPluginAsync<{
  isReady: UseCases['isReady'];
  hasPages: () => boolean;
}> = async (app, { isReady, hasPages }) => {
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  app.get('/healthz', { schema: ok }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema: ok }, async (_request, reply) => {
    if (!hasPages()) return sendProblem(reply, 503, 'unavailable', 'The pages are being rendered.');
    if (await isReady()) return { status: 'ok' };
    return sendProblem(reply, 503, 'unavailable', 'The database does not answer.');
  });
};
