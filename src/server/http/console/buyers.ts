/** Routes of the page about buyers: terms, returns, statements and costs. */
import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { termsRequest } from '../../../model/messages/console/buyers.ts';
import { type CostsAnswer, rateRequest } from '../../../model/messages/console/costs.ts';
import { day, fileFields, oneOf, textOf, uuid } from '../../../model/messages/console/requests.ts';
import {
  outcomeLists,
  outcomesRequest,
  returnDecision,
} from '../../../model/messages/console/returns.ts';
import {
  differenceDecision,
  differenceStates,
  statementRequest,
} from '../../../model/messages/console/statements.ts';
import { isBuyer } from '../../delivery/destinations/index.ts';
import { listenersOf, readBuyers } from '../../delivery/index.ts';
import * as insight from '../../insight/index.ts';
import * as money from '../../money/index.ts';
import { usage } from '../../platform/operator-error.ts';
import { reasonFor } from '../../platform/shown-reason.ts';
import { type Area, ofFile, operator, viewer } from './route.ts';

const OUTCOMES = 30;
const period = Type.Object({ from: day, to: day });
const outcomesQuery = Type.Object({ list: oneOf(outcomeLists), after: Type.Optional(textOf(400)) });
const params = Type.Object({ id: uuid });

export const buyersArea: Area = ({ pool, copy, settings, wake }) => {
  const { clickCostParam, operatorsTimeZone: timeZone, destinations } = settings;
  const listeners = listenersOf(destinations);
  const surveys = settings.surveys.map(({ path }) => path);

  /** @throws OperatorError `usage` if no destination and no terms have this name */
  async function checkBuyer(name: string) {
    const names = destinations.map(({ definition }) => definition.name);
    const buyers = (await readBuyers(pool)).map(({ destination }) => destination);
    const isKnown = isBuyer(name) && [...names, ...buyers].includes(name);
    if (!isKnown) throw usage('There is no such buyer.');
  }

  return {
    'GET /api/buyers': viewer({ querystring: period }, ({ query }) =>
      insight.readBuyerList(pool, settings, {
        period: insight.checkPeriod(query),
        now: new Date(),
      }),
    ),

    'POST /api/buyers/save': operator({ body: termsRequest }, async (request) => {
      await insight.saveTerms(pool, settings, request.body, request.operator.email);
      wake();
      return {};
    }),

    'GET /api/outcomes': viewer({ querystring: outcomesQuery }, async (request) => {
      const { query, operator: reader } = request;
      const page = await money.listOutcomes(pool, query.list, { ...query, limit: OUTCOMES });
      const outcomes = page.outcomes.map(({ decisionReason, ...outcome }) => ({
        ...outcome,
        decisionReason: decisionReason && reasonFor(reader.role, decisionReason),
      }));
      return { ...page, outcomes };
    }),

    'POST /api/returns/decide': operator({ body: returnDecision }, async (request) => {
      const { body } = request;
      // The subject is the lead, so that an erasure removes the reason.
      await request.audit(`return.${body.decision}`, body.leadId.toLowerCase(), { id: body.id });
      await money.decideReturn(pool, { ...body, actor: request.operator.email, listeners });
      wake();
      return {};
    }),

    'POST /api/outcomes/import': operator(
      { body: outcomesRequest },
      async (request) => {
        const { destination, csv, isDryRun } = request.body;
        await checkBuyer(destination);
        if (!isDryRun) await request.audit('outcomes.imported', destination);
        const by = { destination, isDryRun, actor: request.operator.email, listeners };
        const done = await money.importOutcomes(pool, csv, by);
        wake();
        return done;
      },
      ofFile,
    ),

    'GET /api/statements': viewer({}, () => money.listStatements(pool)),

    'GET /api/statements/:id': viewer({ params }, async ({ params: { id }, operator: reader }) => {
      const all = await money.readDifferences(pool, id, differenceStates, money.SHOWN);
      return all.map(({ note, ...row }) => ({ ...row, note: reasonFor(reader.role, note) }));
    }),

    'POST /api/statements': operator(
      { body: statementRequest },
      async (request) => {
        const { destination, fileName: file, isDryRun } = request.body;
        await checkBuyer(destination);
        if (!isDryRun) await request.audit('statement.compared', destination, { file });
        const by = { actor: request.operator.email, timeZone };
        return money.addStatement(pool, request.body, by);
      },
      ofFile,
    ),

    'POST /api/statements/:id/decide': operator(
      { params, body: differenceDecision },
      async (request) => {
        const { params: of, body } = request;
        const detail = { number: body.number ?? 'all open', state: body.state };
        // The differences have the reason, which can name a person, so that an erasure finds it.
        await request.audit('statement.decided', of.id, detail, '');
        await money.decideDifferences(pool, of.id, body, request.operator.email);
        return {};
      },
    ),

    'POST /api/statements/:id/disputes': operator({ params }, async (request, reply) => {
      const { id } = request.params;
      const disputes = await money.readDifferences(pool, id, ['disputed']);
      await request.audit('statement.exported', id, { disputes: disputes.length });
      const rows = disputes.map(({ reference, leadId, kind, ours, theirs, amount, note }) =>
        insight.csvRecord([reference, leadId ?? '', kind, ours, theirs, amount.toFixed(2), note]),
      );
      const head = ['reference', 'lead_id', 'kind', 'ours', 'theirs', 'amount', 'note'];
      return reply
        .header('content-disposition', 'attachment; filename="disputes.csv"')
        .type('text/csv; charset=utf-8')
        .send([insight.csvRecord(head), ...rows].join(''));
    }),

    'GET /api/costs': viewer({}, async (): Promise<CostsAnswer> => {
      return { clickCostParam, rates: await money.readRates(pool) };
    }),

    'POST /api/costs/export': operator({ body: period }, async (request, reply) => {
      const asked = insight.checkPeriod(request.body);
      await request.audit('ledger.exported', `${asked.from} to ${asked.to}`);
      return reply
        .header('content-disposition', 'attachment; filename="ledger.csv"')
        .type('text/csv; charset=utf-8')
        .send(Readable.from(insight.exportLedger(copy.pool, { period: asked, timeZone })));
    }),

    'POST /api/costs/rates': operator({ body: rateRequest }, async (request) => {
      const { dimension, value, per, amount, validFrom } = request.body;
      const detail = { per, amount, validFrom };
      await request.audit('cost_rate.saved', `${dimension} ${value || 'direct'}`, detail);
      const by = { timeZone, clickCostParam, actor: request.operator.email, now: new Date() };
      return { visits: await money.saveRate(pool, request.body, by) };
    }),

    'POST /api/costs/import': operator(
      { body: Type.Object(fileFields) },
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
      ofFile,
    ),
  };
};
