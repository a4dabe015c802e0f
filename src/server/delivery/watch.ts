/** Watches destinations: pauses those that refuse our account, and alerts operators to failures and recoveries. */
import type pg from 'pg';
import type { Alerts } from '../platform/alerts.ts';
import { persistently, type Queryable } from '../platform/database/database.ts';
import { cleanDatabaseError } from '../platform/database/database-error.ts';
import type { Logger } from '../platform/postgres/logger.ts';
import type {
  AccountRefusal,
  ConnectedDestination,
  SendResult,
} from './destinations/destination.ts';
import { type DestinationHealth, readHealth } from './health.ts';
import { pauseDeliveries, resumeDeliveries } from './pause.ts';

/** The limits at which operators are alerted to a destination. */
export type TroubleLimits = {
  /** Failed sends in a row (setting DESTINATION_FAILURES). */
  readonly failures: number;
  /** Minutes that the oldest lead may wait (setting DESTINATION_WAIT_MINUTES). */
  readonly waitMinutes: number;
};

const ANSWERED: ReadonlySet<SendResult['outcome']> = new Set([
  'delivered',
  'duplicate',
  'rejected',
]);

const HOUR_MS = 3_600_000;
/** Hours before a TrustedForm certificate expires at which operators are alerted. */
const WARNED_HOURS = 24;

/** Creates the watch of one process. Each change raises one alert, even if several processes run. */
export function createDestinationWatch(options: {
  pool: pg.Pool;
  destinations: readonly Pick<
    ConnectedDestination,
    'name' | 'areErrorsIgnored' | 'proofExpiresHours'
  >[];
  limits: TroubleLimits;
  alert: Alerts;
  log: Logger;
}) {
  const { pool, limits, alert, log } = options;
  const watched = options.destinations
    .filter((one) => !one.areErrorsIgnored)
    .map(({ name }) => name);
  const tallies = new Map<string, Tally>();
  /** Destinations with stored failures at the last look. */
  let failing: ReadonlySet<string> = new Set();

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
    const seconds = await persistently(() => resumeDeliveries(pool, destination, 'answer'));
    if (seconds === undefined) return;
    alert(`Deliveries to ${destination} have resumed: it accepts our account again`, {
      paused_seconds: Math.round(seconds),
    });
  }

  /** Returns the possible troubles of a destination, each with its conditions and alerts. */
  function troublesOf(health: DestinationHealth) {
    const { destination, failures, lastFailure, isFailingTold, oldestOpenAt } = health;
    const isFailing = failures >= limits.failures;
    const isPaused = health.pausedAt !== null;
    const last = lastFailure === null ? '' : `, the last with: ${lastFailure}`;
    const isWaiting = health.oldestWaitSeconds > limits.waitMinutes * 60;
    const wait = `for more than ${limits.waitMinutes} minutes`;
    const { proofExpiresHours = Infinity } =
      options.destinations.find(({ name }) => name === destination) ?? {};
    const expiresAtMs = (oldestOpenAt?.getTime() ?? Infinity) + proofExpiresHours * HOUR_MS;
    const isExpiring = expiresAtMs - Date.now() < WARNED_HOURS * HOUR_MS;
    const expiresAt = isExpiring ? new Date(expiresAtMs).toISOString() : '';
    return [
      {
        column: 'failing_told_at',
        isAlerted: isFailingTold,
        begins: isFailing && !isPaused,
        isOver: failures === 0,
        problem: `The last ${limits.failures} sends to ${destination} failed${last}. Its leads are kept and retried`,
        end: `${destination} answers again: its waiting leads are sent now`,
      },
      {
        column: 'waiting_told_at',
        isAlerted: health.isWaitingTold,
        // A paused or failing destination has its own alert, so waiting leads need no second alert.
        begins: isWaiting && !isPaused && !isFailing && !isFailingTold,
        isOver: !isWaiting,
        problem: `The oldest lead to ${destination} has waited ${wait}; "npm run leads -- list" shows the waiting leads`,
        end: `No lead to ${destination} waits ${wait} any more`,
      },
      {
        column: 'expiring_told_at',
        isAlerted: health.isExpiringTold,
        begins: isExpiring,
        isOver: !isExpiring,
        problem:
          `Certificates wait for ${destination}, and the first is lost on ` +
          `${expiresAt.slice(0, 16).replace('T', ' ')} UTC: see why it does not take them, or resume it, before then`,
        end: undefined,
      },
    ] as const;
  }

  /** Alerts operators to a destination's changes, unless another process already has. */
  async function alertOfChanges(health: DestinationHealth): Promise<void> {
    for (const { column, isAlerted, begins, isOver, problem, end } of troublesOf(health)) {
      const hasChanged = isAlerted ? isOver : begins;
      if (!hasChanged || !(await mark(pool, health.destination, column, !isAlerted))) continue;
      if (isAlerted && column === 'failing_told_at') await hurryRetries(pool, health.destination);
      const text = isAlerted ? end : problem;
      if (text !== undefined) alert(text);
    }
  }

  return {
    /**
     * Records the result of a send. Resolves when a resulting pause or resumption is stored.
     * @param isProbe whether the delivery was the probe of a paused destination
     */
    async ended(destination: string, result: SendResult, isProbe: boolean): Promise<void> {
      const { outcome, account, error } = result;
      try {
        if (outcome === 'account') {
          if (account && account.settings.length > 0) await pause(destination, account);
          return;
        }
        if (!watched.includes(destination)) return;
        const hasAnswered = ANSWERED.has(outcome);
        const before = tallies.get(destination);
        tallies.set(destination, {
          destination,
          hasSucceeded: hasAnswered || (before?.hasSucceeded ?? false),
          failures: hasAnswered ? 0 : (before?.failures ?? 0) + 1,
          lastFailure: hasAnswered ? null : (error ?? outcome).slice(0, 200),
        });
        if (isProbe && hasAnswered) await resume(destination);
      } catch (thrown) {
        // The next attempt records its result again.
        log.warn(
          { destination, err: cleanDatabaseError(thrown) },
          'Could not record a send result',
        );
      }
    },
    /** Stores the recorded results and alerts operators to changes. */
    async look(): Promise<void> {
      // A success is stored only after a failure, so most calls write nothing.
      const news = [...tallies.values()].filter(
        ({ destination, failures }) => failures > 0 || failing.has(destination),
      );
      tallies.clear();
      await addTallies(pool, news);
      const health = await readHealth(pool, watched);
      failing = new Set(
        health.filter(({ failures }) => failures > 0).map(({ destination }) => destination),
      );
      for (const each of health) await alertOfChanges(each);
    },
  };
}

/** The results of this process's sends to one destination since the last write. */
type Tally = {
  readonly destination: string;
  /** Number of failures since the last success. */
  readonly failures: number;
  /** True if the destination answered at least once. */
  readonly hasSucceeded: boolean;
  /** The last failure, in our own words. */
  readonly lastFailure: string | null;
};

/** Adds this process's results to the rows that all processes share. */
async function addTallies(client: Queryable, tallies: readonly Tally[]): Promise<void> {
  if (tallies.length === 0) return;
  await client.query(
    `insert into destination_health as h (destination, failures, last_failure)
     select destination, failures, "lastFailure" from jsonb_to_recordset($1::jsonb)
       as t (destination text, failures integer, "hasSucceeded" boolean, "lastFailure" text)
     order by destination
     on conflict (destination) do update set
       failures = excluded.failures + case when h.destination = any($2::text[]) then 0 else h.failures end,
       last_failure = coalesce(excluded.last_failure, h.last_failure)`,
    [
      JSON.stringify(tallies),
      tallies.filter((tally) => tally.hasSucceeded).map(({ destination }) => destination),
    ],
  );
}

/** Stores that operators were alerted to a problem, or that it is over. Returns whether this call changed it. */
async function mark(
  client: Queryable,
  destination: string,
  column: 'failing_told_at' | 'waiting_told_at' | 'expiring_told_at',
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

/** Maximum number of deliveries to make due in one statement. */
const HURRIED_AT_ONCE = 5_000;

/** Makes retries due now, after a destination has recovered. Deliveries answered with 429 keep their due time. */
async function hurryRetries(client: Queryable, destination: string): Promise<void> {
  await client.query('update destination_health set recovered_at = now() where destination = $1', [
    destination,
  ]);
  for (let hurried = HURRIED_AT_ONCE; hurried === HURRIED_AT_ONCE; ) {
    const { rowCount } = await client.query(
      `with later as (
         select id from deliveries d
         where destination = $1 and state = 'retrying' and due_at > now()
           and not exists (select 1 from delivery_attempts a
             where a.delivery_id = d.id and a.attempt = d.attempts and a.http_status = 429)
         limit ${HURRIED_AT_ONCE} for update skip locked
       )
       update deliveries set due_at = now() where id in (select id from later)`,
      [destination],
    );
    hurried = rowCount ?? 0;
  }
}
