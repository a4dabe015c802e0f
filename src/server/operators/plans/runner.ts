/** Makes and runs plans in the background, in any process. A plan goes on after a restart or a kill. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../postgres/logger.ts';
import {
  cleanDatabaseError,
  isConnectionError,
  isPassingError,
  isSerializationError,
} from '../../storage/database-error.ts';
import { BROKEN, failMaking, freezePortion, type PlanFreezer } from './freeze-plan.ts';
import { failItem, leavePlan, runPortion, takePlan } from './run-plan.ts';

/** How often to look for a plan while there is none. */
const LOOK_EVERY_MS = 1_000;
/** The items of a run's portion. */
const PORTION = 200;
/** The leads, or deliveries to recover, of a portion of a list. */
const FROZEN_AT_ONCE = 500;

export type PlanRunner = {
  /** Finishes the portion in progress and gives the plan to other processes. */
  stop(): Promise<void>;
};

/**
 * Starts to look for plans. They take turns by portions. Pauses after each for as long as it took, so that visitors
 * keep the database.
 *
 * @param options.wake called after each portion of a run, since it may have made deliveries due
 */
export function startPlanRunner(
  options: PlanFreezer & {
    readonly log: Logger;
    readonly wake: () => void;
    /** Default: 200 items of a run, and 500 leads of a list. */
    readonly portion?: number;
  },
): PlanRunner {
  const { pool, log, wake, portion = PORTION } = options;
  const owner = `${process.pid}-${randomUUID()}`;
  const stopping = new AbortController();
  const pause = (ms: number) =>
    sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);

  /** Does a portion item by item, so that one that always fails stops no other. */
  async function oneByOne(planId: string): Promise<void> {
    for (let done = 0; done < portion && !stopping.signal.aborted; done += 1) {
      try {
        if ((await runPortion(pool, { planId, owner, size: 1 })) === 'over') return;
      } catch (error) {
        if (isPassing(error)) throw error;
        log.error({ plan: planId, err: cleanDatabaseError(error) }, 'An item of a plan failed');
        await failItem(pool, { planId, owner });
      }
    }
  }

  async function nextPortion(planId: string): Promise<void> {
    try {
      await runPortion(pool, { planId, owner, size: portion });
    } catch (error) {
      if (isPassing(error)) throw error;
      log.warn({ plan: planId, err: cleanDatabaseError(error) }, 'A portion of a plan failed');
      await oneByOne(planId);
    }
  }

  async function freeze(planId: string): Promise<void> {
    try {
      await freezePortion(options, { planId, owner, size: options.portion ?? FROZEN_AT_ONCE });
    } catch (error) {
      if (isPassing(error)) throw error;
      log.error({ plan: planId, err: cleanDatabaseError(error) }, 'A plan could not be made');
      await failMaking(pool, { planId, owner }, BROKEN);
    }
  }

  /** Does a portion of the plan that has waited longest. Returns whether there was one. */
  async function look(): Promise<boolean> {
    const plan = await takePlan(pool, owner);
    if (plan === undefined) return false;
    try {
      const startedAtMs = performance.now();
      if (plan.isMade) {
        await nextPortion(plan.id);
        wake();
      } else await freeze(plan.id);
      await pause(performance.now() - startedAtMs);
    } finally {
      await leavePlan(pool, plan.id, owner);
    }
    return true;
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const hasWorked = await look().catch((error: unknown) => {
        const { message } = cleanDatabaseError(error);
        // A busy database is no trouble of the plan.
        const level = isPassingError(error) ? 'info' : 'warn';
        log[level]({ reason: message }, 'Plans wait for the database, and are tried again');
        return false;
      });
      if (!hasWorked) await pause(LOOK_EVERY_MS);
    }
  }

  const looping = loop();
  return {
    async stop() {
      stopping.abort();
      await looping;
    },
  };
}

/** Returns whether the error says nothing about the items, so that the portion is tried again later. */
function isPassing(error: unknown): boolean {
  return isConnectionError(error) || isSerializationError(error);
}
