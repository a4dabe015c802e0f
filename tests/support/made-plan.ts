/** Makes the list of a plan at once, as the plan runner does in the background. */
import type { Plan } from '../../src/contract/console/work.ts';
import { freezePortion, type PlanFreezer } from '../../src/server/operators/plans/freeze-plan.ts';
import { readPlan } from '../../src/server/operators/plans/read-plans.ts';
import { leavePlan, takePlan } from '../../src/server/operators/plans/run-plan.ts';

/**
 * Freezes the list of a plan, the only one that is being made or runs.
 *
 * @param size how many leads a portion has
 */
export async function madePlan(freezer: PlanFreezer, { id }: Plan, size = 3): Promise<Plan> {
  const given = { planId: id, owner: 'maker', size };
  const taken = await takePlan(freezer.pool, given.owner);
  if (taken?.id !== id || taken.isMade) throw new Error('Another plan is being made or runs');
  while ((await freezePortion(freezer, given)) === 'more');
  await leavePlan(freezer.pool, id, given.owner);
  return readPlan(freezer.pool, id);
}
