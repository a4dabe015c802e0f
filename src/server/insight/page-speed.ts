/** Counts the speed that pages report, and reads the 75th percentile of each step. */
import type { SurveyTable } from '../../model/flows/survey-table.ts';
import type { Period, SpeedRow } from '../../model/messages/console/numbers.ts';
import { type PageSpeed, type SpeedMetric, speedMetrics } from '../../model/messages/page-speed.ts';
import { createBatcher } from '../platform/database/batcher.ts';
import type { Queryable } from '../platform/database/database.ts';
import { storeErrors } from '../platform/database/database-error.ts';
import { checkPeriod } from './overview.ts';
import { type Histogram, quantile, sumOf } from './statistics.ts';

/** Buckets for each doubling of a value: neighbouring buckets differ by 9 %. */
const BUCKETS_PER_DOUBLING = 8;
/** Layout shift is counted in thousandths, so that small values have buckets of their own. */
const unitsOf = (metric: SpeedMetric) => (metric === 'CLS' ? 1000 : 1);

export function bucketOf(metric: SpeedMetric, value: number): number {
  return Math.round(BUCKETS_PER_DOUBLING * Math.log2(1 + unitsOf(metric) * value));
}

function speedOf(metric: SpeedMetric, bucket: number): number {
  return (2 ** (bucket / BUCKETS_PER_DOUBLING) - 1) / unitsOf(metric);
}

// All statements lock the rows in the same order, so that they cannot block each other for ever.
const COUNT = `
insert into page_speeds (day, page, step, device, metric, bucket, views)
select (now() at time zone 'UTC')::date, page, step, device, metric, bucket, count(*)
from json_to_recordset($1::json) as row(page text, step text, device text, metric text, bucket integer)
group by page, step, device, metric, bucket order by page, step, device, metric, bucket
on conflict (page, day, step, device, metric, bucket)
  do update set views = page_speeds.views + excluded.views`;

const MAX_VIEWS_PER_COMMIT = 200;
/** Maximum number of page views that wait to be counted. Views beyond this number are not counted. */
const MAX_PENDING = 1_000;

/**
 * Returns a function that counts the speed of a page view, and returns false if there is no such
 * page or step. One statement at a time counts all views that wait, because many views lock the
 * same rows, and leads need the other connections. `pages` are the pages without steps.
 */
export function createSpeedCount(options: {
  readonly client: Queryable;
  readonly surveys: SurveyTable;
  readonly pages: ReadonlySet<string>;
}) {
  const { client, surveys, pages } = options;
  let views = 0;
  const batcher = createBatcher<{ id: string; speed: PageSpeed }, void>({
    async run(items) {
      const rows = items.flatMap(({ speed }) => rowsOf(speed));
      await storeErrors(() => client.query(COUNT, [JSON.stringify(rows)]));
      return [];
    },
    key: ({ id }) => id,
    maxItems: MAX_VIEWS_PER_COMMIT,
  });
  const isPage = (page: string, step: string) => {
    const entry = surveys(page);
    if (entry?.survey.path !== page) return step === '' && pages.has(page);
    return Object.hasOwn(entry.flow.steps, step);
  };
  return async (speed: PageSpeed): Promise<boolean> => {
    // A visit that began without a script continues at another address of its survey.
    const page = speed.page.replace(/\/continue$/, '');
    if (!speed.values.every(({ step }) => isPage(page, step))) return false;
    if (batcher.pending >= MAX_PENDING) return true;
    views += 1;
    await batcher.add({ id: `${views}`, speed: { ...speed, page } });
    return true;
  };
}

/** Returns one row for each metric, also if a forged report repeats one. */
function rowsOf({ page, device, values }: PageSpeed) {
  const once = new Map(values.map((each) => [each.metric, each]));
  return [...once.values()].map(({ metric, step, value }) => {
    return { page, device, metric, step, bucket: bucketOf(metric, value) };
  });
}

const readOf = (pages: string) => `
select page, step, device, metric, bucket, sum(views)::integer as views from page_speeds
where ${pages} and day between $1::date and $2::date
group by page, step, device, metric, bucket order by page, step, device`;

/** The pages whose speed is asked: one survey, or all pages except the surveys. */
export type AskedPages = { readonly survey: string } | { readonly except: readonly string[] };

type Counted = Pick<SpeedRow, 'page' | 'step' | 'device'> & {
  readonly metric: SpeedMetric;
  readonly bucket: number;
  readonly views: number;
};

/** Reads the speed of pages by step and class of device. @throws OperatorError if the period is invalid */
export async function readSpeeds(
  client: Queryable,
  asked: AskedPages,
  period: Period,
): Promise<SpeedRow[]> {
  const { from, to } = checkPeriod(period);
  const { rows } =
    'survey' in asked
      ? await client.query<Counted>(readOf('page = $3'), [from, to, asked.survey])
      : await client.query<Counted>(readOf('page <> all($3::text[])'), [from, to, asked.except]);
  const groups = Map.groupBy(rows, ({ page, step, device }) => [page, step, device].join('|'));
  return [...groups.values()].map((counted) => {
    const { page, step, device } = counted[0] as Counted;
    const of = (wanted: SpeedMetric): Histogram =>
      counted.flatMap((row) => (row.metric === wanted ? [[row.bucket, row.views]] : []));
    const viewsOf = (metric: SpeedMetric) => sumOf(of(metric).map(([, count]) => count));
    const views = Math.max(...speedMetrics.map(viewsOf));
    const value = (metric: SpeedMetric) => {
      const bucket = quantile(of(metric), 0.75);
      return bucket === undefined ? null : speedOf(metric, bucket);
    };
    return { page, step, device, views, LCP: value('LCP'), INP: value('INP'), CLS: value('CLS') };
  });
}
