import { type ConditionName, conditions } from '../../rules/facts.ts';
import { type Flow, fieldsOf, stepOf } from './flow.ts';
import type { WalkContext } from './walk.ts';

/** Returns the steps that can follow a step, without those that the survey's configuration excludes. */
export function stepsAfter(flow: Flow, from: string, context: WalkContext): ReadonlySet<string> {
  const facts = { ...context, answers: {} };
  const isDecided = (name: ConditionName) => conditions[name].reads.length === 0;
  const following = new Set<string>();
  for (const edge of stepOf(flow, from).next) {
    const { to, when } = typeof edge === 'string' ? { to: edge, when: [] } : edge;
    const decided = when.filter(isDecided);
    if (!decided.every((condition) => conditions[condition].test(facts))) continue;
    following.add(to);
    if (decided.length === when.length) break;
  }
  return following;
}

/** Returns the steps that visitors of a survey can reach. */
export function reachableSteps(flow: Flow, context: WalkContext): ReadonlySet<string> {
  const reached = new Set<string>([flow.start]);
  for (const name of reached) {
    for (const next of stepsAfter(flow, name, context)) reached.add(next);
  }
  return reached;
}

/** Returns whether a flow about an accident asks about injuries or treatment. */
export function asksHealth({ steps, rules }: Flow): boolean {
  const fields = Object.values(steps).flatMap(fieldsOf);
  return !rules?.isWithoutAccident && /_injury|injury_type|_treatment/.test(fields.join(' '));
}
