import { type ConditionName, conditions } from '../../domain/facts.ts';
import { type Flow, stepOf } from './flow.ts';
import type { WalkContext } from './walk.ts';

/**
 * The steps that some answers can lead to on one survey: conditions on how the survey is set up are
 * decided, those on answers may hold or not.
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
