/** Routes for the pages Deliveries and Plans. */
import { Type } from '@sinclair/typebox';
import type { Role } from '../../../model/messages/console/people.ts';
import {
  day,
  leadId,
  oneOf,
  planRequest,
  reason,
  textOf,
} from '../../../model/messages/console/requests.ts';
import { type Plan, planItemStates } from '../../../model/messages/console/work.ts';
import { pauseDestination, resumeDestination } from '../../delivery/index.ts';
import * as insight from '../../insight/index.ts';
import { reasonFor } from '../../platform/shown-reason.ts';
import type { RequestOf } from '../add-route.ts';
import { type Area, operator, perPerson, viewer } from './route.ts';

const periodQuery = Type.Object({ from: day, to: day });
const change = { params: Type.Object({ name: textOf(40) }), body: Type.Object({ reason }) };

export const deliveriesArea: Area = ({ pool, settings, wake }) => ({
  'GET /api/deliveries': viewer({ querystring: periodQuery }, ({ query, operator: { role } }) =>
    insight.readDeliveries(pool, {
      destinations: settings.destinations,
      period: { ...insight.checkPeriod(query), timeZone: settings.operatorsTimeZone },
      now: new Date(),
      role,
    }),
  ),

  'POST /api/destinations/:name/pause': operator(change, async (request) => {
    const { params, body, operator: by } = request;
    await request.audit('destination.paused', params.name);
    await pauseDestination(pool, params.name, { operator: by.email, reason: body.reason });
    return {};
  }),

  'POST /api/destinations/:name/resume': operator(change, async (request) => {
    await request.audit('destination.resumed', request.params.name);
    await resumeDestination(pool, request.params.name);
    wake();
    return {};
  }),
});

const ofPlan = { params: Type.Object({ id: leadId }) };
const itemsQuery = Type.Object({
  after: Type.Optional(Type.Integer({ minimum: 0 })),
  state: Type.Optional(oneOf(planItemStates)),
});
const PLANS_PER_MINUTE = 20;

export const plansArea: Area = ({ pool, settings, personKey, wake }) => {
  const list = insight.leadListOf(pool, settings, personKey);
  const audit = async (request: RequestOf<typeof ofPlan>, name: string) => {
    const { id, action, reason: why, counts } = await insight.readPlan(pool, request.params.id);
    await request.audit(name, id, { action, ...counts }, why);
  };
  return {
    'GET /api/plans': viewer({}, async ({ operator: { role } }) => {
      const { plans } = await insight.listPlans(pool);
      return { plans: plans.map((plan) => planFor(role, plan)) };
    }),

    'GET /api/plans/:id': viewer(ofPlan, async ({ params, operator: { role } }) =>
      planFor(role, await insight.readPlan(pool, params.id)),
    ),

    'GET /api/plans/:id/items': viewer(
      { ...ofPlan, querystring: itemsQuery },
      ({ params, query }) => insight.readPlanItems(pool, params.id, query),
    ),

    'POST /api/plans': operator(
      { body: planRequest },
      ({ body, operator: { email } }) => insight.makePlan(list, body, email),
      perPerson(PLANS_PER_MINUTE),
    ),

    'POST /api/plans/:id/start': operator(ofPlan, async (request) => {
      await audit(request, 'plan.started');
      const plan = await insight.startPlan(pool, request.params.id, request.operator.email);
      wake();
      return plan;
    }),

    'POST /api/plans/:id/cancel': operator(ofPlan, async (request) => {
      await audit(request, 'plan.cancelled');
      return insight.cancelPlan(pool, request.params.id);
    }),
  };
};

/** Returns a bulk plan without the values that a role may not read. */
function planFor(role: Role, plan: Plan): Plan {
  return { ...plan, reason: reasonFor(role, plan.reason) };
}
