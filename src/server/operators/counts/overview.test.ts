/** A day that is not over is compared with the same hours of the day before. */
import { expect, test } from 'vitest';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import type { Period } from '../../../contract/console/numbers.ts';
import { totalColumns } from './hours.ts';
import { readBreakdown, readOverview } from './overview.ts';
import { periodBefore } from './periods.ts';

const { pool } = await databaseForTests();

/** A zone in which it is noon, so that three hours before and after now are the same day. */
const ahead = 12 - new Date().getUTCHours();
const timeZone = `Etc/GMT${ahead >= 0 ? '-' : '+'}${Math.abs(ahead)}`;

async function countVisits(hoursAgo: number, visits: number): Promise<void> {
  const values = totalColumns.map((name) => (name === 'visits' ? '$2::integer' : '0'));
  await pool.query(
    `insert into hourly_counts (dimension, survey, hour, value, ${totalColumns.join(', ')})
     select dimension, '', date_trunc('hour', now()) - $1::integer * interval '1 hour', value, ${values.join(', ')}
     from (values ('all', ''), ('source', 'google')) as counted(dimension, value)`,
    [hoursAgo, visits],
  );
}

test('the totals before end at the time of day that the period has reached', async () => {
  const hours = [
    [3, 100],
    [24 + 3, 10],
    [24 - 3, 20],
    [48 + 3, 1],
    [48 - 3, 2],
  ] as const;
  for (const [hoursAgo, visits] of hours) await countVisits(hoursAgo, visits);
  const day = new Intl.DateTimeFormat('en-CA', { timeZone }).format();
  const today = { from: day, to: day };
  const read = async (period: Period) => {
    const asked = { period, timeZone };
    const { totals, totalsBefore, summary } = await readOverview(pool, asked);
    const { rows } = await readBreakdown(pool, { ...asked, dimension: 'source' });
    const [google] = rows.map((row) => [row.totals.visits, row.before.visits]);
    return { visits: [totals.visits, totalsBefore.visits], google, said: summary[0] };
  };
  expect(await read(today)).toEqual({
    ...{ visits: [100, 10], google: [100, 10] },
    said: '100 visits began, 900\u202f% more than by this time in the day before.',
  });
  // A day that is over is compared with the whole day before.
  expect(await read(periodBefore(today))).toEqual({
    ...{ visits: [30, 3], google: [30, 3] },
    said: '30 visits began, 900\u202f% more than in the day before.',
  });
});
