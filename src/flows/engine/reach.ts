import { type ConditionName, conditions } from '../../domain/facts.ts';
import { type Flow, stepOf } from './flow.ts';
import type { WalkContext } from './walk.ts';

/**
 * Returns the steps that a visitor of one survey can reach. Evaluates conditions on the survey's
 * configuration; assumes that conditions on answers may or may not hold.
 */
export function reachableSteps(flow: Flow, context: WalkContext): ReadonlySet<string> {
  const facts = { ...context, answers: {} };
  const isDecided = (name: ConditionName) => conditions[name].reads.length === 0;
  const reached = new Set<string>([flow.start]);
  for (const name of reached) {
    for (const edge of stepOf(flow, name).next) {
      if (typeof edge === 'string') {
        reached.add(edge);
        break;
      }
      const decided = edge.when.filter(isDecided);
      if (!decided.every((condition) => conditions[condition].test(facts))) continue;
      reached.add(edge.to);
      if (decided.length === edge.when.length) break;
    }
  }
  return reached;
}
