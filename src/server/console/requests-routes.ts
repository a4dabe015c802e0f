/**
 * Routes of the suppression list, do-not-sell requests and erasure. What an operator types about a person comes
 * only in bodies, and no answer repeats it.
 */
import { Readable } from 'node:stream';
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import {
  ERASE_WORD,
  type ErasureAnswer,
  type ErasureListAnswer,
  MOST_IMPORT_LENGTH,
  type OptOutChange,
  type OptOutListAnswer,
  optOutOutcomes,
  type PersonReceipt,
  type SuppressionChange,
  type SuppressionEntry,
  type SuppressionImport,
  type SuppressionImportEntry,
  type SuppressionListAnswer,
  type SuppressionLookup,
} from '../../contract/console/people-requests.ts';
import {
  importRequest,
  leadId,
  oneOf,
  type PersonRequest,
  personRequest,
  reason,
  textOf,
} from '../../contract/console/requests.ts';
import { addAuditEntry } from '../operators/access/audit.ts';
import { destinationTitle } from '../operators/lead-page/words.ts';
import { OperatorError } from '../operators/operator-error.ts';
import {
  dismissRequests,
  type Erasure,
  erase,
  findErasure,
  honourRequests,
  importSuppressions,
  type ListedKey,
  listErasures,
  listImports,
  listOptOuts,
  listSuppressions,
  lookUpSuppression,
  type Receipt,
  requestSubject,
  selectionOf,
  subjectOf,
  suppress,
  undoRequests,
  undoSuppress,
} from '../privacy/index.ts';
import {
  admin,
  type ConsoleArea,
  type ConsoleContext,
  type ConsoleRoutes,
  operator,
  viewer,
} from './context.ts';

const PAGE = 30;
const RECENT_IMPORTS = 10;
/** The receipts of a request that are listed. */
const MOST_RECEIPTS = 20;

const TIME = '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d+)?[+-]\\d\\d(:?\\d\\d)?';
const place = Type.String({ pattern: `${TIME}~[\\w.-]{0,40}$` });
const placeWithId = Type.String({ pattern: `${TIME}~[0-9a-f-]{36}$` });
const strict = { additionalProperties: false };
const pageQuery = Type.Object({ after: Type.Optional(place) }, strict);
const erasuresQuery = Type.Object({ after: Type.Optional(placeWithId) }, strict);
const optOutsQuery = Type.Object(
  { after: Type.Optional(placeWithId), outcome: Type.Optional(oneOf(optOutOutcomes)) },
  strict,
);
const params = Type.Object({ id: leadId });
const scope = oneOf(['one', 'sender']);
const scopeBody = Type.Object({ scope });
const changeBody = Type.Object({ reason, scope });
const erasureBody = Type.Object({ ...personRequest.properties, confirm: textOf(20) });

type PersonBody = FastifyRequest & { readonly body: PersonRequest };

const receiptTexts: Readonly<Record<string, string>> = {
  delivered: 'received it',
  sending: 'is receiving it',
};

function receiptAnswer({ lead_id, destination, state, at, is_personal }: Receipt): PersonReceipt {
  return {
    destination: destinationTitle(destination),
    leadId: lead_id,
    text: receiptTexts[state] ?? 'may have received it',
    at: new Date(at).toISOString(),
    isPersonal: is_personal,
  };
}

function entryAnswer({ createdAt, ...entry }: ListedKey): SuppressionEntry {
  return { ...entry, at: createdAt.toISOString() };
}

/** Registers the routes of "Do not contact and erasure". */
export const requestsRoutes: ConsoleRoutes = async (app, { context }) => {
  suppressionRoutes(app, context);
  importRoutes(app, context);
  optOutRoutes(app, context);
  erasureRoutes(app, context);
};

function suppressionRoutes(app: ConsoleArea, context: ConsoleContext): void {
  app.get(
    '/api/suppressions',
    { config: viewer, schema: { querystring: pageQuery } },
    async (request): Promise<SuppressionListAnswer> => {
      const { after } = request.query;
      const { entries, next } = await listSuppressions(context.pool, { after, limit: PAGE });
      return { entries: entries.map(entryAnswer), next };
    },
  );

  app.post(
    '/api/suppressions/look-up',
    { config: operator, schema: { body: personRequest } },
    async (request): Promise<SuppressionLookup> => {
      const asked = await audited(request, 'person.looked_up');
      const { entries, leads } = await lookUpSuppression(context, asked);
      return { isListed: entries.length > 0, entries: entries.map(entryAnswer), leads };
    },
  );

  app.post(
    '/api/suppressions/add',
    { config: operator, schema: { body: personRequest } },
    async (request): Promise<SuppressionChange> => {
      const asked = await audited(request, 'person.suppressed');
      const { stopped, ...done } = await suppress(context, asked, request.operator.email);
      const receipts = done.receipts.slice(0, MOST_RECEIPTS).map(receiptAnswer);
      return { ...done, deliveries: stopped, receipts };
    },
  );

  app.post(
    '/api/suppressions/remove',
    { config: operator, schema: { body: personRequest } },
    async (request): Promise<SuppressionChange> => {
      const asked = await audited(request, 'person.unsuppressed');
      const { keys, deliveries } = await undoSuppress(context, asked, request.operator.email);
      if (keys === 0) throw new OperatorError('refused', 'The person is not on the list.');
      context.wake();
      return { keys, leads: 0, deliveries, receipts: [] };
    },
  );

  /** Writes the audit log and returns what the operator typed about the person. */
  async function audited(request: PersonBody, action: string): Promise<string> {
    const { body } = request;
    const subject = await subjectOf(context, body.person);
    await context.audit(request, { action, subject, reason: body.reason });
    return body.person;
  }
}

function importRoutes(app: ConsoleArea, context: ConsoleContext): void {
  app.get(
    '/api/suppressions/imports',
    { config: viewer },
    async (): Promise<readonly SuppressionImportEntry[]> => {
      const imports = await listImports(context.pool, RECENT_IMPORTS);
      return imports.map(({ createdAt, finishedAt, ...one }) => ({
        ...one,
        at: createdAt.toISOString(),
        finishedAt: finishedAt?.toISOString() ?? null,
      }));
    },
  );

  app.post(
    '/api/suppressions/import',
    {
      // Characters beyond ASCII have two bytes and more.
      bodyLimit: 2 * MOST_IMPORT_LENGTH,
      config: operator,
      schema: { body: importRequest },
    },
    async (request): Promise<SuppressionImport> => {
      const { body } = request;
      const entry = { subject: 'the suppression list', reason: body.reason };
      await context.audit(request, { ...entry, action: 'suppressions.import_started' });
      const { id, refused, ...counts } = await importSuppressions(
        context,
        Readable.from([body.csv]),
        request.operator.email,
      );
      const detail = { import: id, ...counts, refused: refused.length };
      await context.audit(request, { ...entry, action: 'suppressions.imported', detail });
      return { ...counts, refused };
    },
  );
}

function optOutRoutes(app: ConsoleArea, context: ConsoleContext): void {
  const { pool, settings } = context;
  const timeZone = settings.operatorsTimeZone;

  app.get(
    '/api/opt-outs',
    { config: viewer, schema: { querystring: optOutsQuery } },
    async (request): Promise<OptOutListAnswer> => {
      const clock = { now: new Date(), timeZone };
      const { requests, ...rest } = await listOptOuts(
        pool,
        { ...request.query, limit: PAGE },
        clock,
      );
      return {
        ...rest,
        requests: requests.map(({ receivedAt, receipts, daysLeft, ofSameSender, ...one }) => ({
          ...one,
          receivedAt: receivedAt.toISOString(),
          daysLeft: one.outcome === 'waiting' ? daysLeft : null,
          receipts: receipts.slice(0, MOST_RECEIPTS).map(receiptAnswer),
          ofSameSender: Math.max(1, ofSameSender),
        })),
      };
    },
  );

  type OfRequest = FastifyRequest & {
    readonly params: Static<typeof params>;
    readonly body: Static<typeof changeBody>;
  };
  /** Writes the audit log and returns which requests the action is about. */
  async function chosen(request: OfRequest, action: string) {
    const {
      params: { id },
      body,
    } = request;
    const selection = await selectionOf(pool, id, body.scope);
    const detail = { scope: body.scope };
    const subject = requestSubject(id.toLowerCase());
    await context.audit(request, { action, subject, reason: body.reason, detail });
    return selection;
  }
  const route = { config: operator, schema: { params, body: changeBody } };
  const nothing = { requests: 0, deliveries: 0, removed: 0, kept: 0 };

  app.post('/api/opt-outs/:id/honour', route, async (request): Promise<OptOutChange> => {
    const selection = await chosen(request, 'opt_out.honoured');
    const { requests, stopped } = await honourRequests({ pool }, selection);
    return { ...nothing, requests: changed(requests), deliveries: stopped };
  });

  app.post('/api/opt-outs/:id/dismiss', route, async (request): Promise<OptOutChange> => {
    const selection = await chosen(request, 'opt_out.dismissed');
    return { ...nothing, requests: changed(await dismissRequests(pool, selection)) };
  });

  // Says what an undo would do; it changes nothing, so it needs no reason.
  app.post(
    '/api/opt-outs/:id/undo-plan',
    { config: operator, schema: { params, body: scopeBody } },
    async (request): Promise<OptOutChange> => {
      const { id } = request.params;
      const selection = await selectionOf(pool, id, request.body.scope);
      const entry = { action: 'opt_out.undo_planned', subject: requestSubject(id) };
      await context.audit(request, { ...entry, detail: request.body });
      return undo(selection, request, true);
    },
  );

  app.post('/api/opt-outs/:id/undo', route, async (request): Promise<OptOutChange> => {
    const done = await undo(await chosen(request, 'opt_out.undone'), request, false);
    changed(done.requests);
    context.wake();
    return done;
  });

  async function undo(
    selection: Awaited<ReturnType<typeof selectionOf>>,
    { operator }: FastifyRequest,
    isDryRun: boolean,
  ): Promise<OptOutChange> {
    const done = await undoRequests(pool, selection, { actor: operator.email, isDryRun });
    const { requests, keys, kept, deliveries } = done;
    return { requests, deliveries, removed: keys, kept };
  }
}

/** @throws OperatorError when no request was in the state that the action needs */
function changed(requests: number): number {
  if (requests > 0) return requests;
  throw new OperatorError('refused', 'The request is not in that state any more: reload the list.');
}

function erasureRoutes(app: ConsoleArea, context: ConsoleContext): void {
  app.get(
    '/api/erasures',
    { config: viewer, schema: { querystring: erasuresQuery } },
    async (request): Promise<ErasureListAnswer> => {
      const { after } = request.query;
      const { erasures, next } = await listErasures(context.pool, { after, limit: PAGE });
      return {
        next,
        erasures: erasures.map(({ detail, at, ...one }) => ({
          ...one,
          at: at.toISOString(),
          isVisit: detail.visit === true,
          revisions: (detail.revisions ?? []).length,
          deliveries: (detail.deliveries ?? []).map(({ destination, state, external_id }) => ({
            destination,
            state,
            externalId: external_id,
          })),
        })),
      };
    },
  );

  app.post(
    '/api/erasures/plan',
    { config: admin, schema: { body: personRequest } },
    async (request): Promise<ErasureAnswer> => {
      const { body } = request;
      const subject = await subjectOf(context, body.person);
      await context.audit(request, {
        action: 'erasure.planned',
        subject,
        reason: body.reason,
      });
      return erasureAnswer(await findErasure(context, body.person), null);
    },
  );

  app.post(
    '/api/erasures',
    { config: admin, schema: { body: erasureBody } },
    async (request): Promise<ErasureAnswer> => {
      const { body } = request;
      if (body.confirm.trim().toLowerCase() !== ERASE_WORD)
        throw new OperatorError('usage', `Type "${ERASE_WORD}" to confirm. Nothing was erased.`);
      const subject = await subjectOf(context, body.person);
      const actor = request.operator.email;
      const erased = await erase(context, body.person, actor, undefined, (client) =>
        addAuditEntry(client, { actor, action: 'person.erased', subject, reason: body.reason }),
      );
      return erasureAnswer(erased, new Date());
    },
  );
}

function erasureAnswer(erasure: Erasure, erasedAt: Date | null): ErasureAnswer {
  return {
    ...erasure,
    receipts: erasure.receipts.map(receiptAnswer),
    erasedAt: erasedAt?.toISOString() ?? null,
  };
}
