/** Bulk plans: make one, look at it, start it, cancel it. */
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { Role } from '../../../model/messages/console/people.ts';
import { leadId, oneOf, planRequest } from '../../../model/messages/console/requests.ts';
import { type Plan, planItemStates } from '../../../model/messages/console/work.ts';
import { leadListOf } from '../../insight/lead-list/condition.ts';
import { makePlan } from '../../insight/plans/make-plan.ts';
import {
  cancelPlan,
  listPlans,
  readPlan,
  readPlanItems,
  startPlan,
} from '../../insight/plans/read-plans.ts';
import { reasonFor } from '../../platform/shown-reason.ts';
import { type ConsoleRoutes, operator, viewer } from './context.ts';
import { perPerson } from './limits.ts';

const params = Type.Object({ id: leadId });
const itemsQuery = Type.Object({
  after: Type.Optional(Type.Integer({ minimum: 0 })),
  state: Type.Optional(oneOf(planItemStates)),
});
const MADE_PER_MINUTE = 20;

export const plansRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool } = context;
  const list = leadListOf(pool, context.settings, context.personKey);

  app.get('/api/plans', viewer(), async ({ operator: { role } }) => {
    const { plans } = await listPlans(pool);
    return { plans: plans.map((plan) => planFor(role, plan)) };
  });

  app.get('/api/plans/:id', viewer({ params }), async (request) =>
    planFor(request.operator.role, await readPlan(pool, request.params.id)),
  );

  app.get('/api/plans/:id/items', viewer({ params, querystring: itemsQuery }), (request) =>
    readPlanItems(pool, request.params.id, request.query),
  );

  app.post(
    '/api/plans',
    operator({ body: planRequest }, perPerson(MADE_PER_MINUTE)),
    ({ body, operator: { email } }) => makePlan(list, body, email),
  );

  app.post('/api/plans/:id/start', operator({ params }), async (request) => {
    await audit(request, request.params, 'plan.started');
    return startPlan(pool, request.params.id, request.operator.email);
  });

  app.post('/api/plans/:id/cancel', operator({ params }), async (request) => {
    await audit(request, request.params, 'plan.cancelled');
    return cancelPlan(pool, request.params.id);
  });

  async function audit(request: FastifyRequest, of: Static<typeof params>, name: string) {
    const { id, action, reason, counts } = await readPlan(pool, of.id);
    const detail = { action, ...counts };
    await context.audit(request, { action: name, subject: id, reason, detail });
  }
};

/** Returns a plan as a role may read it. */
function planFor(role: Role, plan: Plan): Plan {
  return { ...plan, reason: reasonFor(role, plan.reason) };
}
