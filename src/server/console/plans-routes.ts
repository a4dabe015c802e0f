/** Bulk plans: make one, look at it, start it, cancel it. */
import type { Role } from '../../contract/console/people.ts';
import {
  type Plan,
  type PlanItem,
  type PlanRequest,
  planActions,
  planItemStates,
} from '../../contract/console/work.ts';
import { filterContext } from '../operators/lead-list/condition.ts';
import { makePlan } from '../operators/plans/make-plan.ts';
import {
  cancelPlan,
  listPlans,
  readPlan,
  readPlanItems,
  startPlan,
} from '../operators/plans/read-plans.ts';
import { reasonFor } from '../operators/reasons.ts';
import { leadIdSchema, objectOf, textOf } from '../routes/route-options.ts';
import type { ConsoleRoutes } from './context.ts';
import { perPerson } from './limits.ts';

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

const MADE_PER_MINUTE = 20;

type OfPlan = { Params: { id: string } };

export const plansRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool, db, audit } = context;
  const maker = { pool, db, ...filterContext(context.settings, context.personKey) };

  app.get('/api/plans', { config: { role: 'viewer' } }, async ({ operator }) => {
    const { plans } = await listPlans(pool);
    return { plans: plans.map((plan) => planFor(operator.role, plan)) };
  });

  app.get<OfPlan>(
    '/api/plans/:id',
    { schema: { params }, config: { role: 'viewer' } },
    async ({ params: { id }, operator }) => planFor(operator.role, await readPlan(pool, id)),
  );

  app.get<OfPlan & { Querystring: { after?: number; state?: PlanItem['state'] } }>(
    '/api/plans/:id/items',
    { schema: { params, querystring: itemsQuery }, config: { role: 'viewer' } },
    (request) => readPlanItems(pool, request.params.id, request.query),
  );

  app.post<{ Body: PlanRequest }>(
    '/api/plans',
    { schema: planSchema, config: { role: 'operator', rateLimit: perPerson(MADE_PER_MINUTE) } },
    ({ body, operator }) => makePlan(maker, body, operator.email),
  );

  app.post<OfPlan>(
    '/api/plans/:id/start',
    { schema: { params }, config: { role: 'operator' } },
    async (request) => {
      const { id, action, reason, counts } = await readPlan(pool, request.params.id);
      const entry = { action: 'plan.started', subject: id, reason };
      await audit(request, { ...entry, detail: { action, ...counts } });
      return startPlan(pool, request.params.id, request.operator.email);
    },
  );

  app.post<OfPlan>(
    '/api/plans/:id/cancel',
    { schema: { params }, config: { role: 'operator' } },
    async (request) => {
      const { id, action, reason, counts } = await readPlan(pool, request.params.id);
      const entry = { action: 'plan.cancelled', subject: id, reason };
      await audit(request, { ...entry, detail: { action, ...counts } });
      return cancelPlan(pool, request.params.id);
    },
  );
};

/** Returns a plan as a role may read it. */
function planFor(role: Role, plan: Plan): Plan {
  return { ...plan, reason: reasonFor(role, plan.reason) };
}
