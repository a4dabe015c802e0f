/** The page Deliveries: the work of each destination; pause and resume one. */
import { checkPeriod } from '../operators/counts/periods.ts';
import { pauseDestination, resumeDestination } from '../operators/destinations/pause.ts';
import { readDeliveries } from '../operators/destinations/read-deliveries.ts';
import { objectOf, textOf } from '../routes/route-options.ts';
import type { ConsoleRoutes } from './context.ts';

const day = { type: 'string', pattern: '^20\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' };
const changeSchema = {
  params: objectOf({ name: textOf(40) }),
  body: objectOf({ reason: { type: 'string', minLength: 1, maxLength: 500 } }),
};

type Change = { Params: { name: string }; Body: { reason: string } };

export const deliveriesRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool, settings, wake, audit } = context;

  app.get<{ Querystring: { from: string; to: string } }>(
    '/api/deliveries',
    { schema: { querystring: objectOf({ from: day, to: day }) }, config: { role: 'viewer' } },
    async ({ query: { from, to }, operator: { role } }) =>
      readDeliveries(pool, {
        destinations: settings.destinations,
        period: { ...checkPeriod({ from, to }), timeZone: settings.operatorsTimeZone },
        now: new Date(),
        role,
      }),
  );

  app.post<Change>(
    '/api/destinations/:name/pause',
    { schema: changeSchema, config: { role: 'operator' } },
    async (request) => {
      const { name } = request.params;
      const { reason } = request.body;
      await audit(request, { action: 'destination.paused', subject: name, reason });
      await pauseDestination(pool, name, { operator: request.operator.email, reason });
      return {};
    },
  );

  app.post<Change>(
    '/api/destinations/:name/resume',
    { schema: changeSchema, config: { role: 'operator' } },
    async (request) => {
      const { name } = request.params;
      const { reason } = request.body;
      await audit(request, { action: 'destination.resumed', subject: name, reason });
      await resumeDestination(pool, name);
      wake();
      return {};
    },
  );
};
