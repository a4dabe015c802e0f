/** Bulk plans: make one, look at it, start it, cancel it. */
import { v7 as uuid } from 'uuid';
import {
  type PlanItem,
  type PlanRequest,
  planActions,
  planItemStates,
} from '../../contract/console/work.ts';
import { filterContext } from '../operators/lead-list/condition.ts';
import { makePlan, selectionText } from '../operators/plans/make-plan.ts';
import {
  cancelPlan,
  listPlans,
  readPlan,
  readPlanItems,
  startPlan,
} from '../operators/plans/read-plans.ts';
import { leadIdSchema, objectOf, textOf } from '../routes/route-options.ts';
import type { ConsoleRoutes } from './context.ts';

const momentOrDay = {
  type: 'string',
  anyOf: [{ format: 'date' }, { format: 'date-time' }],
};
const planSchema = {
  body: {
    ...objectOf(
      {
        action: { enum: planActions },
        reason: { type: 'string', minLength: 1, maxLength: 500 },
        filter: { type: 'object', additionalProperties: textOf(200), maxProperties: 20 },
        leadIds: { type: 'array', items: leadIdSchema, minItems: 1, maxItems: 5_000 },
        recover: objectOf({ destination: textOf(40), since: momentOrDay }),
      },
      ['action', 'reason'],
    ),
    additionalProperties: false,
  },
};
const params = objectOf({ id: leadIdSchema });
const itemsQuery = objectOf(
  { after: { type: 'integer', minimum: 0 }, state: { enum: planItemStates } },
  [],
);

type OfPlan = { Params: { id: string } };

export const plansRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool, db, settings, personKey, audit } = context;
  const maker = { pool, db, ...filterContext(settings, personKey) };

  app.get('/api/plans', { config: { role: 'viewer' } }, () => listPlans(pool));

  app.get<OfPlan>('/api/plans/:id', { schema: { params }, config: { role: 'viewer' } }, (request) =>
    readPlan(pool, request.params.id),
  );

  app.get<OfPlan & { Querystring: { after?: number; state?: PlanItem['state'] } }>(
    '/api/plans/:id/items',
    { schema: { params, querystring: itemsQuery }, config: { role: 'viewer' } },
    (request) => readPlanItems(pool, request.params.id, request.query),
  );

  app.post<{ Body: PlanRequest }>(
    '/api/plans',
    { schema: planSchema, config: { role: 'operator' } },
    async (request) => {
      const plan = { id: uuid(), actor: request.operator.email, request: request.body };
      const { action, reason } = request.body;
      const detail = { action, selection: selectionText(request.body) };
      await audit(request, { action: 'plan.made', subject: plan.id, reason, detail });
      return makePlan(maker, plan);
    },
  );

  app.post<OfPlan>(
    '/api/plans/:id/start',
    { schema: { params }, config: { role: 'operator' } },
    async (request) => {
      const { action, reason, counts } = await readPlan(pool, request.params.id);
      const entry = { action: 'plan.started', subject: request.params.id, reason };
      await audit(request, { ...entry, detail: { action, ...counts } });
      return startPlan(pool, request.params.id, request.operator.email);
    },
  );

  app.post<OfPlan>(
    '/api/plans/:id/cancel',
    { schema: { params }, config: { role: 'operator' } },
    async (request) => {
      const { action, reason, counts } = await readPlan(pool, request.params.id);
      const entry = { action: 'plan.cancelled', subject: request.params.id, reason };
      await audit(request, { ...entry, detail: { action, ...counts } });
      return cancelPlan(pool, request.params.id);
    },
  );
};
