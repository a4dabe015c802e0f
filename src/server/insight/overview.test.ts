import { expect, test } from 'vitest';
import { randomSummary, seedSummaries } from '../../../tests/support/lead-summaries.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { personKey } from '../../../tests/support/person-keys.ts';
import { saleRules } from '../../../tests/support/sale-rules.ts';
import { seededRandom } from '../../../tests/support/seeded-random.ts';
import { hasLeads, leadsBehind, type Segment } from '../../model/messages/console/leads-behind.ts';
import { dimensions, type Period, totalNames } from '../../model/messages/console/numbers.ts';
import { columnOf, countHour } from './count-hour.ts';
import { parseLeadFilter } from './lead-filter.ts';
import { countLeads } from './lead-list.ts';
import { periodBefore, readBreakdown, readOverview } from './overview.ts';

const { pool } = await databaseForTests();

/** The UTC offset of a time zone in which it is now noon. */
const ahead = 12 - new Date().getUTCHours();
const timeZone = `Etc/GMT${ahead >= 0 ? '-' : '+'}${Math.abs(ahead)}`;

async function countVisits(hoursAgo: number, visits: number): Promise<void> {
  const values = totalNames.map((name) => (name === 'visits' ? '$2::integer' : '0'));
  await pool.query(
    `insert into hourly_counts (dimension, survey, hour, value, ${totalNames.map(columnOf).join(', ')})
     select dimension, '', date_trunc('hour', now()) - $1::integer * interval '1 hour', value, ${values.join(', ')}
     from (values ('all', ''), ('source', 'google')) as counted(dimension, value)`,
    [hoursAgo, visits],
  );
}

test('the overview compares today with the same hours of yesterday', async () => {
  for (const [hoursAgo, visits] of [
    [3, 100],
    [24 + 3, 10],
    [24 - 3, 20],
    [48 + 3, 1],
    [48 - 3, 2],
  ] as const) {
    await countVisits(hoursAgo, visits);
  }
  const day = new Intl.DateTimeFormat('en-CA', { timeZone }).format();
  const today = { from: day, to: day };
  const read = async (period: Period) => {
    const asked = { period, timeZone };
    const { totals, totalsBefore } = await readOverview(pool, asked);
    const { rows } = await readBreakdown(pool, { ...asked, dimension: 'source' });
    const [google] = rows.map((row) => [row.totals.visits, row.before.visits]);
    return [[totals.visits, totalsBefore.visits], google];
  };
  expect(await read(today)).toEqual([
    [100, 10],
    [100, 10],
  ]);
  // If the day has ended, the whole day is compared with the whole day before.
  expect(await read(periodBefore(today))).toEqual([
    [30, 3],
    [30, 3],
  ]);
});

test('each number in the overview equals the number of leads in the linked list', async () => {
  const random = seededRandom('numbers and lists');
  const rows = Array.from({ length: 800 }, () => randomSummary(random));
  await seedSummaries(pool, rows);
  const hours = rows.map(({ began_at }) => `${began_at.slice(0, 13)}:00Z`);
  for (const hour of new Set(hours)) {
    await pool.query('insert into hours_to_count (hour) values ($1)', [hour]);
    await countHour(pool, hour, { surveys: [], services: [] });
  }
  const zone = 'America/New_York';
  const period = { from: '2026-03-07', to: '2026-03-09' };
  const list = {
    pool,
    personKey,
    timeZone: zone,
    destinationNames: ['ingest', 'webhook'],
    saleRules,
  };
  const asked = { period, timeZone: zone };
  const { totals } = await readOverview(pool, asked);
  const shown: { segment?: Segment; totals: typeof totals }[] = [{ totals }];
  for (const dimension of dimensions) {
    const breakdown = await readBreakdown(pool, { ...asked, dimension });
    for (const row of breakdown.rows) {
      shown.push({ segment: { dimension, value: row.value }, totals: row.totals });
    }
  }
  for (const name of totalNames.filter(hasLeads)) {
    expect(totals[name], name).toBeGreaterThan(0);
    for (const { segment, totals } of shown) {
      const filter = leadsBehind(name, { ...period, survey: '', segment });
      if (filter === undefined) continue;
      const { count } = await countLeads(list, parseLeadFilter(filter));
      expect({ name, segment, count }).toEqual({ name, segment, count: totals[name] });
    }
  }
});
