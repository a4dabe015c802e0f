/** Routes for the lead list, counts, exports, and one lead's page and actions. */
import { Readable } from 'node:stream';
import { type Static, Type } from '@sinclair/typebox';
import { suggestedKeys } from '../../../model/messages/console/leads.ts';
import {
  adjustmentRequest,
  filterQuery,
  leadExportRequest,
  leadId,
  oneOf,
  textOf,
  uuid,
} from '../../../model/messages/console/requests.ts';
import { makePack } from '../../evidence/index.ts';
import * as insight from '../../insight/index.ts';
import { adjust } from '../../money/index.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import type { RequestOf } from '../add-route.ts';
import { type Area, admin, operator, perPerson, viewer } from './route.ts';

const placeQuery = Type.Object({ ...filterQuery.properties, after: Type.Optional(textOf(300)) });
const listQuery = Type.Object({
  ...placeQuery.properties,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  order: Type.Optional(oneOf(['newest', 'oldest'])),
});
const valuesQuery = Type.Object({ key: oneOf(suggestedKeys) });
const EXPORTS_PER_MINUTE = 10;

export const leadListArea: Area = ({ copy, settings, personKey }) => {
  const list = insight.leadListOf(copy.pool, settings, personKey);
  return {
    'GET /api/leads': viewer({ querystring: listQuery }, (request) => {
      const { limit = 100, order } = request.query;
      const filter = filterOf(request);
      const after = placeOf(request.query);
      const direction = order === 'oldest' ? 'newer' : 'older';
      return insight.listLeads(list, filter, { after, limit, direction });
    }),

    'GET /api/leads/count': viewer({ querystring: filterQuery }, (request) =>
      insight.countLeads(list, filterOf(request)),
    ),

    'GET /api/leads/newer': viewer({ querystring: placeQuery }, (request) => {
      const after = placeOf(request.query);
      return insight.countLeads(list, filterOf(request), { after, direction: 'newer', limit: 100 });
    }),

    'GET /api/lead-values': viewer({ querystring: valuesQuery }, ({ query }) =>
      insight.leadValues(list, query.key),
    ),

    'POST /api/leads/export': operator(
      { body: leadExportRequest },
      async (request, reply) => {
        const { format } = request.body;
        const filter = insight.parseLeadFilter(request.body.filter);
        await request.audit('leads.exported', 'leads', {
          format,
          filter: insight.recordedFilter(filter),
        });
        const text = insight.exportText(list, filter, format);
        return reply
          .header('content-disposition', `attachment; filename="leads.${format}"`)
          .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
          .send(Readable.from(text));
      },
      perPerson(EXPORTS_PER_MINUTE),
    ),
  };
};

function placeOf({ after }: Static<typeof placeQuery>) {
  return after === undefined ? undefined : insight.readPlace(after);
}

/** Returns the lead filter in the query. @throws OperatorError if a viewer searches for a person */
function filterOf({ query, operator: { role } }: RequestOf<{ querystring: typeof listQuery }>) {
  const filter = insight.parseLeadFilter(query);
  if (role !== 'viewer' || !insight.namesPerson(filter)) return filter;
  throw new OperatorError(
    'not_allowed',
    'As a viewer you can search for lead ids only, because names are masked for you.',
  );
}

const params = Type.Object({ id: leadId });
/** The operator's reason for an action, chosen from a list or typed. */
const reason = Type.String({ minLength: 3, maxLength: 300, pattern: '\\S' });
const count = Type.Integer({ minimum: 1, maximum: 10_000 });
const withReason = { params, body: Type.Object({ reason }) };
const withRevision = { params, body: Type.Object({ reason, revision: count }) };
const ofAttempt = {
  params,
  body: Type.Object({ reason, deliveryId: uuid, attempt: Type.Optional(count) }),
};
const ofDelivery = {
  params,
  body: Type.Object({ reason, deliveryId: uuid, force: Type.Boolean() }),
};
const ofRecipient = {
  params,
  body: Type.Object({ reason, recipient: Type.Optional(textOf(60)) }),
};
const PACKS_PER_MINUTE = 20;

type LeadRequest = RequestOf<typeof withReason>;

export const leadArea: Area = ({ pool, settings, personKey, wake }) => {
  const from = { pool, settings, people: { pool, personKey, settings } };

  /** Runs `act`, after adding an audit entry if `action` is set. */
  const run = async (
    request: LeadRequest,
    act: insight.PreparedAct,
    action?: string,
    detail = {},
  ) => {
    if (action !== undefined) await request.audit(action, idOf(request), detail);
    const answer = await act.run();
    wake();
    return answer;
  };
  const review = (action: 'release' | 'dismiss', name: string) =>
    operator(withRevision, async (request) => {
      const { revision } = request.body;
      const by = { ...actOf(request), revision };
      const act = await insight.prepareAction(from, idOf(request), action, by);
      return run(request, act, name, { revision });
    });

  return {
    'GET /api/leads/:id': viewer({ params }, (request) =>
      insight.readLead(from, idOf(request), { role: request.operator.role, isOpened: false }),
    ),

    'POST /api/leads/:id/open': operator(withReason, async (request) => {
      const { role } = request.operator;
      const answer = await insight.readLead(from, idOf(request), { role, isOpened: true });
      await request.audit('lead.opened', idOf(request));
      return answer;
    }),

    'POST /api/leads/:id/bytes': operator(ofAttempt, async (request) => {
      const { deliveryId, attempt } = request.body;
      const bytes = await insight.readAttemptBytes(from, idOf(request), { deliveryId, attempt });
      const detail = { delivery: deliveryId, attempt };
      await request.audit('lead.bytes_opened', idOf(request), detail);
      return bytes;
    }),

    'POST /api/leads/:id/release': review('release', 'lead.released'),
    'POST /api/leads/:id/dismiss': review('dismiss', 'lead.dismissed'),

    'POST /api/leads/:id/suppress': operator(withReason, async (request) => {
      const act = await insight.prepareAction(from, idOf(request), 'suppress', actOf(request));
      return run(request, act, 'lead.suppressed');
    }),

    'POST /api/leads/:id/erase': admin(withReason, async (request) =>
      run(request, await insight.prepareAction(from, idOf(request), 'erase', actOf(request))),
    ),

    'POST /api/leads/:id/resend': operator(ofDelivery, async (request) => {
      const act = await insight.prepareResend(from, idOf(request), request.body, actOf(request));
      const detail = { destination: act.destination, force: request.body.force };
      return run(request, act, 'lead.resent', detail);
    }),

    'POST /api/leads/:id/adjust': operator({ params, body: adjustmentRequest }, async (request) => {
      const { reason: _, ...detail } = request.body;
      await request.audit('lead.adjusted', idOf(request), detail);
      await adjust(pool, idOf(request), { ...request.body, actor: request.operator.email });
      return {};
    }),

    'POST /api/leads/:id/evidence': operator(
      ofRecipient,
      async (request, reply) => {
        const { recipient } = request.body;
        const { name, bytes, problems } = await makePack(from, idOf(request), recipient);
        for (const problem of problems) request.log.warn(problem);
        const detail = { recipient: recipient ?? null };
        await request.audit('lead.evidence_made', idOf(request), detail);
        return reply
          .header('content-disposition', `attachment; filename="${name}"`)
          .type('application/zip')
          .send(Buffer.from(bytes));
      },
      perPerson(PACKS_PER_MINUTE),
    ),
  };
};

function idOf({ params: { id } }: RequestOf<{ params: typeof params }>): string {
  return id.toLowerCase();
}

function actOf({ operator: { email, role }, body }: LeadRequest): insight.Act {
  return { actor: email, role, reason: body.reason.trim() };
}
