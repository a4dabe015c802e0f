/** Routes for what buyers report: the returns that wait for a decision, and imports. */
import { Type } from '@sinclair/typebox';
import { MOST_IMPORT_LENGTH } from '../../../model/messages/console/people-requests.ts';
import { day, oneOf, reason, textOf } from '../../../model/messages/console/requests.ts';
import {
  outcomesRequest,
  returnDecisions,
  returnLists,
} from '../../../model/messages/console/returns.ts';
import { isBuyer } from '../../delivery/destinations/index.ts';
import { listenersOf } from '../../delivery/index.ts';
import { checkPeriod } from '../../insight/index.ts';
import * as money from '../../money/index.ts';
import { usage } from '../../platform/operator-error.ts';
import { type Area, operator, viewer } from './route.ts';

const limit = 30;
const after = Type.Optional(textOf(400));
const returnsQuery = Type.Object({
  list: oneOf(returnLists),
  source: Type.Optional(textOf(100)),
  after,
});
const decision = Type.Object({ id: textOf(400), decision: oneOf(returnDecisions), reason });

export const returnsArea: Area = ({ pool, copy, settings, wake }) => {
  const listeners = listenersOf(settings.destinations);
  const isKnown = (name: string) =>
    isBuyer(name) && settings.destinations.some(({ definition }) => definition.name === name);
  return {
    'GET /api/returns': viewer({ querystring: returnsQuery }, ({ query }) =>
      money.listReturns(pool, { ...query, limit }),
    ),

    'GET /api/returns/sources': viewer(
      { querystring: Type.Object({ from: day, to: day }) },
      ({ query }) => {
        const timeZone = settings.operatorsTimeZone;
        return money.readSourceReturns(copy.pool, { ...checkPeriod(query), timeZone });
      },
    ),

    'GET /api/outcomes/unknown': viewer({ querystring: Type.Object({ after }) }, ({ query }) =>
      money.listUnknownOutcomes(pool, { ...query, limit }),
    ),

    'POST /api/returns/decide': operator({ body: decision }, async (request) => {
      const { id, ...decided } = request.body;
      await request.audit(`return.${decided.decision}`, id);
      const by = { ...decided, actor: request.operator.email, listeners };
      await money.decideReturn(pool, id, by);
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
