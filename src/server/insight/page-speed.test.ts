import { expect, test, vi } from 'vitest';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { planning } from '../../../tests/support/plans.ts';
import { loadSurveyTable } from '../../model/flows/survey-table.ts';
import { surveys as allSurveys } from '../../model/flows/surveys.ts';
import type { PageSpeed } from '../../model/messages/page-speed.ts';
import { bucketOf, createSpeedCount, readSpeeds } from './page-speed.ts';

const database = await databaseForTests();
const { pool } = database;
const surveys = await loadSurveyTable(allSurveys);
const countSpeed = createSpeedCount({
  client: pool,
  surveys,
  pages: new Set(['/', '/es/', '/about-us/']),
});
const survey = '/survey/v4nv';
const dayFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
/** Includes the days beside today, because the test may run over midnight. */
const period = { from: dayFromNow(-1), to: dayFromNow(1) };

function view(step: string, LCP: number, INP: number): PageSpeed {
  return {
    page: survey,
    device: 'phone',
    values: [
      { metric: 'LCP', step: 'StartPath', value: LCP },
      { metric: 'INP', step, value: INP },
    ],
  };
}

test('readSpeeds returns the value that three of four views of a step do not exceed', async () => {
  for (const ms of [100, 200, 300, 4000]) await countSpeed(view('AtFault', ms, ms / 10));
  await countSpeed({
    page: '/',
    device: 'computer',
    values: [{ metric: 'CLS', step: '', value: 0 }],
  });
  const rows = await readSpeeds(pool, { survey }, period);
  const at = (step: string) => rows.find((row) => row.step === step);
  expect(at('StartPath')).toMatchObject({ device: 'phone', views: 4, INP: null, CLS: null });
  expect(at('StartPath')?.LCP).toBeGreaterThan(280);
  expect(at('StartPath')?.LCP).toBeLessThan(320);
  expect(at('AtFault')?.INP).toBeGreaterThan(28);
  expect(at('AtFault')?.INP).toBeLessThan(32);
  expect(await readSpeeds(pool, { except: [survey] }, period)).toEqual([
    { page: '/', step: '', device: 'computer', views: 1, LCP: null, INP: null, CLS: 0 },
  ]);
});

test('views that arrive together are counted by few statements, and a repeated metric once', async () => {
  const queries = vi.spyOn(pool, 'query');
  const forged = { metric: 'CLS', step: '', value: 0.1 } as const;
  const pages = ['/es/', '/about-us/'];
  const report = (page: string): PageSpeed => {
    return { page, device: 'phone', values: [forged, forged, forged] };
  };
  const reports = Array.from({ length: 50 }, () => pages.map(report)).flat();
  await Promise.all(reports.map((each) => countSpeed(each)));
  expect(queries.mock.calls.length).toBeLessThan(5);
  queries.mockRestore();
  const rows = await readSpeeds(pool, { except: [survey, '/'] }, period);
  expect(rows.map(({ page, views }) => [page, views]).sort()).toEqual([
    ['/about-us/', 50],
    ['/es/', 50],
  ]);
});

test.each([
  ['a survey’s step', `${survey}`, 'AtFault', true],
  ['a step after a form without a script', `${survey}/continue`, 'AtFault', true],
  ['an unknown step', survey, 'constructor', false],
  ['a survey without a step', survey, '', false],
  ['a page with a step', '/es/', 'AtFault', false],
  ['an unknown page', '/no-page/', '', false],
])('a report about %s is counted only if it exists', async (_, page, step, isKnown) => {
  const values = [{ metric: 'INP', step, value: 50 }] as const;
  expect(await countSpeed({ page, device: 'computer', values })).toBe(isKnown);
});

test('values that differ by a tenth are in different buckets', () => {
  expect(bucketOf('LCP', 1000)).not.toBe(bucketOf('LCP', 1100));
  expect(bucketOf('CLS', 0.1)).not.toBe(bucketOf('CLS', 0.11));
});

test('a period is read by an index', async () => {
  await database.pool.query(
    `insert into page_speeds (page, day, step, device, metric, bucket, views)
     select '/survey/' || p, current_date - d, 'Step' || s, 'phone', 'INP', b, 3
     from generate_series(1, 20) p, generate_series(1, 60) d, generate_series(1, 3) s,
       generate_series(1, 10) b`,
  );
  await database.pool.query('vacuum analyze page_speeds');
  const { pool: explained, plans } = planning(database.connectionString);
  await readSpeeds(explained, { survey }, period);
  await readSpeeds(explained, { except: [survey] }, period);
  expect(JSON.stringify(plans)).not.toContain('Seq Scan');
  await explained.end();
});
