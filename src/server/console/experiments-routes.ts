/** The experiments that run, and what can be concluded from them. */
import { readExperiments } from '../operators/counts/experiments.ts';
import { objectOf } from '../routes/route-options.ts';
import type { ConsoleRoutes } from './context.ts';

const query = objectOf({ from: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } }, []);

/** `GET /api/experiments?from`: counted from that day on, and at most over a year. */
export const experimentsRoutes: ConsoleRoutes = async (app, { context }) => {
  const { copy, settings } = context;
  app.get(
    '/api/experiments',
    { schema: { querystring: query }, config: { role: 'viewer' } },
    (request) => {
      const { from } = request.query as { readonly from?: string };
      const { experiments, operatorsTimeZone: timeZone } = settings;
      return readExperiments(copy.pool, { experiments, timeZone, from });
    },
  );
};
