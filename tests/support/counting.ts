/** Counts visits in tests, with all surveys and destinations. */
import type pg from 'pg';
import { surveys } from '../../src/model/flows/surveys.ts';
import { destinations } from '../../src/server/delivery/destinations/index.ts';
import { countingOptions } from '../../src/server/insight/counting.ts';
import { clearLedger, keepDays } from './ledger.ts';

export const countOptions = await countingOptions({
  surveys,
  destinations: destinations.map((definition) => ({ definition, values: undefined })),
  keep: keepDays,
  clickCostParam: 'cost',
  operatorsTimeZone: 'America/New_York',
});

/** Empties the ledger and the counts, so that everything is counted again. */
export async function clearCounts(pool: pg.Pool): Promise<void> {
  await clearLedger(pool);
  await pool.query(
    'truncate money_entries, cost_rates, visit_summaries, hourly_counts, hourly_steps, hourly_attempts, hours_to_count',
  );
  await pool.query(`update counting set counted_until = null, complete_since = 'epoch'`);
}

/** Returns the beginning of the clock hour, some hours ago, in ISO 8601. */
export const hourAgo = (hours: number) =>
  new Date(Math.floor(Date.now() / 3_600_000 - hours) * 3_600_000).toISOString();
