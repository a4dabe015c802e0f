/** The list of leads: rows, counts, export. */
import { randomUUID } from 'node:crypto';
import { finished, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type LeadExportRequest,
  leadFilterKeys,
  type SuggestedKey,
  suggestedKeys,
} from '../../contract/console/leads.ts';
import { filterContext } from '../operators/lead-list/condition.ts';
import { exportColumns, exportLeads, readColumns } from '../operators/lead-list/export.ts';
import { namesPerson, parseLeadFilter, recordedFilter } from '../operators/lead-list/filter.ts';
import {
  countLeads,
  countNewer,
  type LeadListContext,
  leadValues,
  listLeads,
  readPlace,
} from '../operators/lead-list/list.ts';
import { sendProblem } from '../routes/problem.ts';
import type { ConsoleContext, ConsoleRoutes } from './context.ts';
import { createPlaces, perPerson } from './limits.ts';

type Query = Readonly<Record<string, string>>;

const shortText = { type: 'string', maxLength: 300 } as const;
const filterProperties = Object.fromEntries(leadFilterKeys.map((key) => [key, shortText]));
const filterQuery = { type: 'object', properties: filterProperties } as const;
const placeQuery = {
  type: 'object',
  properties: { ...filterProperties, after: shortText },
} as const;
const listQuery = {
  type: 'object',
  properties: {
    ...placeQuery.properties,
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 100 },
    order: { enum: ['newest', 'oldest'], default: 'newest' },
  },
} as const;
const valuesQuery = {
  type: 'object',
  required: ['key'],
  properties: { key: { enum: suggestedKeys } },
} as const;
const filterBody = {
  type: 'object',
  additionalProperties: false,
  properties: filterProperties,
} as const;
const columnsBody = {
  type: 'array',
  maxItems: 300,
  items: { type: 'string', maxLength: 100 },
} as const;
const exportBody = {
  type: 'object',
  additionalProperties: false,
  required: ['format', 'filter', 'columns', 'reason'],
  properties: {
    format: { enum: ['csv', 'json'] },
    filter: filterBody,
    columns: columnsBody,
    reason: { type: 'string', maxLength: 500, pattern: '\\S' },
  },
} as const;
const EXPORTS_PER_MINUTE = 10;
const EXPORTS_AT_ONCE = 2;

/** Options of the routes that read leads by a filter. */
const searchable = { config: { role: 'viewer' }, preHandler: keepPersonsFromViewers } as const;

/** Adds the routes of the list of leads. */
export const leadsRoutes: ConsoleRoutes = async (app, { context }) => {
  const list: LeadListContext = {
    db: context.copy.db,
    ...filterContext(context.settings, context.personKey),
  };

  const exporting = createPlaces(
    EXPORTS_AT_ONCE,
    `${EXPORTS_AT_ONCE} exports of yours are running: wait until one has ended, or cancel one.`,
  );

  app.get<{ Querystring: Query & { readonly limit: number; readonly order: string } }>(
    '/api/leads',
    { schema: { querystring: listQuery }, ...searchable },
    ({ query }) => {
      const { after, limit, order } = query;
      return listLeads(list, parseLeadFilter(query), {
        after: after === undefined ? undefined : readPlace(after),
        limit,
        direction: order === 'oldest' ? 'newer' : 'older',
      });
    },
  );

  app.get<{ Querystring: Query }>(
    '/api/leads/count',
    { schema: { querystring: filterQuery }, ...searchable },
    ({ query }) => countLeads(list, parseLeadFilter(query)),
  );

  app.get<{ Querystring: Query }>(
    '/api/leads/newer',
    { schema: { querystring: placeQuery }, ...searchable },
    ({ query }) => {
      const after = query.after === undefined ? undefined : readPlace(query.after);
      return countNewer(list, parseLeadFilter(query), after);
    },
  );

  app.get<{ Querystring: { readonly key: SuggestedKey } }>(
    '/api/lead-values',
    { schema: { querystring: valuesQuery }, config: { role: 'viewer' } },
    ({ query }) => leadValues(list, query.key),
  );

  app.get('/api/export-columns', { config: { role: 'operator' } }, () => exportColumns);

  app.post<{ Body: LeadExportRequest }>(
    '/api/leads/export',
    {
      schema: { body: exportBody },
      config: { role: 'operator', rateLimit: perPerson(EXPORTS_PER_MINUTE) },
    },
    async (request, reply) => {
      const { format, reason } = request.body;
      const filter = parseLeadFilter(request.body.filter);
      const columns = readColumns(request.body.columns);
      finished(reply.raw, exporting.take(request.operator.id));
      const subject = `export ${randomUUID()}`;
      await context.audit(request, {
        ...{ action: 'leads.exported', subject, reason: reason.trim() },
        detail: { format, columns, filter: recordedFilter(filter) },
      });
      const text = exportLeads(list, { format, filter, columns }, (leads, isComplete) =>
        exportEnded(context, request, subject, { leads, isComplete }),
      );
      return reply
        .header('cache-control', 'no-store')
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
  if (request.operator.role !== 'viewer' || !namesPerson(parseLeadFilter(request.query as Query))) {
    return;
  }
  const detail = 'As a viewer you can search for lead ids only, because names are masked for you.';
  return sendProblem(reply, 403, 'not_allowed', detail);
}
