/** Routes for the counts on the overview page and in a survey's funnel. */
import { type Static, Type } from '@sinclair/typebox';
import type { LeadFilter } from '../../../model/messages/console/leads.ts';
import { dimensions } from '../../../model/messages/console/numbers.ts';
import { day, oneOf, textOf } from '../../../model/messages/console/requests.ts';
import { isBuyer } from '../../delivery/destinations/index.ts';
import * as insight from '../../insight/index.ts';
import { spaceOf } from '../../platform/database/disk-space.ts';
import { notFound } from '../../platform/operator-error.ts';
import { type Area, viewer } from './route.ts';

const dimension = oneOf(dimensions);
const periodQuery = Type.Object({ from: day, to: day, survey: Type.Optional(textOf(200)) });
const overviewQuery = Type.Object({
  ...periodQuery.properties,
  dimension: Type.Optional(dimension),
  value: Type.Optional(textOf(200)),
});
const breakdownQuery = Type.Object({ ...periodQuery.properties, dimension });
const funnelQuery = Type.Object({
  survey: textOf(200),
  from: day,
  to: day,
  /** A dimension and its value, such as `source=google`. */
  segment: Type.Optional(
    Type.String({ maxLength: 200, pattern: '^(all$|(source|device|language|variant)=)' }),
  ),
});

export const numbersArea: Area = ({ pool, copy, settings, destinations, personKey }) => {
  const timeZone = settings.operatorsTimeZone;
  const asked = ({ from, to, survey }: Static<typeof periodQuery>) => ({
    period: { from, to },
    survey,
    timeZone,
  });
  const list = insight.leadListOf(copy.pool, settings, personKey);
  const buyers = settings.destinations.filter(({ definition }) => isBuyer(definition.name));
  const isSold = buyers.some(({ values }) => values !== undefined);
  const isEmbedded = settings.databaseUrl === undefined;
  const now = {
    client: pool,
    timeZone,
    destinations: destinations.map(({ name }) => name),
    ignored: destinations.filter((one) => one.areErrorsIgnored).map(({ name }) => name),
    countLeads: (filter: LeadFilter) => insight.countLeads(list, filter),
    missingBuyer: isSold ? [] : (buyers[0]?.definition.needs ?? []),
    diskSpace: isEmbedded ? () => spaceOf(settings.dataDir) : undefined,
  };

  return {
    'GET /api/overview': viewer({ querystring: overviewQuery }, ({ query }) => {
      const { dimension: by, value = '' } = query;
      const segment = by && { dimension: by, value };
      return insight.readOverview(copy.pool, { ...asked(query), segment });
    }),

    'GET /api/breakdown': viewer({ querystring: breakdownQuery }, ({ query }) =>
      insight.readBreakdown(copy.pool, { ...asked(query), dimension: query.dimension }),
    ),

    'GET /api/now': viewer({}, ({ operator: { role } }) => insight.readNow({ ...now, role })),

    'GET /api/speeds': viewer({ querystring: periodQuery }, ({ query: { survey, from, to } }) => {
      const paths = settings.surveys.map(({ path }) => path);
      const pages = survey === undefined ? { except: paths } : { survey };
      return insight.readSpeeds(copy.pool, pages, { from, to });
    }),

    'GET /api/funnels': viewer({ querystring: funnelQuery }, ({ query }) => {
      const { survey, segment = 'all' } = query;
      if (!settings.surveys.some(({ path }) => path === survey)) {
        throw notFound(`There is no survey ${survey}.`);
      }
      const shown = segmentOf(segment);
      return insight.readFunnel(copy.pool, { ...asked(query), survey, segment: shown });
    }),
  };
};

function segmentOf(text: string): insight.FunnelSegment {
  const [dimension = 'all', ...value] = text.split('=');
  return { dimension: dimension as insight.FunnelSegment['dimension'], value: value.join('=') };
}
