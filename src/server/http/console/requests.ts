/** Routes for the suppression list, do-not-sell requests and erasures. */
import { Type } from '@sinclair/typebox';
import {
  ERASE_WORD,
  type ErasureAnswer,
  optOutOutcomes,
  type PersonReceipt,
} from '../../../model/messages/console/people-requests.ts';
import {
  importRequest,
  leadId,
  oneOf,
  personRequest,
  reason,
  textOf,
} from '../../../model/messages/console/requests.ts';
import { readBuyerNames } from '../../delivery/index.ts';
import { destinationTitle } from '../../insight/index.ts';
import { addAuditEntry } from '../../people/index.ts';
import { OperatorError, refused } from '../../platform/operator-error.ts';
import * as privacy from '../../privacy/index.ts';
import type { RequestOf } from '../add-route.ts';
import { type Area, admin, type ConsoleContext, ofFile, operator, viewer } from './route.ts';

const limit = 30;
const MOST_RECEIPTS = 20;

const pageQuery = Type.Object({ after: Type.Optional(textOf(100)) });
const optOutsQuery = Type.Object({
  ...pageQuery.properties,
  outcome: Type.Optional(oneOf(optOutOutcomes)),
});
const ofPerson = { body: personRequest };
const params = Type.Object({ id: leadId });
const confirmation = Type.Object({ leadId, destination: textOf(40), reason });
const scope = oneOf(['one', 'sender']);
const change = { params, body: Type.Object({ reason, scope }) };
const erasureBody = Type.Object({ ...personRequest.properties, confirm: textOf(20) });

/** Adds an audit entry about the person in the body, which names the person only by a key. */
async function auditPerson(
  context: ConsoleContext,
  request: RequestOf<typeof ofPerson>,
  action: string,
) {
  await request.audit(action, await privacy.subjectOf(context, request.body.person));
}

export const suppressionsArea: Area = (context) => ({
  'GET /api/suppressions': viewer({ querystring: pageQuery }, ({ query }) =>
    privacy.listSuppressions(context.pool, { ...query, limit }),
  ),

  'POST /api/suppressions/look-up': operator(ofPerson, async (request) => {
    await auditPerson(context, request, 'person.looked_up');
    return privacy.lookUpSuppression(context, request.body.person);
  }),

  'POST /api/suppressions/add': operator(ofPerson, async (request) => {
    await auditPerson(context, request, 'person.suppressed');
    const { person, reason: why } = request.body;
    const by = { actor: request.operator.email, reason: why };
    const { stopped, receipts } = await privacy.suppress(context, person, by);
    context.wake();
    const names = await readBuyerNames(context.pool);
    return { stopped, receipts: receiptAnswers(receipts, names, MOST_RECEIPTS) };
  }),

  'POST /api/suppressions/remove': operator(ofPerson, async (request) => {
    await auditPerson(context, request, 'person.unsuppressed');
    const done = await privacy.undoSuppress(context, request.body.person, request.operator.email);
    if (done.keys === 0) throw refused('The person is not on the list.');
    context.wake();
    return done;
  }),

  'POST /api/suppressions/import': operator(
    { body: importRequest },
    async (request) => {
      const { csv, isDryRun } = request.body;
      if (!isDryRun) await request.audit('suppressions.imported', 'the suppression list');
      const by = { isDryRun, actor: request.operator.email };
      return privacy.importSuppressions(context, csv, by);
    },
    ofFile,
  ),

  'GET /api/revocations': viewer({}, async () => {
    const revocations = await privacy.listRevocations(context.pool);
    const names = await readBuyerNames(context.pool);
    return revocations.map((one) => ({ ...one, title: destinationTitle(one.destination, names) }));
  }),

  'POST /api/revocations/confirm': operator({ body: confirmation }, async (request) => {
    const { leadId, destination } = request.body;
    await request.audit('revocation.confirmed', leadId.toLowerCase(), { destination });
    await privacy.confirmRevocation(context.pool, { leadId, destination }, request.operator.email);
    return {};
  }),
});

export const optOutsArea: Area = (context) => {
  const { pool, settings, wake } = context;
  /** Adds an audit entry, and returns the selected do-not-sell requests. */
  const chosen = async (request: RequestOf<typeof change>, action: string) => {
    const { id } = request.params;
    const { scope } = request.body;
    const selection = await privacy.selectionOf(pool, id, scope);
    await request.audit(action, privacy.requestSubject(id.toLowerCase()), { scope });
    return selection;
  };
  return {
    'GET /api/opt-outs': viewer({ querystring: optOutsQuery }, async ({ query }) => {
      const clock = { now: new Date(), timeZone: settings.operatorsTimeZone };
      const { requests, ...rest } = await privacy.listOptOuts(pool, { ...query, limit }, clock);
      const names = await readBuyerNames(pool);
      const shown = requests.map((one) => ({
        ...one,
        receipts: receiptAnswers(one.receipts, names, MOST_RECEIPTS),
      }));
      return { ...rest, requests: shown };
    }),

    'POST /api/opt-outs/:id/honour': operator(change, async (request) =>
      changed(await privacy.honourRequests(context, await chosen(request, 'opt_out.honoured'))),
    ),

    'POST /api/opt-outs/:id/dismiss': operator(change, async (request) =>
      changed(await privacy.dismissRequests(pool, await chosen(request, 'opt_out.dismissed'))),
    ),

    'POST /api/opt-outs/:id/undo': operator(change, async (request) => {
      const selection = await chosen(request, 'opt_out.undone');
      const requests = await privacy.undoRequests(pool, selection, request.operator.email);
      wake();
      return changed(requests);
    }),
  };
};

/** Returns the number of changed requests. @throws OperatorError if the number is 0 */
function changed(requests: number): { readonly requests: number } {
  if (requests > 0) return { requests };
  throw refused('The request is not in that state any more: reload the list.');
}

export const erasuresArea: Area = (context) => ({
  'GET /api/erasures': viewer({ querystring: pageQuery }, ({ query }) =>
    privacy.listErasures(context.pool, { ...query, limit }),
  ),

  'POST /api/erasures/plan': admin(ofPerson, async (request) => {
    await auditPerson(context, request, 'erasure.planned');
    return erasureAnswer(context, await privacy.findErasure(context, request.body.person));
  }),

  'POST /api/erasures': admin({ body: erasureBody }, async (request) => {
    const { person, confirm, reason: why } = request.body;
    if (confirm.trim().toLowerCase() !== ERASE_WORD) {
      throw new OperatorError('usage', `Type "${ERASE_WORD}" to confirm. Nothing was erased.`);
    }
    const subject = await privacy.subjectOf(context, person);
    const actor = request.operator.email;
    const erased = await privacy.erase(context, person, actor, undefined, (client) =>
      addAuditEntry(client, { actor, action: 'person.erased', subject, reason: why }),
    );
    return erasureAnswer(context, erased);
  }),
});

async function erasureAnswer(
  { pool }: ConsoleContext,
  erasure: privacy.Erasure,
): Promise<ErasureAnswer> {
  return { ...erasure, receipts: receiptAnswers(erasure.receipts, await readBuyerNames(pool)) };
}

const receiptTexts: Readonly<Record<string, string>> = {
  delivered: 'received it',
  sending: 'is receiving it',
};

function receiptAnswers(
  receipts: readonly privacy.Receipt[],
  buyerNames: ReadonlyMap<string, string>,
  most?: number,
): PersonReceipt[] {
  return receipts.slice(0, most).map(({ lead_id, destination, state, at, is_personal }) => ({
    destination: destinationTitle(destination, buyerNames),
    leadId: lead_id,
    text: receiptTexts[state] ?? 'may have received it',
    at: new Date(at).toISOString(),
    isPersonal: is_personal,
  }));
}
