/**
 * Watches destinations: pauses one that refuses our account, and alerts operators once when one fails, keeps
 * leads waiting, or recovers (docs/specification.md#health-of-destinations).
 */

import type pg from 'pg';
import type { Alerts } from '../platform/alerts.ts';
import { persistently } from '../platform/database/database.ts';
import { cleanDatabaseError } from '../platform/database/database-error.ts';
import type { DestinationHealth } from '../platform/destination-health.ts';
import type { Logger } from '../platform/postgres/logger.ts';
import {
  addTallies,
  hurryRetries,
  mark,
  pauseDeliveries,
  readHealth,
  resumeDeliveries,
  type Tally,
} from './destination-health.ts';
import type {
  AccountRefusal,
  ConnectedDestination,
  SendResult,
} from './destinations/destination.ts';

/** When operators are alerted to a destination. */
export type TroubleLimits = {
  /** Failed sends in a row (setting DESTINATION_FAILURES). */
  readonly failures: number;
  /** Minutes that the oldest lead has waited (setting DESTINATION_WAIT_MINUTES). */
  readonly waitMinutes: number;
};

const ANSWERED: ReadonlySet<SendResult['outcome']> = new Set([
  'delivered',
  'duplicate',
  'rejected',
]);

const HOUR_MS = 3_600_000;
/** How long before the loss of a certificate operators are alerted. */
const WARNED_HOURS = 24;

/** Creates the watch of one process. However many processes run, each change raises one alert. */
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
  /** Destinations with failures in the database at the last look. */
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

  /** Returns each trouble that a destination can have: when it begins, when it is over, and the alerts. */
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
        // Operators already know that a paused or failing destination makes leads wait.
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

  /** Alerts operators to the changes of a destination, unless another process has. */
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
     * Records the result of a send. Resolves when a pause or resumption that follows from it is stored.
     * @param isProbe whether it was the single delivery that tests a paused destination
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
        // The next attempt will record it again.
        log.warn(
          { destination, err: cleanDatabaseError(thrown) },
          'Could not record a send result',
        );
      }
    },
    /** Stores the recorded results and alerts operators to changes. */
    async look(): Promise<void> {
      // A success matters only after a failure, so most looks write nothing.
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
