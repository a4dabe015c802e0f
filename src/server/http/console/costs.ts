/** Routes for what clicks and leads cost: rates, and imports of days. */
import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import {
  type CostsAnswer,
  costsRequest,
  rateRequest,
} from '../../../model/messages/console/costs.ts';
import { MOST_IMPORT_LENGTH } from '../../../model/messages/console/people-requests.ts';
import { day } from '../../../model/messages/console/requests.ts';
import { checkPeriod, exportLedger } from '../../insight/index.ts';
import * as money from '../../money/index.ts';
import { type Area, operator, viewer } from './route.ts';

const periodRequest = Type.Object({ from: day, to: day });

export const costsArea: Area = ({ pool, copy, settings }) => {
  const { clickCostParam, operatorsTimeZone: timeZone } = settings;
  const surveys = settings.surveys.map(({ path }) => path);
  return {
    'GET /api/costs': viewer(
      { querystring: periodRequest },
      async ({ query }): Promise<CostsAnswer> => {
        const period = { ...checkPeriod(query), timeZone };
        const rates = await money.readRates(pool);
        return { clickCostParam, rates, kinds: await money.readCostKinds(copy.pool, period) };
      },
    ),

    'POST /api/costs/export': operator({ body: periodRequest }, async (request, reply) => {
      const period = checkPeriod(request.body);
      await request.audit('ledger.exported', `${period.from} to ${period.to}`);
      return reply
        .header('content-disposition', 'attachment; filename="ledger.csv"')
        .type('text/csv; charset=utf-8')
        .send(Readable.from(exportLedger(copy.pool, { period, timeZone })));
    }),

    'POST /api/costs/rates': operator({ body: rateRequest }, async (request) => {
      const { dimension, value, per, amount, validFrom } = request.body;
      const detail = { per, amount, validFrom };
      await request.audit('cost_rate.saved', `${dimension} ${value || 'direct'}`, detail);
      const by = { timeZone, clickCostParam, actor: request.operator.email, now: new Date() };
      return { visits: await money.saveRate(pool, request.body, by) };
    }),

    'POST /api/costs/import': operator(
      { body: costsRequest },
      async (request) => {
        const { csv, isDryRun } = request.body;
        const by = { isDryRun, timeZone, surveys, actor: request.operator.email, now: new Date() };
        const done = await money.importCosts(pool, csv, by);
        const detail = { rows: done.rows.length, added: done.added };
        if (!isDryRun && done.refused.length === 0) {
          await request.audit('costs.imported', 'the costs of days', detail);
        }
        return done;
      },
      // The factor 2 converts characters to bytes, because most characters take at most two bytes.
      { bodyLimit: 2 * MOST_IMPORT_LENGTH },
    ),
  };
};
