/** Routes for the statements of buyers. */
import { Type } from '@sinclair/typebox';
import { MOST_IMPORT_LENGTH } from '../../../model/messages/console/people-requests.ts';
import { uuid } from '../../../model/messages/console/requests.ts';
import {
  differenceDecision,
  differenceStates,
  statementRequest,
} from '../../../model/messages/console/statements.ts';
import { isBuyer } from '../../delivery/destinations/index.ts';
import { readBuyers } from '../../delivery/index.ts';
import { csvRecord, destinationTitle } from '../../insight/index.ts';
import * as money from '../../money/index.ts';
import { usage } from '../../platform/operator-error.ts';
import { type Area, type ConsoleContext, operator, viewer } from './route.ts';

const params = Type.Object({ id: uuid });

export const statementsArea: Area = (context) => ({
  'GET /api/statements': viewer({}, async () => {
    const statements = await money.listStatements(context.pool);
    return { statements, buyers: await buyersOf(context) };
  }),

  'GET /api/statements/:id': viewer({ params }, ({ params: { id } }) =>
    money.readDifferences(context.pool, id, differenceStates, money.SHOWN),
  ),

  'POST /api/statements': operator(
    { body: statementRequest },
    async (request) => {
      const { body, operator: by } = request;
      const { destination, fileName: file, isDryRun } = body;
      const buyers = await buyersOf(context);
      if (!buyers.some(({ id }) => id === destination)) throw usage('There is no such buyer.');
      if (!isDryRun) await request.audit('statement.compared', destination, { file });
      const about = { actor: by.email, timeZone: context.settings.operatorsTimeZone };
      return money.addStatement(context.pool, body, about);
    },
    // The factor 2 converts characters to bytes, because most characters take at most two bytes.
    { bodyLimit: 2 * MOST_IMPORT_LENGTH },
  ),

  'POST /api/statements/:id/decide': operator(
    { params, body: differenceDecision },
    async (request) => {
      const { params: of, body, operator: by } = request;
      const { number, state } = body;
      // The difference has the reason, which can name a person, so that an erasure finds it.
      await request.audit('statement.decided', of.id, { number, state }, '');
      return { decided: await money.decideDifferences(context.pool, of.id, body, by.email) };
    },
  ),

  'POST /api/statements/:id/disputes': operator({ params }, async (request, reply) => {
    const { id } = request.params;
    const disputes = await money.readDifferences(context.pool, id, ['disputed']);
    await request.audit('statement.exported', id, { disputes: disputes.length });
    const rows = disputes.map(({ reference, leadId, kind, ours, theirs, amount, note }) =>
      csvRecord([reference, leadId ?? '', kind, ours, theirs, amount.toFixed(2), note]),
    );
    const head = csvRecord(['reference', 'lead_id', 'kind', 'ours', 'theirs', 'amount', 'note']);
    return reply
      .header('content-disposition', 'attachment; filename="disputes.csv"')
      .type('text/csv; charset=utf-8')
      .send([head, ...rows].join(''));
  }),
});

/** Returns the destinations that buy leads, with or without terms. */
async function buyersOf({ pool, settings }: ConsoleContext) {
  const names = settings.destinations.map(({ definition }) => definition.name).filter(isBuyer);
  const buyers = await readBuyers(pool);
  const labels = new Map([
    ...names.map((name) => [name, destinationTitle(name)] as const),
    ...buyers.map(({ destination, terms }) => [destination, terms.name] as const),
  ]);
  return [...labels].map(([id, label]) => ({ id, label }));
}
