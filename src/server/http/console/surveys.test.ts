/** Tests the routes of funnels, experiments and surveys with two stored hours of counts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleForTests, type TestConsole } from '../../../../tests/support/console.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import type { ExperimentAnswer, FunnelAnswer } from '../../../model/messages/console/numbers.ts';
import { numbersArea } from './numbers.ts';
import { surveysArea } from './surveys.ts';

const database = await databaseForTests();

let own: TestConsole;
beforeAll(async () => {
  own = await consoleForTests(database, {
    areas: [numbersArea, surveysArea],
    env: {
      EXPERIMENTS: JSON.stringify({ buttons: { surveys: ['/survey/v4nv'] } }),
      OPERATORS_TIME_ZONE: 'America/New_York',
    },
  });
  await count('all', '', '2026-11-20T15:00Z', 30, { 'seen|StartPath': 30, 'left|StartPath': 6 });
  await count('all', '', '2026-11-21T04:30Z', 10, {
    'seen|StartPath': 10,
    'edge|StartPath|WhenWasTheAccident': 9,
  });
  await count('source', 'google', '2026-11-20T15:00Z', 12, { 'seen|StartPath': 12 });
  await count('variant', 'buttons.plain', '2026-11-20T15:00Z', 16, {});
  await count('variant', 'buttons.rounded', '2026-11-20T15:00Z', 14, {});
});
afterAll(() => own.app.close());

/** Stores the counts of one hour of /survey/v4nv, in which a tenth of the visits are completed. */
async function count(
  dimension: string,
  value: string,
  at: string,
  visits: number,
  steps: Readonly<Record<string, number>>,
): Promise<void> {
  const hour = at.replace(/:\d\dZ/, ':00Z');
  const key = [dimension, '/survey/v4nv', hour, value];
  await database.pool.query(
    `insert into hourly_counts (dimension, survey, hour, value, visits, first_answers, completed,
       accepted, held, qualified, delivered, rejected, refusals)
     values ($1, $2, $3, $4, $5, $5, $6, $6, 0, $6, $6, 0, 0)`,
    [...key, visits, Math.round(visits / 10)],
  );
  await database.pool.query(
    'insert into hourly_steps (dimension, survey, hour, value, steps) values ($1, $2, $3, $4, $5)',
    [...key, steps],
  );
}

const day = { survey: '/survey/v4nv', from: '2026-11-20', to: '2026-11-20' };
const ask = (query: Record<string, string>) =>
  own.get(`/api/funnels?${new URLSearchParams({ ...day, ...query })}`, 'viewer');
const funnel = async (query: Record<string, string>) => (await ask(query)).json<FunnelAnswer>();

test('a funnel counts the visits of a day in the operators’ time zone', async () => {
  const { visits, completed, steps, edges } = await funnel({});
  expect({ visits, completed }).toEqual({ visits: 40, completed: 4 });
  expect(steps[0]).toMatchObject({ step: 'StartPath', seen: 40, left: 6 });
  expect(edges).toContainEqual(
    expect.objectContaining({ from: 'StartPath', to: 'WhenWasTheAccident', visits: 9 }),
  );
  expect(await funnel({ from: '2026-11-21', to: '2026-11-22' })).toMatchObject({ visits: 0 });
  expect(await funnel({ segment: 'source=google' })).toMatchObject({ visits: 12 });
});

test.each([
  [{ survey: '/nothing' }, 404],
  [{ to: '2026-11-19' }, 400],
  [{ segment: 'phone=1' }, 400],
  [{ to: '' }, 400],
])('a request for a funnel with an invalid query gets an error', async (query, status) => {
  expect((await ask(query)).statusCode).toBe(status);
});

test('the answer about a survey’s experiments has the number of visits of each variant', async () => {
  const arms = async (query: string) => {
    const url = `/api/surveys/experiments?survey=%2Fsurvey%2F${query}`;
    const [experiment] = (await own.get(url, 'viewer')).json<ExperimentAnswer[]>();
    return experiment?.arms.map(({ variant, visits }) => `${variant} ${visits}`);
  };
  expect(await arms('v4nv')).toEqual(['plain 16', 'rounded 14']);
  expect(await arms('v4nv&from=2026-11-21')).toEqual(['plain 0', 'rounded 0']);
  expect(await arms('v5')).toBeUndefined();
});
