/** Counts the speed that pages report, and reads the 75th percentile of each step. */
import type { Period, SpeedRow } from '../../model/messages/console/numbers.ts';
import { type PageSpeed, type SpeedMetric, speedMetrics } from '../../model/messages/page-speed.ts';
import type { Queryable } from '../platform/database/database.ts';
import { checkPeriod } from './overview.ts';

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
select (now() at time zone 'UTC')::date, $1, row.step, $2, row.metric, row.bucket, 1
from json_to_recordset($3::json) as row(metric text, step text, bucket integer)
order by row.metric, row.step, row.bucket
on conflict (page, day, step, device, metric, bucket) do update set views = page_speeds.views + 1`;

/** Counts the speed of one page view. */
export async function countSpeed(client: Queryable, speed: PageSpeed): Promise<void> {
  const { page, device, values } = speed;
  const rows = values.map(({ metric, step, value }) => {
    return { metric, step, bucket: bucketOf(metric, value) };
  });
  await client.query(COUNT, [page, device, JSON.stringify(rows)]);
}

const readOf = (pages: string) => `
select page, step, device, metric, bucket, sum(views)::integer as views from page_speeds
where ${pages} and day between $1::date and $2::date
group by page, step, device, metric, bucket order by bucket`;

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
    const of = (metric: SpeedMetric) => counted.filter((row) => row.metric === metric);
    const views = Math.max(...speedMetrics.map((metric) => total(of(metric))));
    const value = (metric: SpeedMetric) => percentile75(of(metric));
    return { page, step, device, views, LCP: value('LCP'), INP: value('INP'), CLS: value('CLS') };
  });
}

const total = (rows: readonly Counted[]) => rows.reduce((sum, { views }) => sum + views, 0);

/** Returns the value that three of four views do not exceed; null without views. */
function percentile75(rows: readonly Counted[]): number | null {
  const limit = 0.75 * total(rows);
  let passed = 0;
  const reached = rows.find(({ views }) => {
    passed += views;
    return passed >= limit;
  });
  return reached === undefined ? null : speedOf(reached.metric, reached.bucket);
}
