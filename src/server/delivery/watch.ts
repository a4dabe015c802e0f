/** Watches destinations: pauses those that refuse our account, and alerts operators. */
import type pg from 'pg';
import type { Alerts } from '../platform/alerts.ts';
import { persistently, type Queryable } from '../platform/database/database.ts';
import { cleanDatabaseError } from '../platform/database/database-error.ts';
import type { Logger } from '../platform/postgres/logger.ts';
import type {
  AccountRefusal,
  ConnectedDestination,
  SendOutcome,
  SendResult,
} from './destinations/destination.ts';
import { type DestinationHealth, readHealth } from './health.ts';
import { pauseDeliveries, resumeDeliveries } from './pause.ts';

/** The limits above which a destination causes an alert. */
export type TroubleLimits = {
  /** Number of attempts that failed in a row (setting DESTINATION_FAILURES). */
  readonly failures: number;
  /** Minutes that the oldest lead may wait (setting DESTINATION_WAIT_MINUTES). */
  readonly waitMinutes: number;
};

const ANSWERED: ReadonlySet<SendOutcome> = new Set(['delivered', 'duplicate', 'rejected', 'later']);

export type WatchOptions = {
  pool: pg.Pool;
  /** The configured destinations. Deliveries to other destinations wait. */
  destinations: readonly ConnectedDestination[];
  limits: TroubleLimits;
  alert: Alerts;
  log: Logger;
};

/** Creates an object that watches destinations and alerts operators to changes of their health. */
export function createDestinationWatch({ pool, destinations, limits, alert, log }: WatchOptions) {
  const watched = destinations.filter((one) => !one.areErrorsIgnored).map(({ name }) => name);
  const tallies = new Map<string, Tally>();

  async function pause(
    destination: string,
    { problem, settings, isCap }: AccountRefusal,
  ): Promise<void> {
    const reason = isCap ? `${problem}.` : `${problem}. Check ${settings.join(', ')} and restart.`;
    if (!(await persistently(() => pauseDeliveries(pool, destination, reason)))) return;
    alert(
      `Deliveries to ${destination} are paused: ${reason} Leads wait. One is tried every minute, and all go ` +
        'when it succeeds',
    );
  }

  async function resume(destination: string): Promise<void> {
    if (!(await persistently(() => resumeDeliveries(pool, destination, 'answer')))) return;
    alert(`Deliveries to ${destination} have resumed: it accepts our account again`);
  }

  /** Alerts operators to changes of a destination's health that no other process has reported. */
  async function alertOfChanges(health: DestinationHealth): Promise<void> {
    const { destination, failures, lastFailure } = health;
    const isPaused = health.pausedAt !== null;
    const isOverLimit = failures >= limits.failures;
    const isFailing = health.isFailing ? failures > 0 : isOverLimit && !isPaused;
    if (isFailing !== health.isFailing) {
      // Runs before `mark`. If `hurryRetries` fails, the next check calls it again.
      if (!isFailing) await hurryRetries(pool, destination);
      const isFirst = await mark(pool, destination, 'failing_alerted_at', isFailing);
      if (isFirst && isFailing) {
        const last = lastFailure === null ? '' : `, the last with: ${lastFailure}`;
        alert(
          `The last ${limits.failures} sends to ${destination} failed${last}. Its leads are kept and retried`,
        );
      } else if (isFirst) {
        alert(`${destination} answers again: its waiting leads are sent now`);
      }
    }
    const waitsLong = health.oldestWaitSeconds > limits.waitMinutes * 60;
    const isReported = isPaused || isOverLimit || health.isFailing;
    const isLate = waitsLong && (health.isLate || !isReported);
    if (isLate === health.isLate || !(await mark(pool, destination, 'late_alerted_at', isLate))) {
      return;
    }
    const wait = `for more than ${limits.waitMinutes} minutes`;
    alert(
      isLate
        ? `The oldest lead to ${destination} has waited ${wait}; "npm run leads -- list" shows the waiting leads`
        : `No lead to ${destination} waits ${wait} any more`,
    );
  }

  return {
    /** Records the result of an attempt. */
    async ended(destination: string, result: SendResult, isTrial: boolean): Promise<void> {
      const { outcome, account, error } = result;
      try {
        if (outcome === 'account') {
          if (account && account.settings.length > 0) await pause(destination, account);
        } else if (!watched.includes(destination)) {
          return;
        } else if (ANSWERED.has(outcome)) {
          tallies.set(destination, { failures: 0, hasSucceeded: true, lastFailure: null });
          if (isTrial) await resume(destination);
        } else {
          const { failures = 0, hasSucceeded = false } = tallies.get(destination) ?? {};
          const lastFailure = (error ?? outcome).slice(0, 200);
          tallies.set(destination, { failures: failures + 1, hasSucceeded, lastFailure });
        }
      } catch (thrown) {
        log.warn(
          { destination, err: cleanDatabaseError(thrown) },
          'Could not record a send result',
        );
      }
    },
    /** Stores the recorded results, and alerts operators to changes of a destination's health. */
    async look(): Promise<void> {
      const recorded = [...tallies].map(([destination, tally]) => ({ destination, ...tally }));
      tallies.clear();
      const answered = recorded.filter((tally) => tally.hasSucceeded);
      const names = answered.map(({ destination }) => destination);
      if (recorded.length > 0) await pool.query(ADD_TALLIES, [JSON.stringify(recorded), names]);
      for (const each of await readHealth(pool, watched)) await alertOfChanges(each);
    },
  };
}

/** The results of attempts to one destination that are not in the database yet. */
type Tally = {
  /** Number of failures since the last success. */
  readonly failures: number;
  /** True if the destination answered at least once. */
  readonly hasSucceeded: boolean;
  readonly lastFailure: string | null;
};

// SQL: sets the failure counts of the destinations $2 to 0, then adds the failures $1. The order
// of the rows prevents deadlocks.
const ADD_TALLIES = `
insert into destination_health as h (destination, failures, last_failure)
select destination, failures, "lastFailure" from jsonb_to_recordset($1::jsonb)
  as tally (destination text, failures integer, "lastFailure" text)
order by destination
on conflict (destination) do update set
  failures = excluded.failures + case when h.destination = any($2::text[]) then 0 else h.failures end,
  last_failure = coalesce(excluded.last_failure, h.last_failure)`;

/** Stores whether operators got the alert. Returns whether this changed the stored value. */
async function mark(
  client: Queryable,
  destination: string,
  column: 'failing_alerted_at' | 'late_alerted_at',
  isAlerted: boolean,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into destination_health as h (destination, ${column})
     values ($1, case when $2 then now() end)
     on conflict (destination) do update set ${column} = excluded.${column}
     where (h.${column} is null) <> (excluded.${column} is null)`,
    [destination, isAlerted],
  );
  return rowCount === 1;
}

/** Makes retries due now, after a destination has recovered. */
async function hurryRetries(client: Queryable, destination: string): Promise<void> {
  await client.query('update destination_health set recovered_at = now() where destination = $1', [
    destination,
  ]);
  await client.query(
    `update deliveries set due_at = now() where id = any(array(
       select id from deliveries where destination = $1 and state = 'retrying' and due_at > now()
       for update skip locked))`,
    [destination],
  );
}
