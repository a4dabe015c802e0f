/** The numbers of the overview: totals, their breakdown, and what waits now. */
import {
  type BreakdownAnswer,
  type Dimension,
  dimensions,
  type NowAnswer,
  type OverviewAnswer,
} from '../../contract/console/numbers.ts';
import { readNow } from '../operators/counts/now.ts';
import { readBreakdown, readOverview } from '../operators/counts/overview.ts';
import { filterContext } from '../operators/lead-list/condition.ts';
import { countLeads } from '../operators/lead-list/list.ts';
import { isBuyer } from '../operators/lead-page/words.ts';
import { objectOf, textOf } from '../routes/route-options.ts';
import { spaceOf } from '../storage/disk-space.ts';
import type { ConsoleRoutes } from './context.ts';

const viewer = { role: 'viewer' } as const;
const day = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
const period = { from: day, to: day, survey: textOf(200) };

type PeriodQuery = { readonly from: string; readonly to: string; readonly survey?: string };

/** The routes of the overview. Everybody who is signed in may read them: they hold numbers only. */
export const overviewRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool, copy, settings, destinations } = context;
  const timeZone = settings.operatorsTimeZone;
  const askedBy = ({ from, to, survey }: PeriodQuery) => ({
    period: { from, to },
    survey,
    timeZone,
  });

  app.get(
    '/api/overview',
    {
      config: viewer,
      schema: {
        querystring: objectOf({ ...period, dimension: { enum: dimensions }, value: textOf(200) }, [
          'from',
          'to',
        ]),
      },
    },
    async (request): Promise<OverviewAnswer> => {
      const query = request.query as PeriodQuery & { dimension?: Dimension; value?: string };
      const { dimension, value = '' } = query;
      return readOverview(copy.pool, {
        ...askedBy(query),
        segment: dimension && { dimension, value },
      });
    },
  );

  app.get(
    '/api/breakdown',
    {
      config: viewer,
      schema: {
        querystring: objectOf({ ...period, dimension: { enum: dimensions } }, [
          'from',
          'to',
          'dimension',
        ]),
      },
    },
    async (request): Promise<BreakdownAnswer> => {
      const query = request.query as PeriodQuery & { dimension: Dimension };
      return readBreakdown(copy.pool, { ...askedBy(query), dimension: query.dimension });
    },
  );

  const list = { db: context.copy.db, ...filterContext(settings, context.personKey) };
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
  app.get(
    '/api/now',
    { config: viewer },
    (request): Promise<NowAnswer> => readNow({ ...now, role: request.operator.role }),
  );
};
