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
  MOST_IMPORT_LENGTH,
  optOutOutcomes,
  type PersonReceipt,
} from '../../../model/messages/console/people-requests.ts';
import {
  importRequest,
  leadId,
  oneOf,
  type PersonRequest,
  personRequest,
  reason,
  textOf,
} from '../../../model/messages/console/requests.ts';
import { destinationTitle } from '../../insight/lead-page/words.ts';
import { addAuditEntry } from '../../people/audit.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import {
  dismissRequests,
  type Erasure,
  erase,
  findErasure,
  honourRequests,
  importSuppressions,
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
} from '../../privacy/index.ts';
import { admin, type ConsoleContext, type ConsoleRoutes, operator, viewer } from './context.ts';

const limit = 30;
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
type OfRequest = FastifyRequest & {
  readonly params: Static<typeof params>;
  readonly body: Static<typeof changeBody>;
};

/** Adds the routes of the suppression list. */
const suppressionRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool } = context;
  const onePerson = operator({ body: personRequest });

  app.get('/api/suppressions', viewer({ querystring: pageQuery }), ({ query }) =>
    listSuppressions(pool, { ...query, limit }),
  );

  app.post('/api/suppressions/look-up', onePerson, async (request) => {
    await auditPerson(context, request, 'person.looked_up');
    return lookUpSuppression(context, request.body.person);
  });

  app.post('/api/suppressions/add', onePerson, async (request) => {
    await auditPerson(context, request, 'person.suppressed');
    const done = await suppress(context, request.body.person, request.operator.email);
    return { stopped: done.stopped, receipts: receiptAnswers(done.receipts, MOST_RECEIPTS) };
  });

  app.post('/api/suppressions/remove', onePerson, async (request) => {
    await auditPerson(context, request, 'person.unsuppressed');
    const done = await undoSuppress(context, request.body.person, request.operator.email);
    if (done.keys === 0) throw new OperatorError('refused', 'The person is not on the list.');
    context.wake();
    return done;
  });

  app.get('/api/suppressions/imports', viewer(), () => listImports(pool, RECENT_IMPORTS));

  app.post(
    '/api/suppressions/import',
    // Characters beyond ASCII have two bytes and more.
    { ...operator({ body: importRequest }), bodyLimit: 2 * MOST_IMPORT_LENGTH },
    async (request) => {
      const { csv, reason: why } = request.body;
      const entry = { subject: 'the suppression list', reason: why };
      await context.audit(request, { ...entry, action: 'suppressions.import_started' });
      const actor = request.operator.email;
      const done = await importSuppressions(context, Readable.from([csv]), actor);
      const { id, added, known, refused } = done;
      const detail = { import: id, added, known, refused: refused.length };
      await context.audit(request, { ...entry, action: 'suppressions.imported', detail });
      return done;
    },
  );
};

/** Adds the routes of do-not-sell requests. */
const optOutRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool, settings } = context;

  app.get('/api/opt-outs', viewer({ querystring: optOutsQuery }), async ({ query }) => {
    const clock = { now: new Date(), timeZone: settings.operatorsTimeZone };
    const { requests, ...rest } = await listOptOuts(pool, { ...query, limit }, clock);
    const shown = requests.map((one) => ({
      ...one,
      receipts: receiptAnswers(one.receipts, MOST_RECEIPTS),
    }));
    return { ...rest, requests: shown };
  });

  /** Writes the audit log and returns which requests the action is about. */
  async function chosen(request: OfRequest, action: string) {
    const { id } = request.params;
    const { scope: chosenScope, reason: why } = request.body;
    const selection = await selectionOf(pool, id, chosenScope);
    const subject = requestSubject(id.toLowerCase());
    const detail = { scope: chosenScope };
    await context.audit(request, { action, subject, reason: why, detail });
    return selection;
  }
  const change = operator({ params, body: changeBody });

  app.post('/api/opt-outs/:id/honour', change, async (request) =>
    changed(await honourRequests(pool, await chosen(request, 'opt_out.honoured'))),
  );

  app.post('/api/opt-outs/:id/dismiss', change, async (request) =>
    changed(await dismissRequests(pool, await chosen(request, 'opt_out.dismissed'))),
  );

  // Says what an undo would do; it changes nothing, so it needs no reason.
  app.post(
    '/api/opt-outs/:id/undo-plan',
    operator({ params, body: scopeBody }),
    async (request) => {
      const { id } = request.params;
      const selection = await selectionOf(pool, id, request.body.scope);
      const entry = { action: 'opt_out.undo_planned', subject: requestSubject(id) };
      await context.audit(request, { ...entry, detail: request.body });
      return undoRequests(pool, selection, { actor: request.operator.email, isDryRun: true });
    },
  );

  app.post('/api/opt-outs/:id/undo', change, async (request) => {
    const by = { actor: request.operator.email, isDryRun: false };
    const { requests } = await undoRequests(pool, await chosen(request, 'opt_out.undone'), by);
    const done = changed(requests);
    context.wake();
    return done;
  });
};

/** @throws OperatorError when no request was in the state that the action needs */
function changed(requests: number): { readonly requests: number } {
  if (requests > 0) return { requests };
  throw new OperatorError('refused', 'The request is not in that state any more: reload the list.');
}

/** Adds the routes of erasure. */
const erasureRoutes: ConsoleRoutes = async (app, { context }) => {
  app.get('/api/erasures', viewer({ querystring: erasuresQuery }), ({ query }) =>
    listErasures(context.pool, { ...query, limit }),
  );

  app.post('/api/erasures/plan', admin({ body: personRequest }), async (request) => {
    await auditPerson(context, request, 'erasure.planned');
    return erasureAnswer(await findErasure(context, request.body.person));
  });

  app.post('/api/erasures', admin({ body: erasureBody }), async (request) => {
    const { person, confirm, reason: why } = request.body;
    if (confirm.trim().toLowerCase() !== ERASE_WORD) {
      throw new OperatorError('usage', `Type "${ERASE_WORD}" to confirm. Nothing was erased.`);
    }
    const subject = await subjectOf(context, person);
    const actor = request.operator.email;
    const erased = await erase(context, person, actor, undefined, (client) =>
      addAuditEntry(client, { actor, action: 'person.erased', subject, reason: why }),
    );
    return erasureAnswer(erased);
  });
};

/** Registers the routes of "Do not contact and erasure". */
export const requestsRoutes: ConsoleRoutes = async (app, options) => {
  for (const routes of [suppressionRoutes, optOutRoutes, erasureRoutes]) await routes(app, options);
};

/** Adds to the audit log what was done to the person of the body, by a key instead of the name. */
async function auditPerson(context: ConsoleContext, request: PersonBody, action: string) {
  const { person, reason: why } = request.body;
  const subject = await subjectOf(context, person);
  await context.audit(request, { action, subject, reason: why });
}

function erasureAnswer(erasure: Erasure): ErasureAnswer {
  return { ...erasure, receipts: receiptAnswers(erasure.receipts) };
}

const receiptTexts: Readonly<Record<string, string>> = {
  delivered: 'received it',
  sending: 'is receiving it',
};

function receiptAnswers(receipts: readonly Receipt[], most?: number): PersonReceipt[] {
  return receipts.slice(0, most).map(({ lead_id, destination, state, at, is_personal }) => ({
    destination: destinationTitle(destination),
    leadId: lead_id,
    text: receiptTexts[state] ?? 'may have received it',
    // Stored receipts are JSON, with the time as text.
    at: new Date(at).toISOString(),
    isPersonal: is_personal,
  }));
}
