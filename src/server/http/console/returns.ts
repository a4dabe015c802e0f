/** Routes for what buyers report: the returns that wait for a decision, and imports. */
import { Type } from '@sinclair/typebox';
import { MOST_IMPORT_LENGTH } from '../../../model/messages/console/people-requests.ts';
import { leadId, oneOf, reason, textOf } from '../../../model/messages/console/requests.ts';
import {
  outcomeLists,
  outcomesRequest,
  returnDecisions,
} from '../../../model/messages/console/returns.ts';
import { isBuyer } from '../../delivery/destinations/index.ts';
import { listenersOf } from '../../delivery/index.ts';
import * as money from '../../money/index.ts';
import { usage } from '../../platform/operator-error.ts';
import { type Area, operator, viewer } from './route.ts';

const limit = 30;
const outcomesQuery = Type.Object({ list: oneOf(outcomeLists), after: Type.Optional(textOf(400)) });
const decision = Type.Object({ id: textOf(400), leadId, decision: oneOf(returnDecisions), reason });

export const returnsArea: Area = ({ pool, settings, wake }) => {
  const listeners = listenersOf(settings.destinations);
  const isKnown = (name: string) =>
    isBuyer(name) && settings.destinations.some(({ definition }) => definition.name === name);
  return {
    'GET /api/outcomes': viewer({ querystring: outcomesQuery }, ({ query }) =>
      money.listOutcomes(pool, query.list, { ...query, limit }),
    ),

    'POST /api/returns/decide': operator({ body: decision }, async (request) => {
      const { body } = request;
      // The subject is the lead, so that an erasure removes the reason.
      await request.audit(`return.${body.decision}`, body.leadId.toLowerCase(), { id: body.id });
      const by = { ...body, actor: request.operator.email, listeners };
      await money.decideReturn(pool, by);
      wake();
      return {};
    }),

    'POST /api/outcomes/import': operator(
      { body: outcomesRequest },
      async (request) => {
        const { destination, csv, isDryRun } = request.body;
        if (!isKnown(destination)) throw usage('There is no such buyer.');
        const by = { destination, isDryRun, actor: request.operator.email, listeners };
        if (!isDryRun) await request.audit('outcomes.imported', destination);
        const done = await money.importOutcomes(pool, csv, by);
        wake();
        return done;
      },
      // The factor 2 converts characters to bytes, because most characters take at most two bytes.
      { bodyLimit: 2 * MOST_IMPORT_LENGTH },
    ),
  };
};
