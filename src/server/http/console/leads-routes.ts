/** The list of leads: rows, counts, export. */
import { randomUUID } from 'node:crypto';
import { finished, Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { suggestedKeys } from '../../../model/messages/console/leads.ts';
import {
  filterQuery,
  leadExportRequest,
  oneOf,
  textOf,
} from '../../../model/messages/console/requests.ts';
import { leadListOf } from '../../insight/lead-list/condition.ts';
import { exportLeads } from '../../insight/lead-list/export.ts';
import { namesPerson, parseLeadFilter, recordedFilter } from '../../insight/lead-list/filter.ts';
import { countLeads, leadValues, listLeads, readPlace } from '../../insight/lead-list/list.ts';
import { sendProblem } from '../problem.ts';
import { type ConsoleContext, type ConsoleRoutes, operator, viewer } from './context.ts';
import { createPlaces, perPerson } from './limits.ts';

const placeQuery = Type.Object({ ...filterQuery.properties, after: Type.Optional(textOf(300)) });
const listQuery = Type.Object({
  ...placeQuery.properties,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  order: Type.Optional(oneOf(['newest', 'oldest'])),
});
const valuesQuery = Type.Object({ key: oneOf(suggestedKeys) });
const EXPORTS_PER_MINUTE = 10;
const EXPORTS_AT_ONCE = 2;

/** Returns the options of a route that reads leads by a filter. */
const search = <Schema extends FastifySchema>(schema: Schema) => ({
  ...viewer(schema),
  preHandler: keepPersonsFromViewers,
});

/** Adds the routes of the list of leads. */
export const leadsRoutes: ConsoleRoutes = async (app, { context }) => {
  const list = leadListOf(context.copy.pool, context.settings, context.personKey);

  const takeExport = createPlaces(
    EXPORTS_AT_ONCE,
    `${EXPORTS_AT_ONCE} exports of yours are running: wait until one has ended, or cancel one.`,
  );

  app.get('/api/leads', search({ querystring: listQuery }), ({ query }) => {
    const { after, limit = 100, order } = query;
    return listLeads(list, parseLeadFilter(query), {
      after: after === undefined ? undefined : readPlace(after),
      limit,
      direction: order === 'oldest' ? 'newer' : 'older',
    });
  });

  app.get('/api/leads/count', search({ querystring: filterQuery }), ({ query }) =>
    countLeads(list, parseLeadFilter(query)),
  );

  app.get('/api/leads/newer', search({ querystring: placeQuery }), ({ query }) => {
    const after = query.after === undefined ? undefined : readPlace(query.after);
    return countLeads(list, parseLeadFilter(query), { after, direction: 'newer', limit: 100 });
  });

  app.get('/api/lead-values', viewer({ querystring: valuesQuery }), ({ query }) =>
    leadValues(list, query.key),
  );

  app.post(
    '/api/leads/export',
    operator({ body: leadExportRequest }, perPerson(EXPORTS_PER_MINUTE)),
    async (request, reply) => {
      const { format, reason } = request.body;
      const filter = parseLeadFilter(request.body.filter);
      finished(reply.raw, takeExport(request.operator.id));
      const subject = `export ${randomUUID()}`;
      await context.audit(request, {
        action: 'leads.exported',
        subject,
        reason: reason.trim(),
        detail: { format, filter: recordedFilter(filter) },
      });
      const text = exportLeads(list, { format, filter }, (leads, isComplete) =>
        exportEnded(context, request, subject, { leads, isComplete }),
      );
      return reply
        .header('content-disposition', `attachment; filename="leads.${format}"`)
        .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
        .send(Readable.from(text));
    },
  );
};

/** Adds to the audit log how many leads an export gave away. The leads are sent: a failure is only logged. */
async function exportEnded(
  { audit, log }: ConsoleContext,
  request: FastifyRequest,
  subject: string,
  detail: { readonly leads: number; readonly isComplete: boolean },
): Promise<void> {
  await audit(request, { action: 'leads.export_ended', subject, detail }).catch(
    (error: unknown) => {
      log.error({ err: error, subject, ...detail }, 'The end of an export is not in the audit log');
    },
  );
}

/**
 * Refuses a viewer's search for a person: the beginnings of names would tell, letter by letter, the names that the
 * list masks.
 */
async function keepPersonsFromViewers(request: FastifyRequest, reply: FastifyReply) {
  const filter = parseLeadFilter(request.query as Readonly<Record<string, unknown>>);
  if (request.operator.role !== 'viewer' || !namesPerson(filter)) return;
  const detail = 'As a viewer you can search for lead ids only, because names are masked for you.';
  return sendProblem(reply, 403, 'not_allowed', detail);
}
