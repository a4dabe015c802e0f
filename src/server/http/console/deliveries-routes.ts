/** The page Deliveries: the work of each destination; pause and resume one. */
import { Type } from '@sinclair/typebox';
import { day, reason, textOf } from '../../../model/messages/console/requests.ts';
import { pauseDestination, resumeDestination } from '../../delivery/index.ts';
import { checkPeriod } from '../../insight/counts/periods.ts';
import { readDeliveries } from '../../insight/deliveries/read-deliveries.ts';
import { type ConsoleRoutes, operator, viewer } from './context.ts';

const periodQuery = Type.Object({ from: day, to: day });
const change = operator({
  params: Type.Object({ name: textOf(40) }),
  body: Type.Object({ reason }),
});

export const deliveriesRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool, settings, wake, audit } = context;

  app.get(
    '/api/deliveries',
    viewer({ querystring: periodQuery }),
    ({ query, operator: { role } }) =>
      readDeliveries(pool, {
        destinations: settings.destinations,
        period: { ...checkPeriod(query), timeZone: settings.operatorsTimeZone },
        now: new Date(),
        role,
      }),
  );

  app.post('/api/destinations/:name/pause', change, async (request) => {
    const { params, body, operator: by } = request;
    await audit(request, { action: 'destination.paused', subject: params.name, ...body });
    await pauseDestination(pool, params.name, { operator: by.email, reason: body.reason });
    return {};
  });

  app.post('/api/destinations/:name/resume', change, async (request) => {
    const { params, body } = request;
    await audit(request, { action: 'destination.resumed', subject: params.name, ...body });
    await resumeDestination(pool, params.name);
    wake();
    return {};
  });
};
