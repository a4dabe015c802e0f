/** The numbers of the overview: totals, their breakdown, and what waits now. */
import { type Static, Type } from '@sinclair/typebox';
import { dimensions } from '../../../model/messages/console/numbers.ts';
import { day, oneOf, textOf } from '../../../model/messages/console/requests.ts';
import { readNow } from '../../insight/counts/now.ts';
import { readBreakdown, readOverview } from '../../insight/counts/overview.ts';
import { leadListOf } from '../../insight/lead-list/condition.ts';
import { countLeads } from '../../insight/lead-list/list.ts';
import { isBuyer } from '../../insight/lead-page/words.ts';
import { spaceOf } from '../../platform/database/disk-space.ts';
import { type ConsoleRoutes, viewer } from './context.ts';

const dimension = oneOf(dimensions);
const periodQuery = Type.Object({ from: day, to: day, survey: Type.Optional(textOf(200)) });
const overviewQuery = Type.Object({
  ...periodQuery.properties,
  dimension: Type.Optional(dimension),
  value: Type.Optional(textOf(200)),
});
const breakdownQuery = Type.Object({ ...periodQuery.properties, dimension });

/** The routes of the overview. Everybody who is signed in may read them: they hold numbers only. */
export const overviewRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool, copy, settings, destinations } = context;
  const timeZone = settings.operatorsTimeZone;
  const askedBy = ({ from, to, survey }: Static<typeof periodQuery>) => ({
    period: { from, to },
    survey,
    timeZone,
  });

  app.get('/api/overview', viewer({ querystring: overviewQuery }), ({ query }) => {
    const { dimension: by, value = '' } = query;
    const segment = by && { dimension: by, value };
    return readOverview(copy.pool, { ...askedBy(query), segment });
  });

  app.get('/api/breakdown', viewer({ querystring: breakdownQuery }), ({ query }) =>
    readBreakdown(copy.pool, { ...askedBy(query), dimension: query.dimension }),
  );

  const list = leadListOf(copy.pool, settings, context.personKey);
  const buyers = settings.destinations.filter(({ definition }) => isBuyer(definition.name));
  const isSold = buyers.some(({ values }) => values !== undefined);
  const isEmbedded = settings.databaseUrl === undefined;
  const now = {
    client: pool,
    timeZone,
    destinations: destinations.map(({ name }) => name),
    ignored: destinations.filter((one) => one.areErrorsIgnored).map(({ name }) => name),
    countUnsold: () => countLeads(list, { outcome: 'unsold' }),
    missingBuyer: isSold ? [] : (buyers[0]?.definition.needs ?? []),
    diskSpace: isEmbedded ? () => spaceOf(settings.dataDir) : undefined,
  };
  app.get('/api/now', viewer(), ({ operator: { role } }) => readNow({ ...now, role }));
};
