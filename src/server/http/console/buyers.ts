/** Routes for the buyers and their terms. */
import { Type } from '@sinclair/typebox';
import { termsPreviewRequest, termsRequest } from '../../../model/messages/console/buyers.ts';
import { day } from '../../../model/messages/console/requests.ts';
import * as insight from '../../insight/index.ts';
import { type Area, operator, perPerson, viewer } from './route.ts';

const PREVIEWS_PER_MINUTE = 60;

export const buyersArea: Area = ({ pool, copy, settings, personKey, wake }) => {
  const list = insight.leadListOf(copy.pool, settings, personKey);
  return {
    'GET /api/buyers': viewer({ querystring: Type.Object({ from: day, to: day }) }, ({ query }) => {
      const period = insight.checkPeriod(query);
      return insight.readBuyerList(pool, settings, { period, now: new Date() });
    }),

    'POST /api/buyers/preview': operator(
      { body: termsPreviewRequest },
      ({ body }) => insight.previewTerms(list, body),
      perPerson(PREVIEWS_PER_MINUTE),
    ),

    'POST /api/buyers/save': operator(
      { body: termsRequest },
      async ({ body, operator: { email } }) => {
        await insight.saveTerms(pool, settings, body, email);
        wake();
        return {};
      },
    ),
  };
};
