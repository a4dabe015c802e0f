/** Makes and runs plans in the background, in any process. A plan goes on after a restart or a kill. */
import { randomUUID } from 'node:crypto';
import type { Logger } from '../../../postgres/logger.ts';
import {
  cleanDatabaseError,
  isConnectionError,
  isSerializationError,
} from '../../storage/database-error.ts';
import type { Jobs } from '../../storage/jobs.ts';
import { BROKEN, failMaking, freezePortion, type PlanFreezer } from './freeze-plan.ts';
import { failItem, leavePlan, runPortion, takePlan } from './run-plan.ts';

/** How often to look for a plan while there is none. Making or starting a plan wakes the job. */
const LOOK_EVERY_MS = 10_000;
/** The items of a run's portion. */
const PORTION = 200;
/** The leads, or deliveries to recover, of a portion of a list. */
const FROZEN_AT_ONCE = 500;

/**
 * Starts to look for plans. They take turns by portions.
 *
 * @param options.wake called after each portion of a run, since it may have made deliveries due
 */
export function startPlans(
  jobs: Jobs,
  options: PlanFreezer & {
    readonly log: Logger;
    readonly wake: () => void;
    /** Default: 200 items of a run, and 500 leads of a list. */
    readonly portion?: number;
  },
): void {
  const { pool, log, wake, portion = PORTION } = options;
  const owner = `${process.pid}-${randomUUID()}`;

  /** Does a portion item by item, so that one that always fails stops no other. */
  async function oneByOne(planId: string, signal: AbortSignal): Promise<void> {
    for (let done = 0; done < portion && !signal.aborted; done += 1) {
      try {
        if ((await runPortion(pool, { planId, owner, size: 1 })) === 'over') return;
      } catch (error) {
        if (isPassing(error)) throw error;
        log.error({ plan: planId, err: cleanDatabaseError(error) }, 'An item of a plan failed');
        await failItem(pool, { planId, owner });
      }
    }
  }

  async function nextPortion(planId: string, signal: AbortSignal): Promise<void> {
    try {
      await runPortion(pool, { planId, owner, size: portion });
    } catch (error) {
      if (isPassing(error)) throw error;
      log.warn({ plan: planId, err: cleanDatabaseError(error) }, 'A portion of a plan failed');
      await oneByOne(planId, signal);
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

  jobs.start({
    // Rests, so that visitors keep the database.
    ...{ name: 'plans', everyMs: LOOK_EVERY_MS, restFactor: 1 },
    /** Does a portion of the plan that has waited longest. */
    async run({ signal }) {
      const plan = await takePlan(pool, owner);
      if (plan === undefined) return undefined;
      try {
        if (plan.isMade) {
          await nextPortion(plan.id, signal);
          wake();
        } else await freeze(plan.id);
      } finally {
        await leavePlan(pool, plan.id, owner);
      }
      return 0;
    },
  });
}

/** Returns whether the error says nothing about the items, so that the portion is tried again later. */
function isPassing(error: unknown): boolean {
  return isConnectionError(error) || isSerializationError(error);
}
