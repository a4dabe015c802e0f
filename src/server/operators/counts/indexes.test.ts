/** Every statement of the counting and of its reads uses an index: with a million leads a scan would take seconds. */
import type pg from 'pg';
import { expect, test } from 'vitest';
import { fillHistory } from '../../../../bench/fill-history.ts';
import { turnFor } from '../../../../tests/support/job-clock.ts';
import { keepDays } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { planning } from '../../../../tests/support/plans.ts';
import { dimensions } from '../../../contract/console/numbers.ts';
import { surveys } from '../../../flows/surveys.ts';
import { loadSurveyTable, type SurveyEntry } from '../../../intake/survey-table.ts';
import { destinations } from '../../destinations/index.ts';
import { readExperiments } from './experiments.ts';
import { readFunnel } from './funnel.ts';
import { countingOptions, countPortion, recount } from './job.ts';
import { readNow } from './now.ts';
import { readBreakdown, readOverview } from './overview.ts';

const database = await databaseForTests();
const options = await countingOptions({
  surveys,
  destinations: destinations.map((definition) => ({ definition, values: undefined })),
  keep: keepDays,
});
await fillHistory(database.pool, options.surveys, { visits: 2_000, days: 4 });
await recount(database.pool, options);
await database.pool.query('vacuum analyze');
const entry = (await loadSurveyTable(surveys))('/survey/v4nv') as SurveyEntry;

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const timeZone = 'America/New_York';
const period = { from: day(6), to: day(0) };
const variants = { plain: { weight: 1 }, rounded: { weight: 1 } };
const names = destinations.map(({ name }) => name);
const unsold = { countUnsold: async () => ({ count: 0, isExact: true }), missingBuyer: [] };

test.each<[string, number, (pool: pg.Pool) => Promise<unknown>]>([
  ['a run', 5, (pool) => countPortion(turnFor(pool), options)],
  ['counting again', 10, (pool) => recount(pool, options)],
  ['the overview', 3, (pool) => readOverview(pool, { period, timeZone })],
  [
    'a breakdown',
    dimensions.length,
    async (pool) => {
      for (const dimension of dimensions)
        await readBreakdown(pool, { period, timeZone, dimension });
    },
  ],
  ['a funnel', 3, (pool) => readFunnel(pool, { entry, period, timeZone })],
  [
    'what waits now',
    3,
    (pool) =>
      readNow({
        client: pool,
        role: 'viewer',
        destinations: names,
        ignored: [],
        timeZone,
        ...unsold,
      }),
  ],
  [
    'experiments',
    1,
    (pool) => {
      const experiments = [{ id: 'buttons', surveys: ['/survey/v4nv'], variants }];
      return readExperiments(pool, { experiments, survey: '/survey/v4nv', timeZone });
    },
  ],
])('%s scans no table', async (_, statements, work) => {
  const { pool, plans } = planning(database.connectionString, '-c enable_seqscan=off');
  await work(pool).finally(() => pool.end());
  expect(plans.length).toBeGreaterThanOrEqual(statements);
  expect(plans.filter((plan) => /Seq Scan on (?!hours_to_count|counting)\w+/.test(plan))).toEqual(
    [],
  );
});

test('what is filled in is counted', async () => {
  const { totals, summary } = await readOverview(database.pool, {
    ...{ period: { from: day(21), to: day(0) }, timeZone },
  });
  expect(totals.visits).toBe(1_990);
  expect(totals.completed).toBe(990);
  expect(totals.held).toBe(10);
  expect(summary).toHaveLength(2);
  const { steps, edges } = await readFunnel(database.pool, {
    ...{ entry, period: { from: day(21), to: day(0) }, timeZone },
  });
  const [first, second] = steps;
  const between = edges.find(({ from, to }) => from === first?.step && to === second?.step);
  expect(second?.seen).toBe(between?.visits);
  expect((first?.seen ?? 0) - (first?.left ?? 0)).toBe(second?.seen);
  expect(first?.medianSeconds).toBeGreaterThan(5);
});
